// Lines for games, finished or going on.

import { app } from "../app.js";
import { h } from "../dom.js";
import { address } from "../router.js";
import { clockTerms, dateText, lineResult } from "../words.js";

const names = (players) => players.map((player) => app.called(player.name)).join(" – ");
const title = (game) => app.info(game)?.title ?? game;

/** Games that go on. */
export function goingOn(lines, { mine = false } = {}) {
  return h("ul", { class: "lines" }, lines.map((line) => {
    const my = mine && line.players.findIndex((player) => player.name === app.me);
    const turn = mine && line.turn === my;
    return h("li", {}, h("a", { href: address("game", line.game), class: "line" }, h("span", { class: "grow" }, h("strong", {}, mine ? app.called(line.players[1 - my].name) : names(line.players)),
      h("span", { class: "muted small block" }, `${title(line.of)}, ${clockTerms(line.clock)}, ${line.plies} ${line.plies === 1 ? "move" : "moves"}`)), turn && h("span", { class: "badge" }, "your move")));
  }));
}

/** Games of a person that are over. */
export function finished(lines, name) {
  return h("ul", { class: "lines" }, lines.map((line) => {
    const result = lineResult(line, name);
    return h("li", {}, h("a", { href: address("game", line.game), class: "line" }, h("span", { class: "grow" }, h("strong", {}, names(line.players)),
      h("span", { class: "muted small block" }, `${title(line.of)}, ${dateText(line.at)}, ${line.plies} moves, ${line.ending}`)), h("span", { class: `result ${result === "won" ? "good" : result === "lost" ? "bad" : "muted"}` }, result)));
  }));
}
