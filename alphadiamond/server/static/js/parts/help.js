// The keys of the board.

import { button, h } from "../dom.js";
import { open } from "./dialogs.js";

const KEYS = [
  [["←", "→", "↑", "↓"], "walk over the board"],
  [["Enter", "Space"], "pick a piece, then where it goes"],
  [["n"], "to the next place where a click means something; capital N: back"],
  [["m"], "what can move, or where the picked piece can go"],
  [["Esc"], "let go of what is picked"],
  [["p"], "the position"],
  [["l"], "the last move"],
  [["c"], "the clocks"],
  [["t"], "whose turn it is"],
  [["[", "]"], "a move back, a move on"],
  [["?"], "this list"],
];

export function showHelp() {
  const made = open("Keys on the board",
    h("div", { class: "stack" },
      h("p", { class: "muted" }, "While the focus is on the board. Everything that happens is also read aloud by a screen reader."),
      h("dl", { class: "keys" }, KEYS.map(([keys, words]) => [h("dt", {}, keys.map((key) => [h("kbd", {}, key), " "])), h("dd", {}, words)])),
      h("p", {}, button("Close", () => made.close(), { look: "main" }))));
}

export function helpButton() {
  return button("Keys", showHelp, { sign: "help", quiet: true });
}
