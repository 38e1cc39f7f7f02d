// The tree of moves: the main line, and beside it what else was tried.

import { h } from "../dom.js";
import { moveWords } from "../board/words.js";
import { t } from "../texts.js";
import { MovesBox } from "./moves.js";

export class MoveTree extends MovesBox {
  /** `go` hears the node to show. */
  constructor(drawing, go) {
    super(h("div", { class: "tree mono" }));
    this.drawing = drawing;
    this.go = go;
  }

  show(variations) {
    this.number = 0;
    this.put(this.#line(variations, variations.root, 0, true));
  }

  /** The moves after a node, with other lines in boxes of their own. */
  #line(variations, node, ply, numbered) {
    const found = [];
    let [one, at, first] = [node, ply, numbered];
    while (one.children.length) {
      const [main, ...others] = one.children;
      found.push(this.#button(variations, main, at, first));
      first = false;
      if (others.length) {
        found.push(
          others.map((other) =>
            h(
              "div",
              { class: "variation", role: "group", "aria-label": t("tree.variation") },
              this.#button(variations, other, at, true),
              this.#line(variations, other, at + 1, false),
            ),
          ),
        );
        first = true;
      }
      one = main;
      at += 1;
    }
    return found;
  }

  #button(variations, node, ply, numbered) {
    this.number += 1;
    const { scene } = node;
    const number = `${Math.floor(ply / 2) + 1}.${ply % 2 ? ".." : ""}`;
    const said = `${number} ${this.drawing.side_names[scene.seat]}: ${moveWords(this.drawing, scene)}`;
    return h(
      "button",
      {
        type: "button",
        class: "tree-move",
        "data-act": this.number,
        "aria-current": node === variations.at ? "step" : undefined,
        "aria-label": said,
        onclick: () => this.go(node),
      },
      (numbered || ply % 2 === 0) && h("span", { class: "move-number" }, number),
      scene.text,
    );
  }
}
