// The keys of the board.

import { button, h } from "../dom.js";
import { open } from "./dialogs.js";
import { t } from "../texts.js";

/** @type {[string[], string][]} */
const KEYS = [
  [["←", "→", "↑", "↓"], "keys.arrows"],
  [["Enter", t("keys.space")], "keys.enter"],
  [["n"], "keys.next"],
  [["m"], "keys.movable"],
  [["Esc"], "keys.escape"],
  [["p"], "keys.position"],
  [["l"], "keys.last"],
  [["c"], "keys.clocks"],
  [["t"], "keys.turn"],
  [["[", "]"], "keys.steps"],
  [["?"], "keys.list"],
];

export function showHelp() {
  const made = open(
    t("keys.title"),
    h(
      "div",
      { class: "stack" },
      h("p", { class: "muted" }, t("keys.help")),
      h(
        "dl",
        { class: "keys" },
        KEYS.map(([keys, text]) => [
          h(
            "dt",
            {},
            keys.map((key) => [h("kbd", {}, key), " "]),
          ),
          h("dd", {}, t(text)),
        ]),
      ),
      h(
        "p",
        {},
        button(t("word.close"), () => made.close(), { look: "main" }),
      ),
    ),
  );
}

export function helpButton() {
  return button(t("keys.button"), showHelp, { sign: "help", quiet: true });
}
