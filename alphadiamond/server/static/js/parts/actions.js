// What a player can do beside moving: resign, offer, take back, claim, play again; and what the other one offers.

import { app } from "../app.js";
import { button, h, icon, keepFocus, put } from "../dom.js";
import { address } from "../router.js";
import { toast } from "../say.js";
import { confirm } from "./dialogs.js";
import { helpButton } from "./help.js";

const OFFERS = { draw: "a draw", takeback: "to take a move back", rematch: "a rematch" };
const GIVES = { draw: "Offer a draw", takeback: "Take back", rematch: "Rematch" };
const SIGNS = { draw: "half", takeback: "undo", rematch: "again" };

export class Actions {
  constructor(view, { flip, leave }) {
    this.view = view;
    this.flip = flip;
    this.leave = leave; // where the focus goes when what had it is gone
    this.offers = h("div", { class: "stack" });
    this.buttons = h("div", { class: "row actions" });
    this.tools = h("div", { class: "row tools" }, this.#tools());
    this.element = h("section", { class: "stack", "aria-label": "Actions" }, this.offers, this.buttons);
  }

  show() {
    const { view } = this;
    keepFocus(this.element, () => {
      put(this.offers, Object.entries(view.offers).map(([what, seat]) => this.#offer(what, seat)), this.#claim(), this.#next());
      put(this.buttons, view.seat !== undefined && (view.over ? this.#after() : this.#during()));
      this.element.hidden = !this.offers.hasChildNodes() && !this.buttons.hasChildNodes();
    }, this.leave);
  }

  #offer(what, seat) {
    const { view } = this;
    if (view.seat === undefined) return null;
    if (seat === view.seat) {
      return h("div", { class: "offer panel row spread" }, h("span", {}, `You have offered ${OFFERS[what]}.`), button("Withdraw", () => view.do({ type: "refuse", what }), { "data-act": `withdraw ${what}` }));
    }
    return h("div", { class: "offer panel row spread" }, h("span", {}, `${app.called(view.players[seat].name)} offers ${OFFERS[what]}.`),
      h("div", { class: "row" }, button("Accept", () => view.do({ type: "offer", what }), { look: "main", "data-act": `accept ${what}` }), button("Decline", () => view.do({ type: "refuse", what }), { "data-act": `decline ${what}` })));
  }

  #claim() {
    const { view } = this;
    if (view.claimAt === null || view.over || view.seat === undefined) return null;
    const wait = Math.ceil((view.claimAt - performance.now()) / 1000);
    const other = app.called(view.players[1 - view.seat].name);
    return h("div", { class: "offer panel row spread" }, h("span", {}, wait > 0 ? `${other} is away. You may claim the win in ${wait} s.` : `${other} has been away for long.`),
      button("Claim the win", () => view.do({ type: "claim" }), { "data-act": "claim", "aria-disabled": String(wait > 0) }));
  }

  #next() {
    return this.view.rematch && h("p", {}, h("a", { href: address("game", this.view.rematch) }, "The next game of these two"));
  }

  #during() {
    const { view } = this;
    const moved = view.scenes.some((scene) => scene.seat === view.seat);
    const bot = view.players[1 - view.seat].bot;
    const offers = [!bot && "draw", moved && !(bot && view.rated) && "takeback"].filter((what) => what && view.offers[what] === undefined);
    return [
      offers.map((what) => button(GIVES[what], () => view.do({ type: "offer", what }), { sign: SIGNS[what], "data-act": what })),
      moved ? button("Resign", () => this.#resign(), { sign: "flag", look: "danger", "data-act": "resign" }) : button("Abort", () => view.do({ type: "abort" }), { sign: "close", "data-act": "abort" }),
    ];
  }

  #after() {
    const { view } = this;
    if (view.rematch || view.offers.rematch !== undefined) return null;
    return button(GIVES.rematch, () => view.do({ type: "offer", what: "rematch" }), { sign: SIGNS.rematch, look: "main", "data-act": "rematch" });
  }

  /** What spectators can do too. */
  #tools() {
    const { view } = this;
    return [
      button("Turn the board", () => this.flip(), { sign: "turn", quiet: true }),
      h("a", { class: "button quiet", href: `/api/records/${encodeURIComponent(view.code)}`, download: `${view.code}.txt`, "aria-label": "Download the record", title: "Download the record" }, icon("save")),
      button("Copy the link", () => copyLink(), { sign: "link", quiet: true }),
      helpButton(),
    ];
  }

  async #resign() {
    if (await confirm("Resign?", "The game is lost then.", "Resign", { look: "danger" })) this.view.do({ type: "resign" });
  }
}

async function copyLink() {
  await navigator.clipboard.writeText(location.href).then(() => toast("The link is in the clipboard."), () => toast(location.href));
}
