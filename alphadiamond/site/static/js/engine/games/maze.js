// The cells of a maze, what lies on them, ways home, and the maze of a seed: as `games/labyrinth/kernels.py` and
// `maze_kernels.py` have them. A set of cells is three numbers, three rows of nine bits each.

import { Stream } from "../random.js";

export const SIZE = 9;
export const CELLS = SIZE * SIZE;
export const LAST = CELLS - 1;
export const WORD = 27; // cells in one number of a set
export const DEADLINE = 4 * SIZE + 12;

export const [STEP_COST, DIAGONAL_COST, TRAP_COST, POWER_UP_GAIN, BUMP_COST, LATE_COST] = [10, 14, 30, 20, 30, 100];
export const [TRAPS, POWER_UPS] = [4, 4];
export const FAR = 1 << 20;

/** Where the sets and numbers of a state are. */
export const [OPEN, TRAP, POWER, RUNNERS, TOTALS, PLIES_LEFT, STATE_SIZE] = [0, 3, 6, 9, 11, 13, 15];

export const ROW_STEPS = Int8Array.of(-1, -1, 0, 1, 1, 1, 0, -1);
export const COLUMN_STEPS = Int8Array.of(0, 1, 1, 1, 0, -1, -1, -1);

export const holds = (state, set, cell) => (state[set + ((cell / WORD) | 0)] >> (cell % WORD)) & 1;
export const put = (state, set, cell) => (state[set + ((cell / WORD) | 0)] |= 1 << (cell % WORD));
export const take = (state, set, cell) => (state[set + ((cell / WORD) | 0)] &= ~(1 << (cell % WORD)));
export const nameOf = (cell) => `${"abcdefghi"[cell % SIZE]}${((cell / SIZE) | 0) + 1}`;
export const stepCost = (direction) => (direction & 1 ? DIAGONAL_COST : STEP_COST);

/** [CELLS * 8] the next cell in each direction, -1 beyond the edge. */
export const NEIGHBOURS = Int8Array.from({ length: CELLS * 8 }, (_, index) => {
  const row = Math.trunc((index >> 3) / SIZE) + ROW_STEPS[index & 7];
  const column = ((index >> 3) % SIZE) + COLUMN_STEPS[index & 7];
  return row < 0 || row >= SIZE || column < 0 || column >= SIZE ? -1 : row * SIZE + column;
});

/** What entering a cell costs beside the step: a trap, a power-up that is still there, the other runner. */
export function entryCost(state, cell, other) {
  let cost = holds(state, TRAP, cell) ? TRAP_COST : holds(state, POWER, cell) ? -POWER_UP_GAIN : 0;
  if (cell === other && cell !== 0 && cell !== LAST) cost += BUMP_COST;
  return cost;
}

/** Write what entering each cell costs, power-ups apart; -1 for walls. */
export function fillEntryCosts(state, entry) {
  for (let cell = 0; cell < CELLS; cell += 1)
    entry[cell] = holds(state, OPEN, cell) ? (holds(state, TRAP, cell) ? TRAP_COST : 0) : -1;
}

const queue = new Int16Array(CELLS);

/** Write the number of steps from each open cell to a goal, FAR where there is no way. */
export function fillSteps(entry, goal, steps) {
  steps.fill(FAR);
  steps[goal] = 0;
  queue[0] = goal;
  for (let first = 0, last = 1; first < last; first += 1) {
    const cell = queue[first];
    for (let d = 0; d < 8; d += 1) {
      const near = NEIGHBOURS[8 * cell + d];
      if (near >= 0 && entry[near] >= 0 && steps[near] === FAR) {
        steps[near] = steps[cell] + 1;
        queue[last++] = near;
      }
    }
  }
}

const waiting = new Uint8Array(CELLS);

/** Write what the cheapest way from each open cell to a goal costs, power-ups apart: corrected until none gets less. */
export function fillCosts(entry, goal, costs) {
  costs.fill(FAR);
  costs[goal] = 0;
  const line = [goal];
  waiting[goal] = 1;
  for (let first = 0; first < line.length; first += 1) {
    const cell = line[first];
    waiting[cell] = 0;
    const paid = costs[cell] + entry[cell];
    for (let d = 0; d < 8; d += 1) {
      const near = NEIGHBOURS[8 * cell + d];
      if (near >= 0 && entry[near] >= 0 && paid + stepCost(d) < costs[near]) {
        costs[near] = paid + stepCost(d);
        if (!waiting[near]) {
          waiting[near] = 1;
          line.push(near);
        }
      }
    }
  }
}

/** The cells of the live power-ups, and what the cheapest ways from everywhere to each of them cost. */
export function powerUpCosts(state, entry) {
  const places = [];
  for (let cell = 0; cell < CELLS && places.length < POWER_UPS; cell += 1)
    if (holds(state, POWER, cell)) places.push(cell);
  const costs = places.map((place) => {
    const found = new Int32Array(CELLS);
    fillCosts(entry, place, found);
    return found;
  });
  return { places, costs };
}

/** What the cheapest way home from a cell costs a runner who is alone, with those power-ups still there; `rest`
 * [others, count] is what it costs from each power-up. */
function cheapestHome(costs, home, cell, live, rest) {
  let best = home[cell];
  for (let i = 0; i < costs.length; i += 1) {
    if ((live >> i) & 1) best = Math.min(best, costs[i][cell] - POWER_UP_GAIN + rest[live ^ (1 << i)][i]);
  }
  return best;
}

/** Write what the cheapest way home costs from each open cell, with every power-up taken at most once: stretches
 * between power-ups, and then the best order of any of them; the same with those of the mask `own` into `ownWays`. */
export function fillWaysHome({ places, costs }, entry, goal, ways, own, ownWays) {
  const home = new Int32Array(CELLS);
  fillCosts(entry, goal, home);
  const rest = [];
  for (let others = 0; others < 1 << places.length; others += 1) {
    rest.push(places.map((place, i) => cheapestHome(costs, home, place, others & ~(1 << i), rest)));
  }
  for (let cell = 0; cell < CELLS; cell += 1) {
    if (entry[cell] < 0) continue;
    ways[cell] = cheapestHome(costs, home, cell, (1 << places.length) - 1, rest);
    if (ownWays) ownWays[cell] = cheapestHome(costs, home, cell, own, rest);
  }
}

const late = [0, 1].map(() => new Int32Array(CELLS << POWER_UPS)); // by cell and power-ups still there

/** Write what a lone runner with so many moves left pays from each cell on if he goes there by the fewest steps,
 * `away`: until he comes home, or runs out of moves and is late. With all power-ups, and with those
 * of the mask `own`. */
export function fillWalks({ places }, entry, away, goal, moves, ways, own, ownWays) {
  const [powerAt, reachable] = [new Int8Array(CELLS).fill(-1), places.filter((place) => away[place] <= moves)];
  for (const place of reachable) powerAt[place] = reachable.indexOf(place);
  const size = 1 << reachable.length;
  const ownMask = reachable.reduce((mask, place, i) => mask | (((own >> places.indexOf(place)) & 1) << i), 0);
  let [before, after] = late;
  before.fill(LATE_COST);
  before.fill(0, goal << POWER_UPS, (goal + 1) << POWER_UPS);
  after.fill(0, goal << POWER_UPS, (goal + 1) << POWER_UPS);
  for (const found of [ways, ownWays]) {
    found.fill(LATE_COST);
    found[goal] = 0;
  }
  for (let left = 1; left <= moves; left += 1) {
    for (let cell = 0; cell < CELLS; cell += 1) {
      if (entry[cell] < 0 || cell === goal || away[cell] > moves - left) continue;
      const here = cell << POWER_UPS;
      after.fill(FAR, here, here + size);
      for (let d = 0; d < 8; d += 1) {
        const near = NEIGHBOURS[8 * cell + d];
        if (near < 0 || entry[near] < 0) continue;
        const [there, cost, power] = [near << POWER_UPS, stepCost(d) + entry[near], powerAt[near]];
        for (let live = 0; live < size; live += 1) {
          const taken = power >= 0 && (live >> power) & 1;
          const paid = taken ? before[there + (live ^ (1 << power))] - POWER_UP_GAIN : before[there + live];
          if (cost + paid < after[here + live]) after[here + live] = cost + paid;
        }
      }
      if (away[cell] === moves - left) {
        ways[cell] = after[here + size - 1];
        ownWays[cell] = after[here + ownMask];
      }
    }
    [before, after] = [after, before];
  }
}

/** What the cheapest ways of both runners from their cells to their homes cost, each as if alone. */
export function cheapestWays(state, begins, goals) {
  const [entry, ways] = [new Int32Array(CELLS), new Int32Array(CELLS)];
  fillEntryCosts(state, entry);
  const powerUps = powerUpCosts(state, entry);
  return [0, 1].map((runner) => {
    if (begins[runner] === goals[runner]) return 0;
    fillWaysHome(powerUps, entry, goals[runner], ways);
    return Math.min(ways[begins[runner]], FAR);
  });
}

// The maze of a seed.

const OPENED = 0.1; // the chance that a pair of walls between two open cells is opened
const MOST_APART = 20;
const LEAST_COST = 40; // a maze is kept if the cheapest ways home are no further apart than that and none is below this
const FOUR = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/** Rooms and passages by a randomised depth-first search from the top left; all is opened under a half turn too. */
function dig(stream, open) {
  const middle = SIZE >> 1;
  const seen = new Uint8Array(CELLS);
  const pair = (row, column) => (open[row * SIZE + column] = open[LAST - row * SIZE - column] = 1);
  const path = [[0, 0]];
  seen[0] = seen[LAST] = 1;
  pair(0, 0);
  while (path.length) {
    const [row, column] = path[path.length - 1];
    const choices = FOUR.filter(([down, right]) => {
      const [r, c] = [row + 2 * down, column + 2 * right];
      return r >= 0 && r < SIZE && c >= 0 && c < SIZE && !seen[r * SIZE + c];
    });
    if (!choices.length) {
      path.pop();
      continue;
    }
    const [down, right] = choices[stream.below(choices.length)];
    const [r, c] = [row + 2 * down, column + 2 * right];
    pair(row + down, column + right);
    pair(r, c);
    seen[r * SIZE + c] = seen[LAST - r * SIZE - c] = 1;
    if (r !== middle || c !== middle) path.push([r, c]);
  }
}

/** Open pairs of walls, each with a small chance, that had two open cells or more beside them. */
function widen(stream, open) {
  const before = open.slice();
  for (let cell = 0; cell < CELLS >> 1; cell += 1) {
    if (before[cell]) continue;
    const [row, column] = [(cell / SIZE) | 0, cell % SIZE];
    const beside = FOUR.filter(([down, right]) => {
      const [r, c] = [row + down, column + right];
      return r >= 0 && r < SIZE && c >= 0 && c < SIZE && before[r * SIZE + c];
    }).length;
    if (beside >= 2 && stream.unit() < OPENED) open[cell] = open[LAST - cell] = 1;
  }
}

/** Write the maze of a seed into the sets of a state. */
export function fillMaze(seed, state) {
  const stream = new Stream(seed);
  for (;;) {
    const open = new Uint8Array(CELLS);
    dig(stream, open);
    widen(stream, open);
    state.fill(0, 0, RUNNERS);
    const cells = [];
    for (let cell = 0; cell < CELLS; cell += 1) {
      if (!open[cell]) continue;
      put(state, OPEN, cell);
      if (cell !== 0 && cell !== LAST) cells.push(cell);
    }
    for (let item = 0; item < TRAPS + POWER_UPS; item += 1) {
      const chosen = item + stream.below(cells.length - item);
      [cells[item], cells[chosen]] = [cells[chosen], cells[item]];
      put(state, item < TRAPS ? TRAP : POWER, cells[item]);
    }
    const [there, back] = cheapestWays(state, [0, LAST], [LAST, 0]);
    if (Math.abs(there - back) <= MOST_APART && Math.min(there, back) >= LEAST_COST) return;
  }
}
