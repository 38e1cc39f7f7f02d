// A puzzle a day from the exam: find a move that holds. The streak is kept in this browser alone.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { button, h, put } from "../dom.js";
import { load } from "../engine/games/index.js";
import { Position } from "../engine/position.js";
import { copyLink } from "../notices.js";
import { gameChoices } from "../parts/choices.js";
import { gameLayout } from "../parts/game-layout.js";
import { PuzzleBoard } from "../parts/puzzle.js";
import { address, go } from "../router.js";
import { t, troubleText } from "../texts.js";
import { dateText } from "../words.js";
import { AGAIN } from "./connection.js";
import { sharedLink } from "./links.js";
import { kept, remember, today } from "./streaks.js";

class PuzzlePage {
  constructor(node, game) {
    this.node = node;
    this.games = app.gameNames.filter((name) => app.connection.puzzles[name]);
    this.game = this.games.includes(game) ? game : this.games[0];
    setTitle(t("daily.title"));
    put(node, h("p", { class: "loading" }, t("frame.loading")));
    this.#load();
  }

  /** What cannot be loaded now is asked for again. */
  #load(first = true) {
    this.#open().catch((error) => {
      if (this.gone) return;
      if (first)
        put(
          this.node,
          h(
            "div",
            { class: "panel stack narrow" },
            h("h1", {}, t("daily.title")),
            h("p", { class: "bad", role: "alert" }, troubleText(error)),
          ),
        );
      setTimeout(() => !this.gone && this.#load(false), AGAIN);
    });
  }

  close() {
    this.gone = true;
  }

  async #open() {
    const [drawing, list, rules] = await Promise.all([
      app.drawing(this.game),
      app.connection.data(`puzzles/${this.game}.json`),
      load(this.game),
    ]);
    if (this.gone) return;
    const day = today();
    const puzzle = list[day % list.length];
    const position = Position.parse(rules, puzzle.position);
    const known = kept()[this.game];
    const tried = known?.day === day;
    this.after = h("section", { class: "panel stack", hidden: true });
    const solve = async (move) => {
      const action = position.action(move);
      const right = puzzle.moves.includes(move);
      this.#done(puzzle, remember(this.game, day, right));
      return { right, scene: position.sceneOf(action, position.play(action)), keeping: puzzle.moves };
    };
    const goal = puzzle.value > 0 ? "win" : "hold";
    const legal = tried ? [] : position.legal;
    const view = new PuzzleBoard(
      drawing,
      { turn: position.side, scene: position.firstScene(), legal, goal },
      { solve },
    );
    put(
      this.node,
      gameLayout(
        t("daily.title"),
        h("p", { class: "muted small" }, dateText(Date.now())),
        view.element,
        h(
          "div",
          { class: "game-side stack" },
          gameChoices(this.games, this.game, (name) => go("puzzle", name)),
          this.after,
        ),
      ),
    );
    if (tried) this.#done(puzzle, known, true);
  }

  #done(puzzle, { solved, streak }, tried = false) {
    const link = sharedLink({ of: this.game, start: puzzle.position, moves: [] }, "");
    this.after.hidden = false;
    put(
      this.after,
      tried && h("p", {}, t("daily.tried")),
      h("p", { class: solved ? "good" : "muted" }, solved ? t("daily.streak", { n: streak }) : t("daily.again")),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button main", href: new URL(link).hash }, t("daily.playOn")),
        button(t("link.copy"), () => copyLink(link), { sign: "link" }),
      ),
    );
  }
}

export function show(node, game) {
  const page = new PuzzlePage(node, game);
  return () => page.close();
}

export const puzzleAddress = (game) => address("puzzle", game);
