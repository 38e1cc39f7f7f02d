// Lines for games, finished or going on.

import { app } from "../app.js";
import { h } from "../dom.js";
import { address } from "../router.js";
import { clockTerms, dateText, lineEnding, lineResult } from "../words.js";
import { t } from "../texts.js";

const names = (players) => players.map((player) => app.called(player.name)).join(" – ");

/** A link to a game: who plays it, a note on it, and a mark at the end. */
function gameLine(line, title, note, mark) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: address("game", line.game), class: "line" },
      h("span", { class: "grow" }, h("strong", {}, title), h("span", { class: "muted small block" }, note)),
      mark,
    ),
  );
}

/** Games that go on. */
export function goingOn(lines, { mine = false } = {}) {
  return h(
    "ul",
    { class: "lines" },
    lines.map((line) => {
      const my = mine && line.players.findIndex((player) => player.name === app.me);
      const turn = mine && line.turn === my;
      return gameLine(
        line,
        mine ? app.called(line.players[1 - my].name) : names(line.players),
        `${app.titleOf(line.of)}, ${clockTerms(line.clock)}, ${t("word.moves", { n: line.plies })}`,
        turn && h("span", { class: "badge" }, t("play.yourMove")),
      );
    }),
  );
}

/** Games of a person that are over. */
export function finished(lines, name) {
  return h(
    "ul",
    { class: "lines" },
    lines.map((line) => {
      const result = lineResult(line, name);
      return gameLine(
        line,
        names(line.players),
        t("person.line", {
          game: app.titleOf(line.of),
          date: dateText(line.at),
          n: line.plies,
          ending: lineEnding(line, (game, text) => app.phrase(game, text)),
        }),
        h(
          "span",
          { class: `result ${result === "won" ? "good" : result === "lost" ? "bad" : "muted"}` },
          t(`word.${result}`),
        ),
      );
    }),
  );
}
