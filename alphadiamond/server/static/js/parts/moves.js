// The list of moves; each leads to its position.

import { h, keepFocus, put } from "../dom.js";
import { moveWords } from "../board/words.js";
import { t } from "../texts.js";

const SIGNS = { mistake: ["?", "game.mistake"], slip: ["?!", "game.slip"] };

/** Moves in a box that scrolls to the one that is shown. */
export class MovesBox {
  constructor(body) {
    this.body = body;
    this.element = h("div", { class: "moves-box", tabindex: 0, role: "region", "aria-label": t("game.moves") }, body);
  }

  put(rows) {
    keepFocus(
      this.body,
      () => put(this.body, rows),
      () => this.element.focus(),
    );
    const current = this.body.querySelector("[aria-current]");
    if (current) this.element.scrollTop = current.offsetTop - this.element.clientHeight / 2;
  }
}

export class MoveList extends MovesBox {
  /** `go` hears the number of plies to show. */
  constructor(drawing, go) {
    super(h("ol", { class: "moves mono" }));
    this.drawing = drawing;
    this.go = go;
  }

  /** `judged` holds what analysis says of a ply: mistake, slip or nothing; the moves of the seat `hidden` are not told.
   */
  show(view, at, judged = new Map(), hidden = -1) {
    const rows = view.scenes.slice(1).map((scene, number) => {
      const ply = number + 1;
      const [sign, judgement] = SIGNS[judged.get(number)] ?? ["", ""];
      const who = `${Math.floor(number / 2) + 1}. ${this.drawing.side_names[scene.seat]}`;
      const what = scene.seat === hidden ? t("game.unseen") : moveWords(this.drawing, scene);
      const said = `${who}: ${what}${judgement && `, ${t(judgement)}`}`;
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: `move ink-${this.drawing.colours[scene.seat]}`,
            "data-act": ply,
            "aria-current": ply === at ? "step" : undefined,
            "aria-label": said,
            onclick: () => this.go(ply),
          },
          number % 2 === 0 && h("span", { class: "move-number" }, `${number / 2 + 1}.`),
          h("span", {}, scene.seat === hidden ? "·" : scene.text),
          sign && h("b", { class: "move-sign" }, sign),
        ),
      );
    });
    this.put(rows);
  }
}
