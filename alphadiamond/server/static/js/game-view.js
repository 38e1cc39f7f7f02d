// A game that somebody looks at: its state, what can be asked of it, and a word whenever it has changed.

import { app } from "./app.js";
import { Emitter } from "./emitter.js";
import { missed, reduce, timeLeft } from "./game-state.js";

const OF_GAMES = ["game", "moved", "ended", "offered", "presence", "rematch"];

/** Has all fields of the state once `known`; says the type of an event that changed it, "missing" or "trouble". */
export class GameView extends Emitter {
  #ends = [];
  #state = null;
  #pending = null; // my move that is not acknowledged
  #asked = false;

  constructor(code) {
    super();
    this.code = code;
    for (const type of OF_GAMES) {
      this.#ends.push(app.connection.on(type, (event) => event.game === code && this.#take(event)));
    }
    this.#ends.push(app.on("connection", (state) => state === "open" && this.watch()));
    if (app.connection.open) this.watch();
  }

  /** Nobody looks any more. */
  close() {
    for (const end of this.#ends) end();
    if (app.connection.open && this.seat === undefined) app.ask({ type: "unwatch", game: this.code }).catch(() => {});
  }

  get known() {
    return this.#state !== null;
  }

  get over() {
    return this.result !== undefined;
  }

  get mine() {
    return this.turn !== undefined && this.turn === this.seat;
  }

  get ply() {
    return this.moves.length;
  }

  /** What a clock shows now; null without clocks. */
  timeLeft(seat) {
    return timeLeft(this.#state, seat, performance.now());
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

  #take(event) {
    const before = this.#state;
    const again = missed(before, event) && !(event.type === "game" && this.#asked); // once, or it would never end
    if (event.type === "game") this.#asked = false;
    if (again) this.watch();
    this.#state = reduce(before, event, performance.now());
    if (this.#state === before) return;
    Object.assign(this, this.#state);
    if (event.type !== "game") {
      this.say(event.type, event);
      return;
    }
    this.say("game", { first: before === null, before: before?.moves.length ?? 0 });
    if (this.#pending && this.#pending.ply === this.ply && this.mine) this.#send();
    else this.#pending = null;
  }
}
