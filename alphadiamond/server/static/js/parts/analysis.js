// What bots think of a position: the server asks one of its own, in a process of its own.

import { app } from "../app.js";
import { button, enable, h, newId, put } from "../dom.js";
import { needName } from "./identity.js";
import { chart } from "./chart.js";
import { say, trouble } from "../notices.js";
import { t, troubleText } from "../texts.js";

const SHOWN = 5;
const WAIT = 700;
const percent = (value) => `${Math.round(50 + 50 * value)} %`;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** What a move is worth to who makes it. */
export function worth(opinion, one) {
  if (opinion.exact) {
    const word = t(one.value > 0 ? "analysis.wins" : one.value < 0 ? "analysis.loses" : "analysis.draws");
    if (one.margin) return t("analysis.by", { word, n: Math.abs(one.margin) });
    return one.distance ? t("analysis.in", { word, n: one.distance }) : word;
  }
  return one.value === undefined ? one.score.toFixed(1) : percent(one.value);
}

function tag(opinion, one) {
  if (opinion.exact && one.margin) return `${one.margin > 0 ? "+" : "−"}${Math.abs(one.margin)}`;
  if (opinion.exact)
    return one.value > 0
      ? `${t("analysis.winSign")}${one.distance ?? ""}`
      : one.value < 0
        ? `${t("analysis.lossSign")}${one.distance ?? ""}`
        : "=";
  return one.value === undefined ? "" : String(Math.round(50 + 50 * one.value));
}

const look = (value) =>
  value === undefined || value === null ? "" : value > 0.15 ? "good" : value < -0.15 ? "bad" : "even";

/** Says nothing to anybody: `changed` is called when there is something new to be shown. */
export class Analysis {
  #opinions = new Map();
  #hint = null; // {line, opinion}: the last one asked for, and the moves before it
  #running = 0;

  constructor(view, drawing, changed) {
    this.view = view;
    this.drawing = drawing;
    this.changed = changed;
    this.ply = 0;
    this.hidden = false;
    this.fault = "";
    this.wholly = false; // whether the whole game is being asked about
    const bots = app.botsOf(view.of).filter((bot) => bot.name !== "@random" && !bot.slips && !bot.iteration);
    if (!app.connection.people) bots.reverse(); // the strongest first
    this.bots = [...bots.filter((bot) => bot.exact), ...bots.filter((bot) => !bot.exact)];
    this.bot = this.bots[0]?.name;
    this.body = h("div", { class: "stack" });
    this.element = h("section", { class: "panel analysis" }, h("h2", {}, t("analysis.title")), this.#form(), this.body);
  }

  #form() {
    const id = newId("bot");
    const select = h(
      "select",
      {
        id,
        onchange: () => {
          this.bot = select.value;
          this.#running += 1;
          this.wholly = false;
          this.changed();
        },
      },
      this.bots.map((bot) =>
        h("option", { value: bot.name }, bot.exact ? t("analysis.exact", { bot: bot.title }) : bot.title),
      ),
    );
    this.one = button(t("analysis.position"), () => this.#ask(), { sign: "lamp" });
    this.all = button(t("analysis.whole"), () => this.#whole(), { sign: "eye" });
    return h(
      "div",
      { class: "stack" },
      h("div", {}, h("label", { for: id }, t("analysis.ask")), select),
      h("div", { class: "row" }, this.one, this.all),
    );
  }

  /** Of an opinion: whose it is and the moves before it, for after a move is taken back others may lead to the same
   * ply. */
  #key(ply) {
    return `${this.bot} ${this.#line(ply)}`;
  }

  #line(ply) {
    return this.view.moves.slice(0, ply).join(" ");
  }

  get opinion() {
    return this.#opinions.get(this.#key(this.ply));
  }

  /** Whether asking is allowed now: after the game, or in one's own unrated one. */
  get allowed() {
    return this.view.over || (!this.view.rated && this.view.seat !== undefined);
  }

  /** Moves to be drawn on the board. */
  get arrows() {
    const hint = this.#hint?.line === this.#line(this.ply) ? this.#hint.opinion : null;
    const opinion = hint ?? (this.hidden ? null : this.opinion);
    if (!opinion || !this.allowed) return [];
    return opinion.moves
      .slice(0, hint ? 1 : 3)
      .filter((one) => one.path?.length)
      .map((one, number) => ({
        path: one.path,
        weight: 1 - 0.35 * number,
        look: look(one.value),
        label: tag(opinion, one),
      }));
  }

  /** What analysis says of the moves made: ply → mistake or slip. */
  get judged() {
    const found = new Map();
    this.view.moves.forEach((move, ply) => {
      const opinion = this.#opinions.get(this.#key(ply));
      const played = opinion?.moves.find((one) => one.move === move);
      const best = opinion?.moves[0];
      if (played?.value === undefined || best?.value === undefined) return;
      const lost = best.value - played.value;
      if (opinion.exact ? lost > 0 : lost > 0.5) found.set(ply, "mistake");
      else if (!opinion.exact && lost > 0.2) found.set(ply, "slip");
    });
    return found;
  }

  /** The first seat's view of each ply that has been asked about. */
  #curve() {
    const points = [];
    this.view.scenes.forEach((_, ply) => {
      const opinion = this.#opinions.get(this.#key(ply));
      if (opinion?.value === undefined || opinion.value === null) return;
      const mover =
        this.view.scenes[ply + 1]?.seat ?? (ply ? 1 - this.view.scenes[ply].seat : (this.view.firstTurn ?? 0));
      points.push([ply, mover === 0 ? opinion.value : -opinion.value, 0]);
    });
    return points;
  }

  /** What can be asked about: not a position in which the game is over by its rules. */
  #open(ply) {
    return !this.view.scenes[ply]?.outcome;
  }

  /** The position after so many plies is looked at; `hidden` in a fog, where only a hint is given. */
  show(ply, { hidden = false } = {}) {
    this.ply = ply;
    this.hidden = hidden;
    this.element.hidden = hidden || !this.allowed || !this.bot;
    const { opinion } = this;
    enable(this.one, !this.busy && this.#open(ply));
    enable(this.all, !this.busy);
    const points = this.#curve();
    const [first, second] = this.drawing.side_names;
    put(
      this.body,
      this.asking !== undefined && h("p", { class: "muted small" }, t("analysis.thinking", { n: this.asking + 1 })),
      this.fault && h("p", { class: "bad small" }, this.fault),
      opinion && this.#table(opinion),
      points.length > 1 &&
        chart(points, {
          low: -1,
          high: 1,
          marks: [-1, 0, 1],
          at: ply,
          text: (y) => ({ 1: first, 0: t("analysis.even"), "-1": second })[y],
          look: "values",
          small: true,
          words: t("analysis.course", { n: points.length, state: this.#state(points[points.length - 1][1]) }),
        }),
    );
  }

  /** Who is ahead, by the first seat's view. */
  #state(value) {
    const [first, second] = this.drawing.side_names;
    return Math.abs(value) <= 0.15 ? t("analysis.even") : t("analysis.ahead", { side: value > 0 ? first : second });
  }

  #table(opinion) {
    const shown = opinion.moves.slice(0, SHOWN);
    const lines = shown.some((one) => one.variation?.length > 1); // who knows the truth shows no line of play
    const rows = shown.map((one) =>
      h(
        "tr",
        {},
        h("td", { class: "mono" }, one.move),
        h("td", { class: look(one.value) }, worth(opinion, one)),
        lines && h("td", { class: "mono small muted line-of-play" }, (one.variation ?? []).slice(1, 7).join(" ")),
      ),
    );
    return h(
      "table",
      {},
      h("caption", { class: "heard" }, t("analysis.best", { n: opinion.ply })),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("analysis.move")),
          h("th", { scope: "col" }, t(opinion.exact ? "analysis.value" : "analysis.worth")),
          lines && h("th", { scope: "col" }, t("analysis.then")),
        ),
      ),
      h("tbody", {}, rows),
    );
  }

  get busy() {
    return this.wholly || this.asking !== undefined;
  }

  async #ask(ply = this.ply, spoken = true) {
    if (!(await needName())) return false;
    const { bot } = this;
    const key = this.#key(ply);
    this.asking = ply;
    this.fault = "";
    this.#hint = null;
    this.changed();
    try {
      const opinion = await this.view.analyse(ply, bot);
      this.#opinions.set(key, opinion);
      if (spoken) say(t("analysis.bestSaid", { move: opinion.best, worth: worth(opinion, opinion.moves[0]) }));
      return true;
    } catch (error) {
      this.fault = troubleText(error);
      return !spoken && error.code === "too_long"; // of a whole game the other positions are asked
    } finally {
      this.asking = undefined;
      this.changed();
    }
  }

  /** Point at the best move of the game's last position: by who knows the truth, or else by the strongest. */
  async hint() {
    if (!(await needName())) return;
    const { ply } = this.view;
    const line = this.#line(ply);
    const best = [...this.bots].sort((a, b) => (b.exact ?? false) - (a.exact ?? false) || b.rating - a.rating);
    this.asking = ply;
    this.changed();
    try {
      const opinion = await this.#first(best, ply);
      this.#hint = { line, opinion };
      say(t("analysis.bestSaid", { move: opinion.best, worth: worth(opinion, opinion.moves[0]) }));
    } catch (error) {
      trouble(error);
    } finally {
      this.asking = undefined;
      this.changed();
    }
  }

  /** What the first of these bots thinks; the next one is asked where an exact answer would take too long. */
  async #first(bots, ply) {
    const [bot, ...others] = bots;
    try {
      return await this.view.analyse(ply, bot.name);
    } catch (error) {
      if (error.code !== "too_long" || !others.length) throw error;
      return this.#first(others, ply);
    }
  }

  /** Every position, one after the other, until somebody chooses another bot or leaves. */
  async #whole() {
    if (!(await needName())) return;
    this.#running += 1;
    const mine = this.#running;
    this.wholly = true;
    let done = true;
    for (let ply = 0; done && ply <= this.view.ply && mine === this.#running; ply += 1) {
      if (this.#opinions.has(this.#key(ply)) || !this.#open(ply)) continue;
      done = await this.#ask(ply, false);
      if (done) continue;
      await pause(WAIT); // another window of mine may have asked
      done = await this.#ask(ply, false);
    }
    if (mine !== this.#running) return;
    this.wholly = false;
    this.changed();
    if (done) say(t("analysis.done", { n: [...this.judged.values()].filter((word) => word === "mistake").length }));
  }

  close() {
    this.#running += 1;
  }
}
