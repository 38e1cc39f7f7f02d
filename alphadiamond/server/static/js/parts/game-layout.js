// A page with a board: its title and what stands beside that, the board, and what is told beside or under it.

import { h } from "../dom.js";

export function gameLayout(title, note, board, side) {
  return h(
    "div",
    { class: "game" },
    h("div", { class: "game-head" }, h("h1", { class: "game-title" }, title), note),
    board,
    side,
  );
}
