// Who is best at a game.

import { app } from "../app.js";
import { h, put } from "../dom.js";
import { choices } from "../parts/choices.js";
import { address, go } from "../router.js";
import { ratingText } from "../words.js";

function table(title, lines) {
  if (!lines.length) return null;
  return h("section", { class: "panel" }, h("h2", {}, title), h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), h("th", { scope: "col" }, "Name"), h("th", { scope: "col", class: "number" }, "Rating"), h("th", { scope: "col", class: "number wide-only" }, "±"), h("th", { scope: "col", class: "number" }, "Won"), h("th", { scope: "col", class: "number" }, "Drawn"), h("th", { scope: "col", class: "number" }, "Lost"))),
    h("tbody", {}, lines.map((line, number) => h("tr", {},
      h("td", { class: "number muted" }, number + 1),
      h("td", { class: "name" }, h("a", { href: address("person", line.name) }, app.called(line.name))),
      h("td", { class: "number" }, h("strong", {}, ratingText(line))), h("td", { class: "number muted wide-only" }, 2 * line.deviation), h("td", { class: "number" }, line.won), h("td", { class: "number" }, line.drawn), h("td", { class: "number" }, line.lost))))));
}

export function show(node, game = app.games[0]?.name) {
  let here = true;
  const info = app.info(game) ?? app.games[0];
  document.title = `Leaders: ${info.title}`;
  const body = h("div", { class: "stack" }, h("p", { class: "loading" }, "Loading…"));
  put(node, h("div", { class: "stack page" }, h("h1", {}, "Leaders"), choices("Game", app.games.map((one) => [one.name, one.title]), info.name, (name) => go("leaders", name), { hidden: true }), body));
  app.get(`/api/leaderboard/${encodeURIComponent(info.name)}`).then(
    ({ people, bots }) => here && put(body, people.length ? table("People", people) : h("p", { class: "panel muted" }, "Nobody has played a rated game yet."), table("Bots", bots),
      h("p", { class: "muted small" }, "A rating with a question mark is not certain yet. The true strength lies within ± nineteen times out of twenty.")),
    (error) => here && put(body, h("p", { class: "bad" }, error.message)));
  return () => (here = false);
}
