// A game: playing it, watching it, and going through it again.

import { app } from "../app.js";
import { Board } from "../board/board.js";
import { moveWords, positionWords } from "../board/words.js";
import { button, enable, h, put } from "../dom.js";
import { GameView } from "../game-view.js";
import { Actions } from "../parts/actions.js";
import { Analysis } from "../parts/analysis.js";
import { showHelp } from "../parts/help.js";
import { MoveList } from "../parts/moves.js";
import { PlayerBar } from "../parts/player.js";
import { go } from "../router.js";
import { say, trouble } from "../say.js";
import { capital, clockTerms, clockWords, resultWords } from "../words.js";

const NOTHING = [];

class GamePage {
  #timer = null;

  constructor(node, code) {
    this.node = node;
    this.view = new GameView(code);
    put(node, h("p", { class: "loading" }, "Loading the game…"));
    this.view.on("missing", () => put(node, h("div", { class: "panel stack narrow" }, h("h1", {}, "No such game"), h("p", {}, "There is no game at this address."), h("a", { href: "#play" }, "To the lobby"))));
    this.view.on("trouble", trouble);
    this.view.on("game", (news) => this.#game(news));
    this.view.on("moved", ({ scene }) => this.#moved(scene));
    this.view.on("ended", () => this.#ended());
    this.view.on("offered", (event) => this.#offered(event));
    this.view.on("presence", (event) => this.#presence(event));
    this.view.on("rematch", (event) => (this.view.seat === undefined ? this.#render() : go("game", event.next)));
    this.#timer = setInterval(() => this.#tick(), 100);
  }

  close() {
    clearInterval(this.#timer);
    this.view.close();
    this.analysis?.close();
  }

  async #game({ first, before }) {
    if (!this.board) {
      if (this.building) return;
      this.building = true;
      this.drawing = await app.drawing(this.view.of);
      this.#build();
      if (this.view.mine) say("It is your move.");
      return;
    }
    const { view } = this;
    if (!first && view.ply < before) say("A move was taken back.");
    if (!first && view.ply > before) say(`${view.ply - before} moves were made meanwhile. ${this.#last()}`);
    this.at = view.ply;
    this.board.show(view.scenes[this.at]);
    this.#render();
  }

  #build() {
    const { view, drawing } = this;
    this.at = view.ply;
    this.board = new Board(drawing, { flipped: view.seat === 1 });
    this.board.on("move", (text) => view.move(text));
    this.board.on("said", say);
    this.board.on("key", (event) => this.#key(event));
    this.bars = [0, 1].map((seat) => new PlayerBar(drawing, seat));
    this.moves = new MoveList(drawing, (ply) => this.#go(ply));
    this.actions = new Actions(view, { flip: () => this.#flip(), leave: () => this.board.focus() });
    this.analysis = new Analysis(view, drawing, () => this.#render());
    this.status = h("p", { class: "status" });
    const step = (words, sign, ply) => button(words, () => this.#go(ply()), { sign, quiet: true });
    this.steps = h("div", { class: "row steps", role: "group", "aria-label": "Go through the game" },
      step("To the beginning", "first", () => 0), step("Back", "back", () => this.at - 1), step("On", "on", () => this.at + 1), step("To the end", "last", () => view.ply));
    this.places = [h("div"), h("div")];
    const names = view.players.map((player) => app.called(player.name)).join(" – ");
    document.title = `${names}, ${drawing.title}`;
    put(this.node, h("div", { class: "game" },
      h("div", { class: "game-head" }, h("h1", { class: "game-title" }, names), h("p", { class: "muted small" }, `${drawing.title}, ${clockTerms(view.clock)}, ${view.rated ? "rated" : "unrated"}`)),
      h("div", { class: "game-board" }, this.places[0], h("div", { class: "board-place" }, this.board.element), this.places[1], this.status),
      h("div", { class: "game-side stack" }, this.actions.element, h("section", { class: "panel stack" }, h("div", { class: "row spread" }, h("h2", {}, "Moves"), this.actions.tools), this.moves.element, this.steps), this.analysis.element)));
    this.board.show(view.scenes[this.at]);
    this.#seats();
    this.#render();
  }

  /** Who plays from below is shown below. */
  #seats() {
    const low = this.board.flipped || (this.drawing.columns.length && this.view.seat === 1) ? 1 : 0;
    this.places[0].replaceChildren(this.bars[1 - low].element);
    this.places[1].replaceChildren(this.bars[low].element);
  }

  #flip() {
    this.board.flip();
    this.#seats();
    this.#render();
  }

  /** Show the position after so many plies. */
  #go(ply) {
    const to = Math.max(0, Math.min(this.view.ply, ply));
    if (to === this.at) return;
    const moving = to === this.at + 1;
    this.at = to;
    this.board.settle(); // who goes on does not wait for the last move
    this.board.show(this.view.scenes[to], { moving });
    this.#render();
    say(to ? `Move ${to}: ${moveWords(this.drawing, this.view.scenes[to])}.` : "The beginning.");
  }

  #moved(scene) {
    if (!this.board) return;
    const following = this.at === this.view.ply - 1;
    if (following) {
      this.at = this.view.ply;
      this.board.show(scene, { moving: true });
    }
    this.#render();
    const mine = scene.seat === this.view.seat;
    say(`${mine ? "You" : this.#who(scene.seat)}: ${moveWords(this.drawing, scene)}.${this.view.mine ? " Your move." : ""}`);
  }

  #ended() {
    if (!this.board) return;
    this.#render();
    say(resultWords(this.view, this.drawing, (name) => app.called(name)));
  }

  #offered(event) {
    if (!this.board) return;
    this.#render();
    if (event.seat !== undefined && event.seat !== this.view.seat) say(`${this.#who(event.seat)} offers: ${event.what}.`);
    if (event.seat === undefined) say(`No ${event.what} any more.`);
  }

  #presence(event) {
    if (!this.board) return;
    this.#render();
    if (event.seat !== this.view.seat) say(`${this.#who(event.seat)} is ${event.here ? "back" : "gone"}.`);
  }

  #who(seat) {
    return app.called(this.view.players[seat].name);
  }

  #render() {
    const { view, board, drawing } = this;
    if (!board) return;
    const latest = this.at === view.ply;
    board.seat = view.seat;
    board.allow(latest && view.mine ? view.legal : NOTHING);
    this.analysis.show(this.at);
    board.point(this.analysis.arrows);
    for (const bar of this.bars) bar.show(view, view.scenes[this.at]);
    this.moves.show(view, this.at, this.analysis.judged);
    this.actions.show();
    const [begin, back, on, end] = this.steps.children;
    for (const step of [begin, back]) enable(step, this.at > 0);
    for (const step of [on, end]) enable(step, !latest);
    put(this.status, latest ? this.#words() : `After move ${this.at} of ${view.ply}`);
    this.status.classList.toggle("mine", latest && view.mine);
    this.status.classList.toggle("over", latest && view.over);
    document.title = `${view.mine ? "Your move: " : ""}${view.players.map((player) => app.called(player.name)).join(" – ")}, ${drawing.title}`;
  }

  #words() {
    const { view, drawing } = this;
    if (view.over) return resultWords(view, drawing, (name) => app.called(name));
    if (view.mine) return "Your move";
    if (view.turn === undefined) return "The game is over."; // why is told in a moment
    const side = drawing.side_names[view.turn];
    return view.players[view.turn].bot ? `${this.#who(view.turn)} is thinking…` : `${this.#who(view.turn)} (${side}) to move`;
  }

  #last() {
    const scene = this.view.scenes[this.view.ply];
    return scene.path?.length ? `Last move, ${this.drawing.side_names[scene.seat]}: ${moveWords(this.drawing, scene)}.` : "No move has been made.";
  }

  #clocks() {
    const { view } = this;
    if (!view.left) return "There are no clocks.";
    return [0, 1].map((seat) => `${view.seat === seat ? "You have" : `${this.#who(seat)} has`} ${clockWords(view.timeLeft(seat))}.`).join(" ");
  }

  /** Keys that ask, wherever on the board one is. */
  #key(event) {
    const { view, drawing } = this;
    const answers = {
      p: () => say(`${positionWords(drawing, view.scenes[this.at])} ${this.#turnWords()}`),
      l: () => say(this.#last()),
      c: () => say(this.#clocks()),
      t: () => say(this.#turnWords()),
      "?": () => showHelp(),
      "[": () => this.#go(this.at - 1),
      "]": () => this.#go(this.at + 1),
    };
    if (!answers[event.key]) return;
    event.preventDefault();
    answers[event.key]();
  }

  #turnWords() {
    return capital(`${this.#words()}${this.view.over ? "" : "."}`);
  }

  #tick() {
    if (!this.board) return;
    for (const bar of this.bars) bar.tick(this.view);
    const wait = this.view.claimAt === null || this.view.over ? null : Math.max(0, Math.ceil((this.view.claimAt - performance.now()) / 1000));
    if (wait !== null && wait !== this.waited) this.actions.show();
    this.waited = wait;
  }
}

export function show(node, code = "") {
  const page = new GamePage(node, code);
  return () => page.close();
}
