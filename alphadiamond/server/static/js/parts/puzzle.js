// One puzzle: a board, what is to be found, and what came of the try. Whoever shows it says how a try is judged.

import { Board } from "../board/board.js";
import { positionWords } from "../board/words.js";
import { h, put } from "../dom.js";
import { say } from "../notices.js";
import { play } from "../sound.js";
import { t, troubleText } from "../texts.js";
import { capital } from "../words.js";
import { showHelp } from "./help.js";

export class PuzzleBoard {
  /** `solve` hears the move (null: given up) and promises the answer; `done` hears it when it has been shown.
   * @param drawing
   * @param puzzle
   * @param {{ solve: (move) => Promise<any>, done?: (answer) => void }} hears
   */
  constructor(drawing, puzzle, { solve, done = () => {} }) {
    this.drawing = drawing;
    this.puzzle = puzzle;
    this.solve = solve;
    this.done = done;
    this.answer = null;
    this.waiting = false;
    this.board = new Board(drawing, { flipped: puzzle.turn === 1 });
    this.board.seat = puzzle.turn;
    this.status = h("p", { class: "status" });
    this.element = h(
      "div",
      { class: "game-board" },
      h("div", { class: "board-place" }, this.board.element),
      this.status,
    );
    this.board.on("move", (move) => this.#try(move));
    this.board.on("said", say);
    this.board.on("key", (event) => this.#key(event));
    this.board.show(puzzle.scene);
    this.board.allow(puzzle.legal);
    put(this.status, this.#words());
  }

  #key(event) {
    if (event.key === "p") say(`${positionWords(this.drawing, this.board.scene)} ${this.#words()}`);
    else if (event.key === "?") showHelp();
    else return;
    event.preventDefault();
  }

  giveUp() {
    return this.#try(null);
  }

  async #try(move) {
    if (this.answer || this.waiting) return;
    this.waiting = true;
    if (move !== null) {
      this.board.predict(move, this.puzzle.turn);
      play("move");
    }
    this.board.allow([]);
    try {
      this.answer = await this.solve(move);
    } catch (error) {
      put(this.status, troubleText(error));
      this.board.show(this.puzzle.scene);
      this.board.allow(this.puzzle.legal);
      return;
    } finally {
      this.waiting = false;
    }
    this.#show(move);
    this.done(this.answer);
  }

  #show(move) {
    const { answer, puzzle } = this;
    const paths = new Map(puzzle.legal);
    this.board.show(answer.scene, { moving: true });
    if (!answer.right) {
      // What would have been right, over the position as it was.
      this.board.show(puzzle.scene);
      const square = (spots) =>
        this.drawing.columns.length
          ? [this.drawing.columns[spots[0]].find((one) => puzzle.scene.pieces[one] === ".")]
          : spots;
      const wrong = move === null ? [] : [{ path: square(paths.get(move)), weight: 0.6, look: "bad", label: "✗" }];
      this.board.point([
        ...answer.keeping
          .slice(0, 3)
          .map((one) => ({ path: square(paths.get(one)), weight: 1, look: "good", label: "✓" })),
        ...wrong,
      ]);
    }
    play(answer.right ? "won" : "lost");
    const words = this.#words();
    put(this.status, words);
    this.status.classList.toggle("good", answer.right);
    this.status.classList.toggle("bad", !answer.right);
    say(words);
  }

  #words() {
    const { answer, puzzle } = this;
    const side = capital(this.drawing.side_names[puzzle.turn]);
    if (!answer) return t(puzzle.goal === "win" ? "puzzle.win" : "puzzle.hold", { side });
    if (answer.right)
      return answer.keeping.length === 1 ? t("puzzle.rightOnly") : t("puzzle.right", { n: answer.keeping.length });
    return t("puzzle.wrong", { moves: answer.keeping.slice(0, 3).join(", ") });
  }
}
