// The cheapest way home of a lone runner, cell by cell: best first over cells and power-ups, as
// `games/labyrinth/path_finders.py` finds it, ties included.

import { CELLS, holds, NEIGHBOURS, OPEN, POWER, POWER_UP_GAIN, stepCost, TRAP, TRAP_COST } from "./maze.js";

export function cheapestPath(state, start, goal) {
  const items = Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => holds(state, POWER, cell));
  const node = (cell, live) => cell * 16 + live;
  const first = node(start, (1 << items.length) - 1);
  const costs = new Map([[first, 0]]);
  const origin = new Map([[first, -1]]);
  const done = new Set();
  /** @type {[number, number, number][]} */
  const waiting = [[0, 0, first]];
  let best = -1;
  while (waiting.length) {
    let next = 0;
    for (let k = 1; k < waiting.length; k += 1) if (before(waiting[k], waiting[next])) next = k;
    const [[reached, , here]] = waiting.splice(next, 1);
    // Nothing that waits can be cheaper.
    if (best >= 0 && reached - POWER_UP_GAIN * items.length >= costs.get(best)) break;
    if (done.has(here)) continue;
    done.add(here);
    const [cell, live] = [here >> 4, here & 15];
    if (cell === goal) {
      if (best < 0 || costs.get(here) < costs.get(best)) best = here;
      continue;
    }
    for (let d = 0; d < 8; d += 1) {
      const near = NEIGHBOURS[8 * cell + d];
      if (near < 0 || !holds(state, OPEN, near)) continue;
      const item = items.includes(near) ? (1 << items.indexOf(near)) & live : 0;
      const after = node(near, live ^ item);
      const cost =
        costs.get(here) + stepCost(d) + (holds(state, TRAP, near) ? TRAP_COST : 0) - (item ? POWER_UP_GAIN : 0);
      if (cost >= (costs.get(after) ?? Infinity)) continue;
      costs.set(after, cost);
      origin.set(after, here);
      done.delete(after);
      const taken = items.filter((_, k) => !(((live ^ item) >> k) & 1)).length;
      waiting.push([cost + POWER_UP_GAIN * taken, origin.size, after]);
    }
  }
  const path = [];
  for (let at = best; at >= 0; at = origin.get(at)) path.push(at >> 4);
  return path.reverse();
}

function before([cost, order, node], [otherCost, otherOrder, otherNode]) {
  return cost !== otherCost ? cost < otherCost : order !== otherOrder ? order < otherOrder : node < otherNode;
}
