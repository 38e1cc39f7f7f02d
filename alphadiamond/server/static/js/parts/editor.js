// Setting up a position by hand: what to put down, where, and who is to move.

import { button, h } from "../dom.js";
import { say } from "../notices.js";
import { t } from "../texts.js";
import { capital } from "../words.js";
import { choices } from "./choices.js";

const EMPTY = ".";

/** `done` hears {pieces, turn}, or nothing when it is given up. */
export class Editor {
  constructor(board, { done }) {
    this.board = board;
    this.sign = "0";
    this.turn = "0";
    const { drawing } = board;
    const sides = drawing.side_names.map(capital);
    this.element = h(
      "section",
      { class: "panel stack" },
      h("h2", {}, t("editor.title")),
      h("p", { class: "muted small" }, t("editor.help")),
      choices(
        t("editor.what"),
        [
          ["0", sides[0]],
          ["1", sides[1]],
          [EMPTY, t("editor.nothing")],
        ],
        this.sign,
        (sign) => (this.sign = sign),
      ),
      choices(
        t("editor.turn"),
        [
          ["0", sides[0]],
          ["1", sides[1]],
        ],
        this.turn,
        (turn) => (this.turn = turn),
      ),
      h(
        "div",
        { class: "row" },
        button(t("editor.empty"), () => this.#show(EMPTY.repeat(this.pieces.length)), { sign: "bin" }),
        button(t("editor.start"), () => this.#show(drawing.start.pieces), { sign: "start" }),
      ),
      h(
        "div",
        { class: "row" },
        button(t("editor.done"), () => done({ pieces: this.pieces, turn: Number(this.turn) }), { look: "main" }),
        button(t("word.cancel"), () => done(null)),
      ),
    );
    this.pieces = board.scene.pieces;
    board.editing = true;
    board.allow([]);
    this.end = board.on("edit", (spot) => this.#put(spot));
    this.#show(this.pieces);
  }

  close() {
    this.board.editing = false;
    this.end();
    this.element.remove();
  }

  #put(spot) {
    const { columns, names, column_names } = this.board.drawing;
    const cells = columns.length ? columns[spot] : [spot];
    const taken = cells.filter((square) => this.pieces[square] !== EMPTY);
    // In a column things lie on each other: the next goes on top, and what is taken away is the top one.
    const square = columns.length ? (this.sign === EMPTY ? taken[taken.length - 1] : cells[taken.length]) : spot;
    if (square === undefined) return;
    const sign = !columns.length && this.pieces[square] === this.sign ? EMPTY : this.sign;
    this.#show(this.pieces.slice(0, square) + sign + this.pieces.slice(square + 1));
    const side = sign === EMPTY ? t("board.emptySquare") : this.board.drawing.side_names[Number(sign)];
    say(t("board.square", { name: columns.length ? column_names[spot] : names[square], what: side }));
  }

  #show(pieces) {
    this.pieces = pieces;
    this.board.show({ pieces });
  }
}
