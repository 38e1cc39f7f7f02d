// Beside the games: today's puzzles, and the games that were played in this browser.

import { app } from "../app.js";
import { h } from "../dom.js";
import { address } from "../router.js";
import { t } from "../texts.js";
import { kept, today } from "./streaks.js";

const SHOWN = 12;

/** How one stands with a game's puzzles today; nothing where a streak has yet to begin. */
function standing(known) {
  const day = today();
  if (known?.solved && known.day >= day - 1)
    return h(
      "span",
      { class: known.day === day ? "good small" : "muted small" },
      t("daily.streak", { n: known.streak }),
    );
  return known?.day === day && h("span", { class: "muted small" }, t("daily.again"));
}

export function localLists(connection, section, finished) {
  const games = app.games.filter((one) => connection.puzzles[one.name]);
  const played = connection.finished();
  const puzzles = kept();
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
                standing(puzzles[one.name]),
              ),
            ),
          ),
        ),
      ),
    section(t("local.finished"), played.length ? finished(played.slice(0, SHOWN), app.me) : null, t("local.noGames")),
    h("p", { class: "muted small" }, t("local.private")),
  ];
}
