// The switch between dark, light and what the system likes.

import { switchButton } from "./dom.js";
import { t } from "./texts.js";

const KEY = "alphadiamond.theme";
const NEXT = { auto: "dark", dark: "light", light: "auto" };
const SIGNS = { auto: "auto", dark: "moon", light: "sun" };
const system = matchMedia("(prefers-color-scheme: light)");

function chosen() {
  const kept = localStorage.getItem(KEY);
  return kept in NEXT ? kept : "auto";
}

function apply() {
  const light = chosen() === "auto" ? system.matches : chosen() === "light";
  document.documentElement.dataset.theme = light ? "light" : "dark";
  document.querySelector('meta[name="theme-color"]').setAttribute("content", light ? "#e8f0fc" : "#0b1030");
}

export function themeSwitch() {
  const { made, show } = switchButton(
    () => [SIGNS[chosen()], t(`theme.${chosen()}`)],
    () => {
      localStorage.setItem(KEY, NEXT[chosen()]);
      apply();
    },
  );
  const changed = () => {
    apply();
    show();
  };
  system.addEventListener("change", changed);
  window.addEventListener("storage", changed);
  apply();
  return made;
}
