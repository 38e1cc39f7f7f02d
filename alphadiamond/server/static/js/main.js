// Begin: connect, find the page of the address, and keep the frame around it up to date.

import { app } from "./app.js";
import { h, put } from "./dom.js";
import { whoami } from "./parts/naming.js";
import { address, go, place, route } from "./router.js";
import { say, toast } from "./say.js";
import { themeSwitch } from "./theme.js";

const LINKS = [["play", "Play"], ["leaders", "Leaders"]];
const main = document.getElementById("main");
const colours = themeSwitch();

function showNav(page) {
  put(document.getElementById("nav"), h("ul", {}, LINKS.map(([name, words]) =>
    h("li", {}, h("a", { href: address(name), "aria-current": name === page ? "page" : undefined }, words)))));
}

function showTools() {
  put(document.getElementById("tools"), whoami(), colours);
}

let ticking = null;
function showConnection() {
  const { state, returnsAt } = app.connection;
  const node = document.getElementById("connection");
  clearInterval(ticking);
  const lost = state === "lost" || state === "stopping";
  if (!lost) {
    if (!node.hidden) say("Connected again.");
    node.hidden = true;
    node.textContent = "";
    return;
  }
  const words = () => {
    const seconds = Math.max(0, Math.ceil((returnsAt - Date.now()) / 1000));
    const again = seconds ? `in ${seconds} s` : "now";
    return state === "stopping" ? `The server restarts; it said it will be back ${again}.` : `The connection is lost; trying again ${again}.`;
  };
  node.hidden = false;
  // The count is for the eye: only the first words are read aloud.
  put(node, h("span", { class: "heard" }, state === "stopping" ? "The server restarts; your game waits." : "The connection is lost; your game waits."), h("span", { "aria-hidden": "true" }, words()));
  ticking = setInterval(() => (node.lastChild.textContent = words()), 500);
}

function render() {
  route(main, showNav);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", render);
app.on("connection", showConnection);
app.on("trouble", (words) => toast(words, { trouble: true }));
let met = false;
app.on("welcome", () => {
  showTools();
  showNav(place()[0]);
  if (!met) render();
  met = true;
});
app.on("begun", (event) => {
  if (place()[0] === "play" || place()[0] === "challenge") go("game", event.game);
  else if (place()[1] !== event.game) {
    const other = app.called(event.players[1 - event.seat].name);
    toast(`Your game with ${other} has begun.`, { link: { href: address("game", event.game), words: "Go there" }, seconds: 20 });
  }
});
app.on("challenges", (challenge) => {
  if (!challenge || challenge.to !== app.me) return;
  const title = app.info(challenge.terms.game)?.title;
  toast(`${challenge.owner} challenges you to ${title}.`, { link: { href: address("challenge", challenge.challenge), words: "Look" }, seconds: 20 });
});
app.start();
