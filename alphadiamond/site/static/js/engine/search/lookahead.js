// What two plies decide, by the rules alone.

import { DRAW, LOSS, ONGOING, WIN } from "../results.js";

export class Lookahead {
  constructor(rules) {
    this.rules = rules;
    this.state = new Int32Array(rules.stateSize); // what is looked at
    this.moves = new Int16Array(rules.maxMoves);
    this.keys = new Float64Array(rules.maxMoves); // of a loss: the positions after each move, -1 for those that end it
    this.after = new Int32Array(rules.stateSize);
    this.replies = new Int16Array(rules.maxMoves);
    this.last = new Int32Array(rules.stateSize);
    this.distance = 0; // plies to what was found
  }

  /** Whether one of the first `count` moves of a state wins. */
  winsAtOnce(state, moves, count, after) {
    const { rules } = this;
    for (let i = 0; i < count; i += 1) {
      rules.play(state, moves[i], after);
      if (rules.status(after) === LOSS) return true;
    }
    return false;
  }

  /** The result of `state`, whose game goes on and which has `count` legal `moves`; ONGOING where two plies decide
   * nothing. */
  look(count) {
    const { rules, state, moves, after, keys } = this;
    let drawn = false;
    for (let i = 0; i < count; i += 1) {
      rules.play(state, moves[i], after);
      const result = rules.status(after);
      if (result === LOSS) {
        this.distance = 1;
        return WIN;
      }
      if (result === DRAW) drawn = true;
    }
    this.distance = 0;
    if (drawn) return ONGOING;
    let longest = 1;
    for (let i = 0; i < count; i += 1) {
      keys[i] = -1;
      rules.play(state, moves[i], after);
      if (rules.status(after) !== ONGOING) continue;
      longest = 2;
      const replies = rules.listMoves(after, this.replies);
      if (!this.winsAtOnce(after, this.replies, replies, this.last)) return ONGOING;
      keys[i] = rules.positionKey(after);
    }
    this.distance = longest;
    return LOSS;
  }
}
