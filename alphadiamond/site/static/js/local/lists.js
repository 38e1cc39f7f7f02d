// Beside the games: today's puzzles, and the games that were played in this browser.

import { app } from "../app.js";
import { h } from "../dom.js";
import { address } from "../router.js";
import { t } from "../texts.js";

const SHOWN = 12;

export function localLists(connection, section, finished) {
  const games = app.games.filter((one) => connection.puzzles[one.name]);
  const played = connection.finished();
  return [
    games.length > 0 &&
      section(
        t("daily.title"),
        h(
          "ul",
          { class: "lines" },
          games.map((one) =>
            h(
              "li",
              {},
              h(
                "a",
                { class: "line", href: address("puzzle", one.name) },
                h("strong", { class: "grow" }, app.titleOf(one.name)),
              ),
            ),
          ),
        ),
      ),
    section(t("local.finished"), played.length ? finished(played.slice(0, SHOWN), app.me) : null, t("local.noGames")),
    h("p", { class: "muted small" }, t("local.private")),
  ];
}
