// A maze solved backwards from its deadline, on the spot: what is still to be gained depends on the plies left, the
// live power-ups and both cells, and not on the totals. `games/labyrinth/solver/kernels.py` says more.

import {
  BUMP_COST,
  CELLS,
  DEADLINE,
  holds,
  LATE_COST,
  NEIGHBOURS,
  OPEN,
  PLIES_LEFT,
  POWER,
  POWER_UP_GAIN,
  RUNNERS,
  stepCost,
  TOTALS,
  TRAP,
  TRAP_COST,
} from "../games/maze.js";
import { ONGOING } from "../results.js";

/** One maze, with the power-ups that it had when it was solved. */
class SolvedMaze {
  constructor(state) {
    this.walls = state.slice(0, POWER);
    this.cells = Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => holds(state, OPEN, cell));
    this.numbers = new Int16Array(CELLS).fill(-1);
    this.cells.forEach((cell, number) => (this.numbers[cell] = number));
    this.items = this.cells.filter((cell) => holds(state, POWER, cell));
    this.count = this.cells.length;
    this.sets = 1 << this.items.length;
    const steps = this.cells.map((cell) =>
      Array.from({ length: 8 }, (_, d) => [NEIGHBOURS[8 * cell + d], d])
        .filter(([near]) => near >= 0 && this.numbers[near] >= 0)
        .map(([near, d]) => ({
          to: this.numbers[near],
          cost: stepCost(d) + (holds(state, TRAP, near) ? TRAP_COST : 0),
          item: this.items.includes(near) ? 1 << this.items.indexOf(near) : 0,
        })),
    );
    this.table = this.#solve(steps);
  }

  #solve(steps) {
    const { count, sets } = this;
    const last = count - 1;
    const layer = sets * count * count;
    const table = new Int16Array((DEADLINE + 1) * layer);
    for (let live = 0; live < sets; live += 1) {
      for (let a = 0; a < count; a += 1)
        for (let b = 0; b < count; b += 1)
          table[(live * count + a) * count + b] = (a === last ? 0 : -LATE_COST) + (b === 0 ? 0 : LATE_COST);
    }
    for (let left = 1; left <= DEADLINE; left += 1) {
      const before = (left - 1) * layer;
      const firstMoves = ((DEADLINE - left) & 1) === 0;
      for (let live = 0; live < sets; live += 1) {
        for (let a = 0; a < count; a += 1) {
          for (let b = 0; b < count; b += 1) {
            const at = left * layer + (live * count + a) * count + b;
            const mover = firstMoves ? a : b;
            const other = firstMoves ? b : a;
            if (mover === (firstMoves ? last : 0)) {
              table[at] = other === (firstMoves ? 0 : last) ? 0 : table[before + (live * count + a) * count + b];
              continue;
            }
            let best = firstMoves ? -32768 : 32767;
            for (const { to, cost, item } of steps[mover]) {
              const taken = item & live;
              let paid = cost - (taken ? POWER_UP_GAIN : 0);
              if (to === other && to !== 0 && to !== last) paid += BUMP_COST;
              const set = (live ^ taken) * count;
              const margin = firstMoves
                ? table[before + (set + to) * count + b] - paid
                : table[before + (set + a) * count + to] + paid;
              if (firstMoves ? margin > best : margin < best) best = margin;
            }
            table[at] = best;
          }
        }
      }
    }
    return table;
  }

  covers(state) {
    return (
      this.walls.every((word, k) => word === state[k]) &&
      Array.from({ length: CELLS }, (_, cell) => cell).every(
        (cell) => !holds(state, POWER, cell) || this.items.includes(cell),
      )
    );
  }

  /** What b will have paid more than a in the end, with best play. */
  margin(state) {
    let live = 0;
    this.items.forEach((cell, k) => (live |= holds(state, POWER, cell) << k));
    const at =
      ((state[PLIES_LEFT] * this.sets + live) * this.count + this.numbers[state[RUNNERS]]) * this.count +
      this.numbers[state[RUNNERS + 1]];
    return state[TOTALS + 1] - state[TOTALS] + this.table[at];
  }
}

export class LabyrinthSolver {
  #maze = null;

  solve({ game: { rules }, state, actions }) {
    if (!this.#maze?.covers(state)) this.#maze = new SolvedMaze(state);
    const maze = this.#maze;
    const sign = (one) => 1 - 2 * ((DEADLINE - one[PLIES_LEFT]) & 1);
    return actions.map((action) => {
      const after = new Int32Array(rules.stateSize);
      rules.play(state, action, after);
      const margin = sign(state) * maze.margin(after);
      return {
        action,
        value: Math.sign(margin),
        margin,
        distance: margin === 0 ? 0 : 1 + pliesToEnd(rules, maze, after, sign),
      };
    });
  }
}

/** Plies until the game is over when both play the first of their best actions. */
function pliesToEnd(rules, maze, state, sign) {
  const moves = new Int16Array(rules.maxMoves);
  let [here, plies] = [state, 0];
  while (rules.status(here) === ONGOING) {
    let [best, most] = [null, -32768];
    const count = rules.listMoves(here, moves);
    for (let i = 0; i < count; i += 1) {
      const after = new Int32Array(rules.stateSize);
      rules.play(here, moves[i], after);
      const margin = sign(here) * maze.margin(after);
      if (margin > most) [best, most] = [after, margin];
    }
    here = best;
    plies += 1;
  }
  return plies;
}
