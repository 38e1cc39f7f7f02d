// Who is best at a game.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { h, put } from "../dom.js";
import { gameChoices } from "../parts/choices.js";
import { address, go } from "../router.js";
import { t, troubleText } from "../texts.js";
import { ratingText } from "../words.js";

function table(title, lines) {
  if (!lines.length) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, title),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "number" }, "#"),
          h("th", { scope: "col" }, t("leaders.name")),
          h("th", { scope: "col", class: "number" }, t("leaders.rating")),
          h("th", { scope: "col", class: "number wide-only" }, "±"),
          h("th", { scope: "col", class: "number" }, t("leaders.won")),
          h("th", { scope: "col", class: "number" }, t("leaders.drawn")),
          h("th", { scope: "col", class: "number" }, t("leaders.lost")),
        ),
      ),
      h(
        "tbody",
        {},
        lines.map((line, number) =>
          h(
            "tr",
            {},
            h("td", { class: "number muted" }, number + 1),
            h("td", { class: "name" }, h("a", { href: address("person", line.name) }, app.called(line.name))),
            h("td", { class: "number" }, h("strong", {}, ratingText(line))),
            h("td", { class: "number muted wide-only" }, 2 * line.deviation),
            h("td", { class: "number" }, line.won),
            h("td", { class: "number" }, line.drawn),
            h("td", { class: "number" }, line.lost),
          ),
        ),
      ),
    ),
  );
}

export function show(node, game = app.games[0]?.name) {
  let here = true;
  const info = app.info(game) ?? app.games[0];
  setTitle(t("leaders.titleOf", { game: app.titleOf(info.name) }));
  const body = h("div", { class: "stack" }, h("p", { class: "loading" }, t("frame.loading")));
  put(
    node,
    h(
      "div",
      { class: "stack page" },
      h("h1", {}, t("leaders.title")),
      gameChoices(app.gameNames, info.name, (name) => go("leaders", name)),
      body,
    ),
  );
  app.get(`/api/leaderboard/${encodeURIComponent(info.name)}`).then(
    ({ people, bots }) =>
      here &&
      put(
        body,
        people.length ? table(t("leaders.people"), people) : h("p", { class: "panel muted" }, t("leaders.none")),
        table(t("leaders.bots"), bots),
        h("p", { class: "muted small" }, t("leaders.help")),
      ),
    (error) => here && put(body, h("p", { class: "bad" }, troubleText(error))),
  );
  return () => (here = false);
}
