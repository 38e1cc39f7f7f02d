// A puzzle a day from the exam: find a move that holds. The streak is kept in this browser alone.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { Board } from "../board/board.js";
import { positionWords } from "../board/words.js";
import { button, h, put } from "../dom.js";
import { load } from "../engine/games/index.js";
import { Position } from "../engine/position.js";
import { choices } from "../parts/choices.js";
import { showHelp } from "../parts/help.js";
import { address, go } from "../router.js";
import { say, toast } from "../notices.js";
import { t } from "../texts.js";
import { capital, dateText } from "../words.js";
import { sharedLink } from "./links.js";
import { kept, remember, today } from "./streaks.js";

class PuzzlePage {
  constructor(node, game) {
    this.node = node;
    this.games = app.games.filter((one) => app.connection.puzzles[one.name]);
    this.game = this.games.find((one) => one.name === game)?.name ?? this.games[0]?.name;
    setTitle(t("daily.title"));
    put(node, h("p", { class: "loading" }, t("frame.loading")));
    this.#open();
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
    this.day = today();
    this.puzzle = list[this.day % list.length];
    this.drawing = drawing;
    this.position = Position.parse(rules, this.puzzle.position);
    this.board = new Board(drawing, { flipped: this.position.side === 1 });
    this.board.seat = this.position.side;
    this.board.on("move", (text) => this.#try(text));
    this.board.on("said", say);
    this.board.on("key", (event) => this.#key(event));
    this.status = h("p", { class: "status", role: "status" });
    this.after = h("div", { class: "stack" });
    const links = choices(
      t("word.game"),
      this.games.map((one) => [one.name, app.titleOf(one.name)]),
      this.game,
      (name) => go("puzzle", name),
      { hidden: true },
    );
    put(
      this.node,
      h(
        "div",
        { class: "game" },
        h(
          "div",
          { class: "game-head" },
          h("h1", { class: "game-title" }, t("daily.title")),
          h("p", { class: "muted small" }, dateText(Date.now())),
        ),
        h("div", { class: "game-board" }, h("div", { class: "board-place" }, this.board.element), this.status),
        h(
          "div",
          { class: "game-side stack" },
          links,
          h(
            "section",
            { class: "panel stack" },
            h(
              "p",
              {},
              t(this.puzzle.value > 0 ? "daily.win" : "daily.draw", {
                side: capital(drawing.side_names[this.position.side]),
              }),
            ),
            this.after,
          ),
        ),
      ),
    );
    this.board.show(this.position.firstScene());
    const known = kept()[this.game];
    if (known?.day === this.day) this.#done(known);
    else this.board.allow(this.position.legal);
    put(this.status, known?.day === this.day ? t("daily.tried") : t("game.yourMove"));
  }

  #try(text) {
    const right = this.puzzle.moves.includes(text);
    const action = this.position.action(text);
    const after = this.position.play(action);
    this.board.show(this.position.sceneOf(action, after), { moving: true });
    const known = remember(this.game, this.day, right);
    const words = right
      ? t("daily.right", { move: text })
      : t("daily.wrong", { move: text, moves: this.puzzle.moves.join(", ") });
    put(this.status, words);
    this.status.classList.add("over");
    say(words);
    this.#done(known);
  }

  #done({ solved, streak }) {
    const link = sharedLink({ of: this.game, start: this.puzzle.position, moves: [] }, "");
    put(
      this.after,
      h("p", { class: solved ? "good" : "muted" }, solved ? t("daily.streak", { n: streak }) : t("daily.again")),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button main", href: new URL(link).hash }, t("daily.playOn")),
        button(
          t("link.copy"),
          () =>
            navigator.clipboard.writeText(link).then(
              () => toast(t("link.copied")),
              () => toast(link),
            ),
          { sign: "link" },
        ),
      ),
    );
  }

  #key(event) {
    const answers = { p: () => say(positionWords(this.drawing, this.board.scene)), "?": () => showHelp() };
    if (!answers[event.key]) return;
    event.preventDefault();
    answers[event.key]();
  }
}

export function show(node, game) {
  const page = new PuzzlePage(node, game);
  return () => page.close();
}

export const puzzleAddress = (game) => address("puzzle", game);
