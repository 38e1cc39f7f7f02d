// What a player can do beside moving: resign, offer, take back, claim, play again; and what the other one offers.

import { app } from "../app.js";
import { notifySwitch } from "../attention.js";
import { button, h, keepFocus, put } from "../dom.js";
import { address, go } from "../router.js";
import { copyLink } from "../notices.js";
import { soundSwitch } from "../sound.js";
import { t } from "../texts.js";
import { confirm } from "./dialogs.js";
import { helpButton } from "./help.js";
import { nextButton } from "./next-game.js";

const SIGNS = { draw: "half", takeback: "undo", rematch: "again" };

export class Actions {
  constructor(view, { flip, hint, leave }) {
    this.view = view;
    this.flip = flip;
    this.hint = hint;
    this.leave = leave; // where the focus goes when what had it is gone
    this.offers = h("div", { class: "stack" });
    this.buttons = h("div", { class: "row actions" });
    this.tools = h("div", { class: "row tools" }, this.#tools());
    this.element = h("section", { class: "stack", "aria-label": t("action.title") }, this.offers, this.buttons);
  }

  show() {
    const { view } = this;
    keepFocus(
      this.element,
      () => {
        put(
          this.offers,
          Object.entries(view.offers).map(([what, seat]) => this.#offer(what, seat)),
          this.#claim(),
          this.#next(),
        );
        put(this.buttons, view.seat !== undefined && (view.over ? this.#after() : this.#during()));
        this.element.hidden = !this.offers.hasChildNodes() && !this.buttons.hasChildNodes();
      },
      this.leave,
    );
  }

  #offer(what, seat) {
    const { view } = this;
    if (view.seat === undefined) return null;
    if (seat === view.seat) {
      return h(
        "div",
        { class: "offer panel row spread" },
        h("span", {}, t("offer.mine", { what: t(`offer.${what}`) })),
        button(t("word.withdraw"), () => view.do({ type: "refuse", what }), { "data-act": `withdraw ${what}` }),
      );
    }
    return h(
      "div",
      { class: "offer panel row spread" },
      h("span", {}, t("offer.theirs", { who: app.called(view.players[seat].name), what: t(`offer.${what}`) })),
      h(
        "div",
        { class: "row" },
        button(t("word.accept"), () => view.do({ type: "offer", what }), {
          look: "main",
          "data-act": `accept ${what}`,
        }),
        button(t("word.decline"), () => view.do({ type: "refuse", what }), { "data-act": `decline ${what}` }),
      ),
    );
  }

  #claim() {
    const { view } = this;
    if (view.claimAt === null || view.over || view.seat === undefined) return null;
    const wait = Math.ceil((view.claimAt - performance.now()) / 1000);
    const other = app.called(view.players[1 - view.seat].name);
    return h(
      "div",
      { class: "offer panel row spread" },
      h("span", {}, wait > 0 ? t("action.claimIn", { other, seconds: wait }) : t("action.claimNow", { other })),
      button(t("action.claim"), () => view.do({ type: "claim" }), {
        "data-act": "claim",
        "aria-disabled": String(wait > 0),
      }),
    );
  }

  #next() {
    return this.view.rematch && h("p", {}, h("a", { href: address("game", this.view.rematch) }, t("action.next")));
  }

  #during() {
    const { view } = this;
    const moved = view.scenes.some((scene) => scene.seat === view.seat);
    const bot = view.players[1 - view.seat].bot;
    const offers = [!bot && "draw", moved && !(bot && view.rated) && "takeback"].filter(
      (what) => what && view.offers[what] === undefined,
    );
    const helped = bot && !view.rated && this.hint;
    return [
      helped &&
        button(t("action.hint"), this.hint, {
          sign: "lamp",
          "data-act": "hint",
          "aria-disabled": String(!view.mine || view.pending),
        }),
      offers.map((what) =>
        button(t(`action.${what}`), () => view.do({ type: "offer", what }), { sign: SIGNS[what], "data-act": what }),
      ),
      moved
        ? button(t("action.resign"), () => this.#resign(), { sign: "flag", look: "danger", "data-act": "resign" })
        : button(t("action.abort"), () => view.do({ type: "abort" }), { sign: "close", "data-act": "abort" }),
    ];
  }

  #after() {
    const { view } = this;
    const asked = view.rematch || view.offers.rematch !== undefined;
    return [
      !asked &&
        button(t("action.rematch"), () => view.do({ type: "offer", what: "rematch" }), {
          sign: SIGNS.rematch,
          look: "main",
          "data-act": "rematch",
        }),
      nextButton(view),
    ];
  }

  /** What spectators can do too. */
  #tools() {
    const { view } = this;
    return [
      button(t("action.turn"), () => this.flip(), { sign: "turn", quiet: true }),
      soundSwitch(),
      view.over ? null : notifySwitch(),
      button(
        t("action.record"),
        () => app.connection.download(`/api/records/${encodeURIComponent(view.code)}`, `${view.code}.txt`),
        { sign: "save", quiet: true },
      ),
      button(t("link.copy"), () => copyLink(app.connection.link?.(view) ?? location.href), {
        sign: "link",
        quiet: true,
      }),
      button(t("action.analyse"), () => go("analysis", view.of, view.start, view.moves.join(" ")), {
        sign: "tree",
        quiet: true,
      }),
      helpButton(),
    ];
  }

  async #resign() {
    if (await confirm(t("action.resignTitle"), t("action.resignWords"), t("action.resign"), { look: "danger" }))
      this.view.do({ type: "resign" });
  }
}
