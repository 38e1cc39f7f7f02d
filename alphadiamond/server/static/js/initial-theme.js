// Before anything is drawn: dark or light, as chosen here or as the system likes it.
(() => {
  const chosen = localStorage.getItem("alphadiamond.theme");
  const light = chosen ? chosen === "light" : matchMedia("(prefers-color-scheme: light)").matches;
  document.documentElement.dataset.theme = light ? "light" : "dark";
})();
