// A game that somebody looks at: its state, what can be asked of it, and a word whenever it has changed.

import { app } from "./app.js";
import { Emitter } from "./emitter.js";
import { missed, reduce, timeLeft } from "./game-state.js";

const OF_GAMES = ["game", "moved", "ended", "offered", "presence", "rematch"];

/** Has all fields of the state (`game-state.js`) once `known`; says the type of an event that changed it, "missing" or
 * "trouble". */
export class GameView extends Emitter {
  #ends = [];
  #state = null;
  #pending = null; // my move that is not acknowledged
  #asked = false;
  of;
  players;
  rated;
  clock;
  scenes;
  moves;
  turn;
  legal;
  seat;
  left;
  result;
  claimAt;

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

  /** Whether a move of mine is on its way. */
  get pending() {
    return this.#pending !== null;
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

  /** What a bot thinks of the position after so many plies. */
  analyse(ply, bot) {
    return app.ask({ type: "analyse", game: this.code, ply, bot });
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
    app.ask({ type: "move", game: this.code, ...pending, ...(this.clock ? { lag: app.connection.lag } : {}) }).then(
      () => {
        if (this.#pending === pending) this.#pending = null;
      },
      (error) => {
        if (this.#pending !== pending) return;
        if (error.code === "connection" || error.code === "stopping") return; // it goes again when we are back
        this.#pending = null;
        this.say("trouble", error);
        this.watch();
      },
    );
  }

  #take(event) {
    const before = this.#state;
    const behind = missed(before, event) && !(event.type === "game" && this.#asked); // once, or it would never end
    if (event.type === "game") this.#asked = false;
    if (behind) this.watch();
    this.#state = reduce(before, event, performance.now());
    if (this.#state === before) return;
    Object.assign(this, this.#state);
    if (this.#pending && (this.over || this.ply > this.#pending.ply)) this.#pending = null;
    if (event.type !== "game") {
      this.say(event.type, event);
      return;
    }
    const again = this.#pending && this.#pending.ply === this.ply && this.mine;
    if (!again) this.#pending = null;
    this.say("game", { first: before === null, before: before?.moves.length ?? 0 });
    if (again) this.#send();
  }
}
