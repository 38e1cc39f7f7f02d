// The frame around all pages: it finds the page of the address, and shows who one is and how the connection is.

import { app } from "./app.js";
import { h, put } from "./dom.js";
import { whoami } from "./parts/identity.js";
import { address, go, linkedPages, place, route } from "./router.js";
import { say, toast } from "./notices.js";
import { changeLanguage, language, LANGUAGES, t } from "./texts.js";
import { themeSwitch } from "./theme.js";

const main = document.getElementById("main");
const colours = themeSwitch();
const languages = languageSwitch();

function showNav(page) {
  const links = [
    ...linkedPages(),
    app.puzzles.length > 0 && "puzzles",
    "analysis",
    app.connection.people && "leaders",
  ].filter(Boolean);
  put(
    document.getElementById("nav"),
    h(
      "ul",
      {},
      links.map((name) =>
        h(
          "li",
          {},
          h("a", { href: address(name), "aria-current": name === page ? "page" : undefined }, t(`frame.${name}`)),
        ),
      ),
    ),
  );
}

function showTools() {
  put(document.getElementById("tools"), app.connection.people && whoami(), languages, colours);
}

/** The other languages take turns. */
function languageSwitch() {
  const at = LANGUAGES.findIndex(([code]) => code === language);
  const [next] = LANGUAGES[(at + 1) % LANGUAGES.length];
  const words = t("frame.language", { language: LANGUAGES[at][1] });
  return h(
    "button",
    {
      type: "button",
      class: "button quiet language",
      title: words,
      "aria-label": words,
      onclick: () => changeLanguage(next),
    },
    h("span", { "aria-hidden": "true" }, language.toUpperCase()),
  );
}

/** The texts that stand in the document itself. */
function showTexts() {
  document.getElementById("skip").textContent = t("frame.skip");
  document.querySelector(".brand").setAttribute("aria-label", t("frame.home"));
  document.getElementById("nav").setAttribute("aria-label", t("frame.pages"));
  document.getElementById("toasts").setAttribute("aria-label", t("frame.messages"));
  main.querySelector(".loading").textContent = t("frame.loading");
}

let ticking = null;
function showConnection() {
  const { state, returnsAt } = app.connection;
  const node = document.getElementById("connection");
  clearInterval(ticking);
  const lost = state === "lost" || state === "stopping";
  if (!lost) {
    if (!node.hidden) say(t("frame.again"));
    node.hidden = true;
    node.textContent = "";
    return;
  }
  const words = () => {
    const seconds = Math.max(0, Math.ceil((returnsAt - Date.now()) / 1000));
    return t(`frame.${state}Until`, { when: seconds ? t("frame.inSeconds", { seconds }) : t("frame.now") });
  };
  node.hidden = false;
  // The count is for the eye: only the first words are read aloud.
  put(node, h("span", { class: "heard" }, t(`frame.${state}`)), h("span", { "aria-hidden": "true" }, words()));
  ticking = setInterval(() => (node.lastChild.textContent = words()), 500);
}

function render() {
  route(main, showNav);
}

/** Begin with this connection behind the pages. */
export function begin(connection) {
  showTexts();
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  window.addEventListener("hashchange", render);
  app.on("connection", showConnection);
  app.on("trouble", (words) => toast(words, { trouble: true }));
  let met = false;
  app.on("welcome", async () => {
    showTools();
    showNav(place()[0]);
    if (met) return;
    met = true;
    if (language !== "en") await Promise.allSettled(app.gameNames.map((name) => app.drawing(name))); // they hold titles
    render();
  });
  app.on("named", ({ name, before }) => {
    showTools();
    toast(t("frame.named", { name }));
    if (place()[0] === "person" && place()[1] === before) go("person", name);
  });
  app.on("begun", (event) => {
    if (place()[0] === "play" || place()[0] === "challenge" || app.following) go("game", event.game);
    else if (place()[1] !== event.game) {
      const other = app.called(event.players[1 - event.seat].name);
      toast(t("frame.begun", { other }), {
        link: { href: address("game", event.game), words: t("frame.goThere") },
        seconds: 20,
      });
    }
  });
  app.on("challenges", (challenge) => {
    if (!challenge || challenge.to !== app.me) return;
    toast(t("frame.challenged", { owner: challenge.owner, game: app.titleOf(challenge.terms.game) }), {
      link: { href: address("challenge", challenge.challenge), words: t("frame.look") },
      seconds: 20,
    });
  });
  app.start(connection);
}
