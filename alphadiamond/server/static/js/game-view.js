// A game as far as this window has heard of it. It asks again when it has missed something.

import { app } from "./app.js";
import { Emitter } from "./emitter.js";

const OF_GAMES = ["game", "moved", "ended", "offered", "presence", "rematch"];

/** Says "game" (all of it may be new), "moved", "ended", "offered", "presence", "rematch", "missing", "trouble". */
export class GameView extends Emitter {
  #ends = [];
  #pending = null; // my move that is not acknowledged
  #asked = false;

  constructor(code) {
    super();
    this.code = code;
    this.known = false;
    this.scenes = [];
    this.moves = [];
    this.claimAt = null;
    for (const type of OF_GAMES) {
      this.#ends.push(app.connection.on(type, (event) => event.game === code && this[`take_${type}`](event)));
    }
    this.#ends.push(app.on("connection", (state) => state === "open" && this.watch()));
    if (app.connection.open) this.watch();
  }

  /** Nobody looks any more. */
  close() {
    for (const end of this.#ends) end();
    if (app.connection.open && this.seat === undefined) app.ask({ type: "unwatch", game: this.code }).catch(() => {});
  }

  get over() {
    return this.result !== undefined;
  }

  get mine() {
    return this.turn !== undefined && this.turn !== null && this.turn === this.seat;
  }

  get ply() {
    return this.moves.length;
  }

  /** What a clock shows now; null without clocks. */
  left(seat) {
    if (!this.clocks) return null;
    const gone = this.ticking && this.turn === seat && !this.over ? performance.now() - this.heard : 0;
    return Math.max(0, this.clocks[seat] - gone);
  }

  watch() {
    this.#asked = true;
    app.ask({ type: "watch", game: this.code }).catch((error) => {
      if (error.code === "unknown") this.say("missing", error);
    });
  }

  move(text) {
    this.#pending = { ply: this.ply, move: text };
    this.#send();
  }

  async do(message) {
    try {
      await app.ask({ ...message, game: this.code });
    } catch (error) {
      this.say("trouble", error);
    }
  }

  #send() {
    const pending = this.#pending;
    app.ask({ type: "move", game: this.code, ...pending }).then(
      () => this.#pending === pending && (this.#pending = null),
      (error) => {
        if (error.code === "connection") return; // it goes again when we are back
        this.#pending = null;
        this.say("trouble", error);
        this.watch();
      },
    );
  }

  #clock(event) {
    this.clocks = event.left ?? null;
    this.ticking = event.ticking ?? false;
    this.heard = performance.now();
  }

  take_game(event) {
    const first = !this.known;
    const { of, players, rated, moves, clock, turn, legal = [], seat, offers = {}, result, ending, changes, rematch, scenes = [], watchers = 0 } = event;
    if (scenes.length !== moves.length + 1) {
      if (!this.#asked) this.watch();
      this.#asked = false;
      return;
    }
    this.#asked = false;
    const before = this.ply;
    Object.assign(this, { of, players, rated, moves: [...moves], clock, turn, legal, seat, offers: { ...offers }, result, ending, changes, rematch, scenes: [...scenes], watchers, known: true });
    this.#clock(event);
    this.say("game", { first, before });
    if (this.#pending && this.#pending.ply === this.ply && this.mine) this.#send();
    else this.#pending = null;
  }

  take_moved(event) {
    if (!this.known) return;
    if (event.ply < this.ply && this.moves[event.ply] === event.move) return;
    if (event.ply !== this.ply || !event.scene) {
      this.watch();
      return;
    }
    this.moves.push(event.move);
    this.scenes.push(event.scene);
    Object.assign(this, { turn: event.turn ?? undefined, legal: event.legal ?? [], offers: {} });
    this.#clock(event);
    this.say("moved", event.scene);
  }

  take_ended(event) {
    if (!this.known) return;
    Object.assign(this, { result: event.result, ending: event.ending, changes: event.changes, turn: undefined, legal: [], offers: {} });
    if (event.left) this.#clock(event);
    this.say("ended", event);
  }

  take_offered(event) {
    if (!this.known) return;
    if (event.seat === undefined) delete this.offers[event.what];
    else this.offers[event.what] = event.seat;
    this.say("offered", event);
  }

  take_presence(event) {
    if (!this.known) return;
    this.players[event.seat] = { ...this.players[event.seat], here: event.here };
    if (event.seat !== this.seat) this.claimAt = event.here || event.claim_in === undefined ? null : performance.now() + event.claim_in;
    this.say("presence", event);
  }

  take_rematch(event) {
    this.rematch = event.next;
    this.say("rematch", event);
  }
}
