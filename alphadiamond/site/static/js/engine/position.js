// Positions for people: what can be played, what has been, whether it is over, and what is seen of it. A position is a
// state, the side to move, and the keys of those before it as far as they can recur; none of it is ever changed.

import { DRAW, LOSS, NotationError, ONGOING, shown, WIN } from "./results.js";

export class Position {
  constructor(game, { state, side }, keys = null) {
    this.game = game;
    this.state = state;
    this.side = side;
    this.keys = keys ?? [game.rules.positionKey(state)]; // since the last move that cannot be undone, this one last
  }

  /** @param {number | bigint} seed */
  static start(game, seed = 0) {
    return new Position(game, game.start(seed));
  }

  static parse(game, text) {
    if (typeof text !== "string" || text.length > 400)
      throw new NotationError(`position ${shown(text)}: expected a text of at most 400 letters`);
    return new Position(game, game.parse(text));
  }

  toString() {
    return this.game.format(this);
  }

  /** WIN, DRAW, LOSS or ONGOING for the side to move, repetition included. */
  get status() {
    const { rules } = this.game;
    const status = rules.status(this.state);
    const repeated = rules.repetitionLimit > 0 && this.state[rules.stateSize - 1] >= rules.repetitionLimit;
    return status === ONGOING && repeated ? DRAW : status;
  }

  get over() {
    return this.status !== ONGOING;
  }

  /** The seat that has won; null for a draw or a game that goes on. */
  get winner() {
    const { status } = this;
    return status === WIN ? this.side : status === LOSS ? 1 - this.side : null;
  }

  get actions() {
    if (this.over) return [];
    const room = new Int16Array(this.game.rules.maxMoves);
    return Array.from(room.subarray(0, this.game.rules.listMoves(this.state, room)));
  }

  text(action) {
    return this.game.moveText(this, action);
  }

  /** [text, squares to click] of every legal move. */
  get legal() {
    return this.actions.map((action) => [this.text(action), [...this.game.squares(this, action)]]);
  }

  /** A pass where there is nothing else, for which nobody needs to be asked. */
  get forced() {
    const [first, ...others] = this.legal;
    return first && !others.length && first[0] === this.game.passes ? first[0] : undefined;
  }

  /** The action of a move's text; throws where it is not legal. */
  action(text) {
    const found = this.actions.find((action) => this.text(action) === text);
    if (found === undefined)
      throw new NotationError(this.over ? `${shown(text)}: the game is over` : `${shown(text)} cannot be played here`);
    return found;
  }

  play(action) {
    const { game } = this;
    const { rules } = game;
    const state = new Int32Array(rules.stateSize);
    rules.play(this.state, action, state);
    const key = rules.positionKey(state);
    const keys = rules.isIrreversible(state) ? [key] : [...this.keys, key];
    if (rules.repetitionLimit > 0) {
      const seen = keys.filter((other, number) => other === key && (keys.length - 1 - number) % 2 === 0).length;
      state[rules.stateSize - 1] = Math.min(seen, rules.repetitionLimit);
    }
    return new Position(game, { state, side: 1 - this.side }, keys);
  }

  /** What is seen before the first move. */
  firstScene() {
    return this.#seen({ pieces: this.game.pieces(this) });
  }

  /** What is seen of a move that leads from here to another position, as `server/board_snapshots.py` tells it; `start`
   * is where the game began. */
  sceneOf(action, after, start = null) {
    const { how, captured, lost, text } = this.game.ply(this, action);
    const toll = this.game.toll?.(this, action, after);
    const scene = {
      pieces: this.game.pieces(after),
      text,
      seat: this.side,
      path: [...this.game.path(this, action)],
      how,
    };
    if (captured.length) scene.captured = captured;
    if (lost.length) scene.lost = lost;
    if (toll) scene.toll = toll;
    if (start && after.over && this.game.review) Object.assign(scene, this.game.review(start, after));
    return after.#seen(scene);
  }

  #seen(scene) {
    const lit = this.over ? (this.game.lit?.(this) ?? []) : [];
    const ground = this.game.ground?.(this);
    if (this.game.tallies) scene = { ...scene, tallies: this.game.tallies(this), countdown: this.game.countdown(this) };
    return {
      ...scene,
      ...(lit.length ? { lit } : {}),
      ...(this.over && scene.text !== undefined ? { outcome: this.reason.words } : {}),
      ...(ground ? { ground } : {}),
    };
  }

  /** Of a game that is over: the word for why, and a clause that says it. */
  get reason() {
    return this.game.reason(this, this.status);
  }
}
