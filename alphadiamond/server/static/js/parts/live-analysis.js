// What a player thinks while it thinks: a bar for who is ahead, the visits of its moves, and the line that it expects.
// Only connections that say "thinking" have it; for others nothing is shown.

import { app } from "../app.js";
import { h, newId, put } from "../dom.js";
import { t } from "../texts.js";

const SHOWN = 4;
const KEY = "alphadiamond.thinking";

export class LiveAnalysis {
  #opinion = null;
  #end = () => {};

  /** `changed` is called when there is something new to point at. */
  constructor(view, drawing, changed) {
    this.view = view;
    this.drawing = drawing;
    this.changed = changed;
    this.at = 0;
    this.hidden = false;
    this.shown = app.connection.thinks === true && localStorage.getItem(KEY) !== "no";
    this.fill = h("span", { class: "value-fill" });
    this.bar = h("div", { class: "value-bar", role: "img", hidden: true }, this.fill);
    this.body = h("div", { class: "stack small" });
    this.element = h(
      "section",
      { class: "panel stack thinking", hidden: app.connection.thinks !== true },
      h("h2", {}, t("thinking.title")),
      this.#switch(),
      this.body,
    );
    if (app.connection.thinks)
      this.#end = app.connection.on("thinking", (event) => event.game === view.code && this.#hear(event));
    this.#write();
  }

  close() {
    this.#end();
  }

  #switch() {
    const id = newId("thinking");
    const box = h("input", {
      type: "checkbox",
      id,
      checked: this.shown,
      onchange: () => {
        this.shown = box.checked;
        localStorage.setItem(KEY, this.shown ? "yes" : "no");
        this.#write();
        this.changed();
      },
    });
    return h("label", { class: "row", for: id }, box, h("span", {}, t("thinking.show")));
  }

  #hear(event) {
    this.#opinion = event;
    this.#write();
    this.changed();
  }

  /** The position after so many plies is looked at; `hidden` in a fog, since what is thought tells where who stands. */
  show(ply, { hidden = false } = {}) {
    this.at = ply;
    this.hidden = hidden;
    this.#write();
  }

  get #open() {
    return this.shown && !this.hidden;
  }

  /** The moves that are being thought about, best first; null where there are none to be shown. */
  get arrows() {
    const opinion = this.#opinion;
    if (!this.#open || !opinion?.moves || opinion.ply !== this.at || opinion.done || this.view.over) return null;
    const most = Math.max(1, ...opinion.moves.map((one) => one.visits ?? 0));
    return opinion.moves
      .slice(0, SHOWN)
      .filter((one) => one.visits && one.path?.length)
      .map((one) => ({
        path: one.path,
        weight: Math.max(0.15, one.visits / most),
        look: "even",
        label: String(one.visits),
      }));
  }

  #write() {
    const opinion = this.#opinion;
    const known = this.#open && opinion?.value !== undefined;
    this.bar.hidden = !known;
    if (known) {
      const [first, second] = this.drawing.side_names;
      const { scenes, turn } = this.view;
      const mover = scenes[opinion.ply + 1]?.seat ?? (opinion.ply ? 1 - scenes[opinion.ply]?.seat : (turn ?? 0));
      const share = Math.round(50 + 50 * (mover === 0 ? opinion.value : -opinion.value));
      this.fill.style.width = `${share}%`;
      this.fill.className = `value-fill ink-${this.drawing.colours[0]}`;
      this.bar.className = `value-bar ink-${this.drawing.colours[1]}`;
      this.bar.setAttribute("aria-label", t("thinking.bar", { first, second, n: share, rest: 100 - share }));
    }
    if (opinion?.fault) put(this.body, h("p", { class: "bad" }, opinion.fault));
    else if (!known || !opinion.moves)
      put(this.body, h("p", { class: "muted" }, t(this.#open ? "thinking.nothing" : "thinking.hidden")));
    else {
      const [best] = opinion.moves;
      put(
        this.body,
        h(
          "p",
          {},
          opinion.exact && !opinion.simulations
            ? t("thinking.exact")
            : t("thinking.simulations", { n: opinion.simulations }),
        ),
        h("p", { class: "mono line-of-play" }, (best.variation ?? []).slice(0, 8).join(" ")),
      );
    }
  }
}
