// A person: ratings and their curves, games, and how two of them did against each other.

import { app } from "../app.js";
import { button, h, newId, put } from "../dom.js";
import { chart } from "../parts/chart.js";
import { choices } from "../parts/choices.js";
import { finished } from "../parts/lists.js";
import { keyTools } from "../parts/naming.js";
import { dateText, ratingText } from "../words.js";

const tally = ({ won, drawn, lost }) => `${won} won, ${drawn} drawn, ${lost} lost`;

/** Two curves would lie about time; the games are counted instead. */
function curve(points, title) {
  if (points.length < 2) return h("p", { class: "muted small" }, "The curve begins with the second rated game.");
  const ratings = points.map(([, rating]) => rating);
  const sure = points[points.length - 1][2];
  const air = Math.min(200, sure + 20);
  const [low, high] = [Math.floor((Math.min(...ratings) - air) / 100) * 100, Math.ceil((Math.max(...ratings) + air) / 100) * 100];
  const step = Math.max(100, Math.ceil((high - low) / 400) * 100);
  const marks = [];
  for (let mark = low; mark <= high; mark += step) marks.push(mark);
  return chart(points.map(([, rating, deviation], number) => [number, rating, deviation]), { low, high, marks,
    words: `${title}: rating after each of ${points.length} games, from ${ratings[0]} to ${ratings[ratings.length - 1]}, highest ${Math.max(...ratings)}, lowest ${Math.min(...ratings)}.` });
}

export function show(node, name = "") {
  let here = true;
  const path = `/api/people/${encodeURIComponent(name)}`;
  document.title = name;
  put(node, h("p", { class: "loading" }, "Loading…"));
  load();
  const end = app.on("welcome", () => load());
  return () => {
    here = false;
    end();
  };

  async function load() {
    try {
      const [person, games] = await Promise.all([app.get(path), app.get(`${path}/games`)]);
      if (here) render(person, games);
    } catch (error) {
      if (here) put(node, h("div", { class: "panel stack narrow" }, h("h1", {}, "Nobody of that name"), h("p", {}, error.message), h("a", { href: "#leaders" }, "To the leaders")));
    }
  }

  function render(person, games) {
    const called = app.called(person.name);
    const me = person.name === app.me;
    document.title = called;
    put(node, h("div", { class: "stack page" },
      h("div", { class: "row spread" }, h("div", {}, h("h1", {}, called), h("p", { class: "muted" }, `${person.bot ? "A bot" : "Here"} since ${dateText(person.since)}; ${person.games} ${person.games === 1 ? "game" : "games"}`)),
        person.games > 0 && h("a", { class: "button", href: `${path}/records`, download: "games.txt" }, "Download all games")),
      ratings(person),
      !me && app.me && versus(app.me, person.name, "You against them"),
      me && versusForm(person.name),
      history(games, person.name),
      me && keyTools()));
  }

  function ratings(person) {
    const played = app.games.filter((game) => person.ratings[game.name]);
    if (!played.length) return h("p", { class: "panel muted" }, "No rated game yet.");
    const body = h("div", { class: "stack" });
    const pick = async (game) => {
      const standing = person.ratings[game];
      put(body, h("p", {}, h("strong", { class: "rating" }, ratingText(standing)), h("span", { class: "muted" }, ` ± ${2 * standing.deviation}; ${tally(standing)}`)));
      const found = await app.get(`${path}/curve/${encodeURIComponent(game)}`).catch(() => ({ curve: [] }));
      body.append(curve(found.curve, app.info(game).title));
    };
    pick(played[0].name);
    return h("section", { class: "panel stack" }, h("h2", {}, "Ratings"), choices("Game", played.map((game) => [game.name, game.title]), played[0].name, pick, { hidden: true }), body);
  }

  function versus(one, two, title) {
    const section = h("section", { class: "panel stack" }, h("h2", {}, title));
    app.get(`/api/versus/${encodeURIComponent(one)}/${encodeURIComponent(two)}`).then(
      ({ players, results, games }) => {
        const lines = Object.entries(results).map(([game, found]) => h("li", {}, `${app.info(game)?.title ?? game}: ${players[0]} ${tally(found)}`));
        section.append(lines.length ? h("ul", {}, lines) : h("p", { class: "muted" }, "They have not played each other yet."));
        if (games.length) section.append(finished(games.slice(0, 5), players[0]));
      },
      () => section.append(h("p", { class: "muted" }, "There is nobody of that name.")));
    return section;
  }

  function versusForm(name) {
    const id = newId("other");
    const input = h("input", { type: "text", id, required: true, maxlength: 40 });
    const found = h("div");
    const form = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); put(found, versus(name, input.value, `You and ${input.value}`)); } },
      h("div", { class: "grow" }, h("label", { for: id }, "You against"), input), h("button", { type: "submit", class: "button bottom" }, "Compare"));
    return h("section", { class: "panel stack" }, h("h2", {}, "Head to head"), form, found);
  }

  function history(games, name) {
    if (!games.games.length) return null;
    const list = h("div", {}, finished(games.games, name));
    let next = games.next;
    const more = button("More", async () => {
      const page = await app.get(`${path}/games?before=${next}`);
      list.append(finished(page.games, name));
      next = page.next;
      more.hidden = next === null;
    });
    more.hidden = next === null;
    return h("section", { class: "panel stack" }, h("h2", {}, "Games"), list, more);
  }
}

