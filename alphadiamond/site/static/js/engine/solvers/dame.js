// Dame, solved as far as it is asked about: positions have the numbers of `games/dame/solver/index_kernels.py`, and
// what has been found out of one is kept. A result is 100 less the plies to the end in a won position, the negative in
// a lost one.

import { listMoves, oppAfter, ownAfter } from "../games/dame.js";
import { LOSS, popcount, WIN } from "../results.js";

const DECIDED = 100;
const FIRST_RANK = 0b111;
const FAR_RANK = FIRST_RANK << 15;
const [PLACES, A_RANK, MOST] = [15, 3, 12];

const isRow = (mask) => popcount(mask) >= 1 && popcount(mask) <= 6;

export class DameSolver {
  #ranks = new Int32Array(1 << PLACES); // the number of a mask among those of 1 to 6 men
  #bases; // where the entries of each row begin
  #table; // 0: not known yet
  #rooms = Array.from({ length: 64 }, () => new Int16Array(MOST)); // moves by depth

  constructor() {
    const masks = [];
    for (let mask = 0; mask < 1 << PLACES; mask += 1) {
      if (isRow(mask)) masks.push(mask);
      this.#ranks[mask] = masks.length - 1;
    }
    const fitting = Array.from(
      { length: PLACES + 1 },
      (_, places) => masks.filter((mask) => mask < 1 << places).length,
    );
    this.#bases = new Int32Array(masks.length);
    let at = 0;
    masks.forEach((mask, row) => {
      this.#bases[row] = at;
      at += fitting[PLACES - popcount(mask & ~FIRST_RANK)];
    });
    this.#table = new Int8Array(at);
  }

  #index(own, opp) {
    let placed = opp >> A_RANK;
    const taken = own >> A_RANK;
    let cut = 0;
    for (let square = 0; square < 12; square += 1) {
      if ((taken >> square) & 1) {
        const low = (1 << (square - cut)) - 1;
        placed = (placed & low) | ((placed >> 1) & ~low);
        cut += 1;
      }
    }
    return this.#bases[this.#ranks[own]] + this.#ranks[placed];
  }

  #result(own, opp, depth) {
    if (!own || opp & FIRST_RANK) return -DECIDED;
    if (!opp || own & FAR_RANK) return DECIDED;
    const index = this.#index(own, opp);
    if (this.#table[index]) return this.#table[index];
    const moves = this.#rooms[depth];
    const count = listMoves(own, opp, moves);
    let best = -DECIDED;
    for (let i = 0; i < count; i += 1) {
      const after = this.#result(ownAfter(opp, moves[i]), oppAfter(own, moves[i]), depth + 1);
      best = Math.max(best, after < 0 ? -1 - after : 1 - after);
    }
    this.#table[index] = best;
    return best;
  }

  /** {action, value, distance} of each action of a position whose game goes on. */
  solve({ state, actions }) {
    return actions.map((action) => {
      const after = this.#result(ownAfter(state[1], action), oppAfter(state[0], action), 0);
      const result = after < 0 ? -1 - after : 1 - after;
      return { action, value: result > 0 ? WIN : LOSS, distance: DECIDED - Math.abs(result) };
    });
  }
}
