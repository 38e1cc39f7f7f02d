// A person: ratings and their curves, games, and how two of them did against each other.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { button, h, icon, newId, put } from "../dom.js";
import { accountTools } from "../parts/account.js";
import { chart } from "../parts/chart.js";
import { gameChoices } from "../parts/choices.js";
import { finished } from "../parts/lists.js";
import { keyTools } from "../parts/identity.js";
import { address } from "../router.js";
import { t, troubleText } from "../texts.js";
import { dateText, ratingText } from "../words.js";

const tally = ({ won, drawn, lost }) => t("word.tally", { won, drawn, lost });

/** Two curves would lie about time; the games are counted instead. */
function curve(points, title) {
  if (points.length < 2) return h("p", { class: "muted small" }, t("person.noCurve"));
  const ratings = points.map(([, rating]) => rating);
  const sure = points[points.length - 1][2];
  const air = Math.min(200, sure + 20);
  const [low, high] = [
    Math.floor((Math.min(...ratings) - air) / 100) * 100,
    Math.ceil((Math.max(...ratings) + air) / 100) * 100,
  ];
  const step = Math.max(100, Math.ceil((high - low) / 400) * 100);
  const marks = [];
  for (let mark = low; mark <= high; mark += step) marks.push(mark);
  return chart(
    points.map(([, rating, deviation], number) => [number, rating, 2 * deviation]),
    {
      low,
      high,
      marks,
      words: t("person.curve", {
        game: title,
        n: points.length,
        first: ratings[0],
        last: ratings[ratings.length - 1],
        high: Math.max(...ratings),
        low: Math.min(...ratings),
      }),
    },
  );
}

export function show(node, name = "") {
  let here = true;
  const path = `/api/people/${encodeURIComponent(name)}`;
  setTitle(name);
  put(node, h("p", { class: "loading" }, t("frame.loading")));
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
      if (here)
        put(
          node,
          h(
            "div",
            { class: "panel stack narrow" },
            h("h1", {}, t("person.none")),
            h("p", {}, troubleText(error)),
            h("a", { href: "#leaders" }, t("frame.toLeaders")),
          ),
        );
    }
  }

  function render(person, games) {
    const called = app.called(person.name);
    const me = person.name === app.me;
    setTitle(called);
    put(
      node,
      h(
        "div",
        { class: "stack page" },
        h(
          "div",
          { class: "row spread" },
          h(
            "div",
            {},
            h("h1", {}, called),
            h(
              "p",
              { class: "muted" },
              t(person.bot ? "person.botSince" : "person.since", { since: dateText(person.since), n: person.games }),
            ),
          ),
          !me &&
            !person.bot &&
            h(
              "a",
              { class: "button main", href: address("play", person.name) },
              icon("swords"),
              h("span", {}, t("person.challenge")),
            ),
          person.games > 0 &&
            button(t("person.download"), () => app.connection.download(`${path}/records`, "games.txt"), {
              sign: "save",
            }),
        ),
        ratings(person),
        records(person),
        puzzles(),
        !me && app.me && versus(app.me, person.name, t("person.youAndThem")),
        me && versusForm(person.name),
        history(games, person.name),
        me && app.connection.people && [keyTools(), accountTools()],
      ),
    );
  }

  function ratings(person) {
    const played = app.gameNames.filter((name) => person.ratings[name]);
    if (!played.length) return h("p", { class: "panel muted" }, t("person.unrated"));
    const body = h("div", { class: "stack" });
    const pick = async (game) => {
      const standing = person.ratings[game];
      put(
        body,
        h(
          "p",
          {},
          h("strong", { class: "rating" }, ratingText(standing)),
          h(
            "span",
            { class: "muted" },
            t("person.standing", { deviation: 2 * standing.deviation, tally: tally(standing) }),
          ),
        ),
      );
      const found = await app.get(`${path}/curve/${encodeURIComponent(game)}`).catch(() => ({ curve: [] }));
      body.append(curve(found.curve, app.titleOf(game)));
    };
    pick(played[0]);
    return h(
      "section",
      { class: "panel stack" },
      h("h2", {}, t("person.ratings")),
      gameChoices(played, played[0], pick),
      body,
    );
  }

  /** Results by opponent and by opening, and mistakes, of one game at a time. */
  function records(person) {
    if (!person.games) return null;
    const body = h("div", { class: "stack" });
    const pick = async (game) => {
      put(body, h("p", { class: "muted small" }, t("frame.loading")));
      const [found, drawing] = await Promise.all([
        app.get(`${path}/results/${encodeURIComponent(game)}`).catch(() => null),
        app.drawing(game),
      ]);
      if (!here) return;
      if (!found?.opponents.length) {
        put(body, h("p", { class: "muted small" }, t("person.noGames")));
        return;
      }
      put(
        body,
        mistakes(found.mistakes),
        results(t("person.byOpponent"), t("leaders.name"), found.opponents, (one) =>
          h("a", { href: address("person", one.name) }, app.called(one.name)),
        ),
        found.openings.length > 0 &&
          results(t("person.byOpening"), t("person.opening"), found.openings, (one) => [
            h("span", { class: "mono" }, one.moves),
            h("span", { class: "muted small" }, ` ${drawing.side_names[one.seat]}`),
          ]),
      );
    };
    pick(app.gameNames[0]);
    return h(
      "section",
      { class: "panel stack" },
      h("h2", {}, t("person.results")),
      gameChoices(app.gameNames, app.gameNames[0], pick),
      body,
    );
  }

  function results(title, heading, lines, name) {
    const column = (words) => h("th", { scope: "col", class: "number" }, words);
    return h(
      "table",
      {},
      h("caption", {}, title),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, heading),
          column(t("leaders.won")),
          column(t("leaders.drawn")),
          column(t("leaders.lost")),
        ),
      ),
      h(
        "tbody",
        {},
        lines.map((one) =>
          h(
            "tr",
            {},
            h("td", { class: "name" }, name(one)),
            ["won", "drawn", "lost"].map((word) => h("td", { class: "number" }, one[word])),
          ),
        ),
      ),
    );
  }

  function mistakes(found) {
    if (!found?.critical) return null;
    const kept = found.critical - found.wins_lost - found.draws_lost;
    return h(
      "div",
      {},
      h(
        "p",
        {},
        h("strong", {}, t("person.accuracy", { percent: Math.round((100 * kept) / found.critical) })),
        h("span", { class: "muted" }, t("person.critical", { kept, critical: found.critical, n: found.games })),
      ),
      h("p", { class: "muted small" }, t("person.mistakes", { wins: found.wins_lost, draws: found.draws_lost })),
      found.worst.length > 0 &&
        h(
          "p",
          { class: "small" },
          t("person.worst"),
          found.worst.map((one) => [" ", h("a", { href: address("game", one.game) }, `${one.game} (${one.mistakes})`)]),
        ),
    );
  }

  /** How somebody stands with the puzzles, game by game. */
  function puzzles() {
    const section = h("section", { class: "panel stack", hidden: true }, h("h2", {}, t("puzzle.title")));
    app.get(`${path}/puzzles`).then(
      (found) => {
        for (const [game, one] of Object.entries(found)) {
          section.append(
            h(
              "p",
              {},
              h("strong", {}, `${app.titleOf(game)}: ${ratingText(one)}`),
              h("span", { class: "muted" }, ` ± ${2 * one.deviation}; ${t("puzzle.tally", one)}`),
            ),
          );
          if (one.curve.length > 1) section.append(curve(one.curve, app.titleOf(game)));
        }
        section.hidden = !Object.keys(found).length;
      },
      () => {},
    );
    return section;
  }

  function versus(one, two, title) {
    const section = h("section", { class: "panel stack" }, h("h2", {}, title));
    app.get(`/api/versus/${encodeURIComponent(one)}/${encodeURIComponent(two)}`).then(
      ({ players, results, games }) => {
        const lines = Object.entries(results).map(([game, found]) =>
          h("li", {}, t("person.versus", { game: app.titleOf(game), name: players[0], tally: tally(found) })),
        );
        section.append(lines.length ? h("ul", {}, lines) : h("p", { class: "muted" }, t("person.noVersus")));
        if (games.length) section.append(finished(games.slice(0, 5), players[0]));
      },
      () => section.append(h("p", { class: "muted" }, t("person.noOther"))),
    );
    return section;
  }

  function versusForm(name) {
    const id = newId("other");
    const input = h("input", { type: "text", id, required: true, maxlength: 40 });
    const found = h("div");
    const form = h(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          put(found, versus(name, input.value, t("person.youAnd", { name: input.value })));
        },
      },
      h("div", { class: "grow" }, h("label", { for: id }, t("person.against")), input),
      h("button", { type: "submit", class: "button bottom" }, t("person.compare")),
    );
    return h("section", { class: "panel stack" }, h("h2", {}, t("person.headToHead")), form, found);
  }

  function history(games, name) {
    if (!games.games.length) return null;
    const list = h("div", {}, finished(games.games, name));
    let next = games.next;
    const more = button(t("person.more"), async () => {
      const page = await app.get(`${path}/games?before=${next}`);
      list.append(finished(page.games, name));
      next = page.next;
      more.hidden = next === null;
    });
    more.hidden = next === null;
    return h("section", { class: "panel stack" }, h("h2", {}, t("person.games")), list, more);
  }
}
