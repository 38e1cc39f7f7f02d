// Puzzles from the exams, rated: find a move that keeps the value.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { button, h, put } from "../dom.js";
import { gameChoices } from "../parts/choices.js";
import { gameLayout } from "../parts/game-layout.js";
import { needName } from "../parts/identity.js";
import { PuzzleBoard } from "../parts/puzzle.js";
import { address, go } from "../router.js";
import { t, troubleText } from "../texts.js";
import { ratingText } from "../words.js";

class PuzzlesPage {
  constructor(node, game) {
    this.game = game;
    this.here = true;
    setTitle(t("puzzle.title"));
    this.place = h("div", { class: "game-board" }, h("p", { class: "loading" }, t("frame.loading")));
    this.side = h("div", { class: "game-side stack" });
    put(
      node,
      gameLayout(
        t("puzzle.title"),
        gameChoices(app.puzzles, game, (name) => go("puzzles", name)),
        this.place,
        this.side,
      ),
    );
    this.#next();
  }

  close() {
    this.here = false;
  }

  async #next() {
    if (!app.me && app.connection.people) {
      put(
        this.place,
        h(
          "div",
          { class: "panel stack narrow" },
          h("p", {}, t("puzzle.needName")),
          button(t("name.choose"), async () => (await needName()) && this.#next(), { look: "main" }),
        ),
      );
      return;
    }
    try {
      const [drawing, puzzle] = await Promise.all([app.drawing(this.game), app.ask({ type: "puzzle", of: this.game })]);
      if (!this.here) return;
      const focused = this.side.contains(document.activeElement);
      this.view = new PuzzleBoard(drawing, puzzle, {
        solve: (move) =>
          app.ask({ type: "solve", of: this.game, puzzle: puzzle.puzzle, ...(move === null ? {} : { move }) }),
        done: (answer) => this.#render(puzzle, answer),
      });
      this.place.replaceWith(this.view.element);
      this.place = this.view.element;
      this.#render(puzzle, null);
      if (focused) this.view.board.focus();
    } catch (error) {
      if (this.here) put(this.place, h("p", { class: "bad" }, troubleText(error)));
    }
  }

  #render(puzzle, answer) {
    const mine = answer?.mine ?? puzzle.mine;
    const gained = answer?.change && answer.change.after - answer.change.before;
    put(
      this.side,
      mine &&
        h(
          "section",
          { class: "panel stack" },
          h("h2", {}, t("puzzle.yours")),
          h(
            "p",
            {},
            h("strong", { class: "rating" }, ratingText(mine)),
            h("span", { class: "muted" }, ` ± ${2 * mine.deviation} `),
            gained !== undefined &&
              gained !== null &&
              h("span", { class: gained < 0 ? "bad" : "good" }, `${gained < 0 ? "−" : "+"}${Math.abs(gained)}`),
          ),
          h("p", { class: "muted small" }, t("puzzle.tally", { right: mine.right, wrong: mine.wrong })),
          (answer?.rating ?? puzzle.rating) &&
            h("p", { class: "muted small" }, t("puzzle.its", { rating: answer?.rating ?? puzzle.rating })),
        ),
      h(
        "section",
        { class: "panel stack" },
        h("p", { class: "muted small" }, t("puzzle.help")),
        h(
          "div",
          { class: "row" },
          answer
            ? [
                button(t("puzzle.next"), () => this.#next(), { look: "main", sign: "next" }),
                h("a", { class: "button", href: address("analysis", this.game, puzzle.puzzle) }, t("frame.analysis")),
              ]
            : button(t("puzzle.giveUp"), () => this.view.giveUp(), { sign: "flag" }),
        ),
      ),
    );
    if (answer) this.side.querySelector("button")?.focus();
  }
}

export function show(node, game = localStorage.getItem("alphadiamond.game")) {
  const known = app.puzzles.includes(game) ? game : app.puzzles[0];
  if (!known) {
    put(node, h("p", { class: "panel muted narrow" }, t("puzzle.none")));
    return () => {};
  }
  const page = new PuzzlesPage(node, known);
  return () => page.close();
}
