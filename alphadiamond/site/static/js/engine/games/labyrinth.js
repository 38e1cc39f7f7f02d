// The Labyrinth: a maze, two runners, what they have paid. A state is the sets of `maze.js`, the cells of runner a and
// b, their totals, the plies left, and 1; actions are from the side to move, for b with the board turned by half.

import { DRAW, LOSS, NotationError, ONGOING, shown, WIN } from "../results.js";
import {
  BUMP_COST,
  CELLS,
  cheapestWays,
  DEADLINE,
  DIAGONAL_COST,
  entryCost,
  FAR,
  fillCosts,
  fillEntryCosts,
  fillMaze,
  fillSteps,
  fillWalks,
  fillWaysHome,
  holds,
  LAST,
  LATE_COST,
  nameOf,
  NEIGHBOURS,
  OPEN,
  PLIES_LEFT,
  POWER,
  POWER_UP_GAIN,
  POWER_UPS,
  powerUpCosts,
  put,
  RUNNERS,
  SIZE,
  STATE_SIZE,
  STEP_COST,
  stepCost,
  take,
  TOTALS,
  TRAP,
  TRAP_COST,
  TRAPS,
} from "./maze.js";
import { cheapestPath } from "./ways.js";

const PASS = 8;
const PLANES = 15;
const TIGHT = 4; // with fewer moves to spare the cheapest way home may come too late
const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "-"];
const MOST_A_STEP = DIAGONAL_COST + TRAP_COST + BUMP_COST;

const moverOf = (state) => (DEADLINE - state[PLIES_LEFT]) & 1;
const homeOf = (runner) => (runner ? 0 : LAST);
const boardDirection = (action, mover) => (action === PASS ? PASS : (action + 4 * mover) & 7);

const entry = new Int32Array(CELLS);
const steps = new Int32Array(CELLS);
const both = () => [new Int32Array(CELLS), new Int32Array(CELLS)];
const [away, home, ownHome, reach] = [both(), both(), both(), both()];
const held = (value) => Math.min(1, Math.max(-1, value));

/** What both have paid if the game is over now, the lateness included. */
function finalTotals(state) {
  return [0, 1].map((runner) => state[TOTALS + runner] + (state[RUNNERS + runner] === homeOf(runner) ? 0 : LATE_COST));
}

export const rules = {
  name: "labyrinth",
  actions: 9,
  maxMoves: 8,
  stateSize: STATE_SIZE,
  repetitionLimit: 0,
  inputs: PLANES * CELLS + 13,

  listMoves(state, actions) {
    const mover = moverOf(state);
    const cell = state[RUNNERS + mover];
    if (cell === homeOf(mover)) {
      actions[0] = PASS;
      return 1;
    }
    let count = 0;
    for (let action = 0; action < 8; action += 1) {
      const near = NEIGHBOURS[8 * cell + ((action + 4 * mover) & 7)];
      if (near >= 0 && holds(state, OPEN, near)) actions[count++] = action;
    }
    return count;
  },

  play(state, action, after) {
    const mover = moverOf(state);
    const [cell, other] = [state[RUNNERS + mover], state[RUNNERS + 1 - mover]];
    const direction = (action + 4 * mover) & 7;
    const near = action === PASS ? cell : NEIGHBOURS[8 * cell + direction];
    const cost = action === PASS ? 0 : stepCost(direction) + entryCost(state, near, other);
    if (after !== state) for (let i = 0; i < STATE_SIZE; i += 1) after[i] = state[i];
    after[PLIES_LEFT] -= 1;
    after[STATE_SIZE - 1] = 1;
    if (action === PASS) return;
    take(after, POWER, near);
    after[RUNNERS + mover] = near;
    after[TOTALS + mover] += cost;
  },

  status(state) {
    const home = state[RUNNERS] === LAST && state[RUNNERS + 1] === 0;
    if (state[PLIES_LEFT] > 0 && !home) return ONGOING;
    const [a, b] = finalTotals(state);
    const margin = moverOf(state) ? a - b : b - a;
    return margin > 0 ? WIN : margin < 0 ? LOSS : DRAW;
  },

  isIrreversible: () => true,
  positionKey: () => 0, // nothing recurs, and nothing asks for it
  inputKey: () => -1, // a maze does not fit into a number: not kept

  /** As `games/labyrinth/rules.py` lists the inputs. */
  encode(state, row) {
    const mover = moverOf(state);
    const runners = [state[RUNNERS + mover], state[RUNNERS + 1 - mover]];
    const goals = [homeOf(mover), homeOf(1 - mover)];
    fillEntryCosts(state, entry);
    const powerUps = powerUpCosts(state, entry);
    fillSteps(entry, goals[0], steps);
    for (const r of [0, 1]) fillSteps(entry, runners[r], away[r]);
    const nearer = [0, 0]; // masks of the power-ups that each reaches first
    powerUps.places.forEach((place, i) => {
      const mine = runners[0] !== goals[0] && (runners[1] === goals[1] || away[0][place] <= away[1][place]);
      nearer[mine ? 0 : 1] |= 1 << i;
    });
    const [toGo, ownToGo, slack] = [
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    for (const r of [0, 1]) {
      const left = (state[PLIES_LEFT] + 1 - r) >> 1;
      const resting = runners[r] === goals[r];
      slack[r] = left - (resting ? 0 : away[r][goals[r]]);
      fillCosts(entry, runners[r], reach[r]);
      if (slack[r] < TIGHT && !resting)
        fillWalks(powerUps, entry, away[r], goals[r], left, home[r], nearer[r], ownHome[r]);
      else fillWaysHome(powerUps, entry, goals[r], home[r], nearer[r], ownHome[r]);
      if (resting) continue;
      toGo[r] = home[r][runners[r]];
      ownToGo[r] = ownHome[r][runners[r]];
    }
    row.fill(0, 0, PLANES * CELLS);
    for (let cell = 0; cell < CELLS; cell += 1) {
      if (entry[cell] < 0) continue;
      const place = mover ? LAST - cell : cell;
      row[place] = 1;
      row[CELLS + place] = entry[cell] > 0 ? 1 : 0;
      row[2 * CELLS + place] = holds(state, POWER, cell);
      if (steps[cell] >= FAR) continue;
      row[5 * CELLS + place] = steps[cell] / DEADLINE;
      row[7 * CELLS - 1 - place] = steps[cell] / DEADLINE; // walls are the same after a half turn, and so are the steps
      for (const r of [0, 1]) {
        row[(7 + r) * CELLS + place] = home[r][cell] / 200;
        const paid = reach[r][cell] - entry[runners[r]] + entry[cell]; // there instead of back
        const beyond = (costs) => (cell === runners[r] ? 0 : paid + costs[cell] - costs[runners[r]]);
        row[(9 + r) * CELLS + place] = Math.max(0, held(beyond(home[r]) / 50));
        row[(13 + r) * CELLS + place] = Math.max(0, held(beyond(ownHome[r]) / 50));
      }
      row[11 * CELLS + place] = away[0][cell] / DEADLINE;
      row[12 * CELLS + place] = held((away[1][cell] - away[0][cell]) / 8);
    }
    for (const r of [0, 1]) row[(3 + r) * CELLS + (mover ? LAST - runners[r] : runners[r])] = 1;
    const margin = state[TOTALS + 1 - mover] - state[TOTALS + mover];
    const expected = margin + toGo[1] - toGo[0];
    const fair = margin + ownToGo[1] - ownToGo[0];
    const whole = [
      ...[held(margin / 100), margin / 400, state[PLIES_LEFT] / DEADLINE],
      ...[runners[0] === goals[0], runners[1] === goals[1]],
      ...[held(expected / 20), held(expected / 100), held(slack[0] / 10), held(slack[1] / 10)],
      ...[held(expected / 4), held(fair / 4), held(fair / 20), held(fair / 100)],
    ];
    row.set(whole, PLANES * CELLS);
  },
};

const SIDES = ["green", "red"];
const cellsOf = (state, set) =>
  Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => holds(state, set, cell));
const whole = (text) => /^-?\d{1,6}$/.test(text);

/** Refuse what no game comes to: `games/labyrinth/position.py` says why in more words. */
function check(state) {
  const open = cellsOf(state, OPEN);
  if (open.some((cell) => !holds(state, OPEN, LAST - cell)))
    throw new NotationError("walls are the same after a half turn, and these are not");
  if (!holds(state, OPEN, 0)) throw new NotationError("both corners are open");
  for (const [what, set, most] of /** @type {[string, number, number][]} */ ([
    ["traps", TRAP, TRAPS],
    ["power-ups", POWER, POWER_UPS],
  ])) {
    const found = cellsOf(state, set);
    if (found.length > most) throw new NotationError(`${found.length} ${what}: there are ${most} at the most`);
    if (found.includes(0) || found.includes(LAST)) throw new NotationError(`one of the ${what} lies on a corner`);
  }
  fillEntryCosts(state, entry);
  fillSteps(entry, LAST, steps);
  if (steps[0] >= FAR) throw new NotationError(`no way leads from ${nameOf(0)} to ${nameOf(LAST)}`);
  if (state[PLIES_LEFT] < 0 || state[PLIES_LEFT] > DEADLINE)
    throw new NotationError(`${state[PLIES_LEFT]} plies left: a game has ${DEADLINE}`);
  const taken = POWER_UPS - cellsOf(state, POWER).length;
  for (const runner of [0, 1]) {
    const [cell, total] = [state[RUNNERS + runner], state[TOTALS + runner]];
    if (!holds(state, OPEN, cell)) throw new NotationError(`runner ${"ab"[runner]} stands in a wall: ${nameOf(cell)}`);
    const moves = (DEADLINE - state[PLIES_LEFT] + 1 - runner) >> 1;
    fillSteps(entry, homeOf(1 - runner), steps);
    if (steps[cell] > moves)
      throw new NotationError(`runner ${"ab"[runner]} cannot be on ${nameOf(cell)} after ${moves} moves`);
    const least = STEP_COST * (cell === homeOf(runner) ? steps[cell] : moves) - POWER_UP_GAIN * taken;
    if (total < least || total > MOST_A_STEP * moves || total % 2)
      throw new NotationError(`runner ${"ab"[runner]} cannot have paid ${total} after ${moves} moves`);
  }
}

/** The margin if both go home from here by their cheapest ways, alone, for the side to move. */
function expectedMargin(state) {
  const [a, b] = cheapestWays(state, [state[RUNNERS], state[RUNNERS + 1]], [LAST, 0]);
  const margin = state[TOTALS + 1] - state[TOTALS] + b - a;
  return moverOf(state) ? -margin : margin;
}

const SCALE = 60; // a margin of this size is taken for tanh(1) of a win

export const game = {
  rules,
  seeded: true,
  passes: "-",

  /** What an evaluator says, by the cheapest ways home alone: for when there is no network. */
  estimate(state) {
    const moves = new Int16Array(rules.maxMoves);
    const after = new Int32Array(rules.stateSize);
    const policy = new Float32Array(rules.actions);
    const count = rules.listMoves(state, moves);
    let total = 0;
    const margins = Array.from({ length: count }, (_, k) => {
      rules.play(state, moves[k], after);
      return -expectedMargin(after);
    });
    const most = Math.max(...margins);
    for (let k = 0; k < count; k += 1) total += policy[moves[k]] = Math.exp((margins[k] - most) / 10);
    for (let k = 0; k < count; k += 1) policy[moves[k]] /= total;
    const value = Math.tanh(expectedMargin(state) / SCALE);
    return {
      policy,
      wdl: Float32Array.of((0.95 + value) / 2, 0.05, (0.95 - value) / 2).map((chance) => Math.max(0, chance)),
    };
  },

  start(seed) {
    const state = new Int32Array(STATE_SIZE);
    fillMaze(seed, state);
    state[RUNNERS + 1] = LAST;
    state[PLIES_LEFT] = DEADLINE;
    state[STATE_SIZE - 1] = 1;
    return { state, side: 0 };
  },

  parse(text) {
    const fields = text.trim().split(" ");
    if (fields.length !== 7)
      throw new NotationError(
        `position ${shown(text)}: expected the rows, two cells, two totals, the plies left and the side to move`,
      );
    const rows = fields[0].split("/");
    if (rows.length !== SIZE || rows.some((row) => row.length !== SIZE))
      throw new NotationError(`maze ${shown(fields[0])}: expected ${SIZE} rows of ${SIZE} cells`);
    const state = new Int32Array(STATE_SIZE);
    [...rows.join("")].forEach((letter, cell) => {
      if (!"#.TP".includes(letter))
        throw new NotationError(
          `${shown(letter)} on ${nameOf(cell)} is none of # (wall), . (open), T (trap) and P (power-up)`,
        );
      if (letter !== "#") put(state, OPEN, cell);
      if (letter === "T") put(state, TRAP, cell);
      if (letter === "P") put(state, POWER, cell);
    });
    fields.slice(1, 3).forEach((name, runner) => {
      if (!/^[a-i][1-9]$/.test(name))
        throw new NotationError(`runner ${"ab"[runner]} on ${shown(name)}: no cell is called that`);
      state[RUNNERS + runner] = (Number(name[1]) - 1) * SIZE + name.charCodeAt(0) - 97;
    });
    if (!fields.slice(3, 6).every(whole))
      throw new NotationError(`${shown(fields.slice(3, 6).join(" "))}: expected three whole numbers`);
    state[TOTALS] = Number(fields[3]);
    state[TOTALS + 1] = Number(fields[4]);
    state[PLIES_LEFT] = Number(fields[5]);
    state[STATE_SIZE - 1] = 1;
    check(state);
    const side = moverOf(state);
    if (fields[6] !== "ab"[side])
      throw new NotationError(`with ${state[PLIES_LEFT]} plies left runner ${"ab"[side]} is to move`);
    return { state, side };
  },

  format({ state, side }) {
    const letters = Array.from({ length: CELLS }, (_, cell) =>
      !holds(state, OPEN, cell) ? "#" : holds(state, TRAP, cell) ? "T" : holds(state, POWER, cell) ? "P" : ".",
    ).join("");
    const runners = [nameOf(state[RUNNERS]), nameOf(state[RUNNERS + 1])];
    const numbers = [state[TOTALS], state[TOTALS + 1], state[PLIES_LEFT]];
    return [letters.match(/.{9}/g).join("/"), ...runners, ...numbers, "ab"[side]].join(" ");
  },

  moveText: ({ side }, action) => DIRECTIONS[boardDirection(action, side)],
  /** Where it leads: a side has one runner, which need not be picked. */
  squares: (position, action) => game.path(position, action).slice(-1),
  path({ state, side }, action) {
    const cell = state[RUNNERS + side];
    return action === PASS ? [cell] : [cell, NEIGHBOURS[8 * cell + boardDirection(action, side)]];
  },

  /** Where both stand in one cell, the runner to move is seen: he is the one to be picked. */
  pieces({ state, side }) {
    const signs = new Array(CELLS).fill(".");
    for (const runner of [1 - side, side]) signs[state[RUNNERS + runner]] = String(runner);
    return signs.join("");
  },

  ply: (position, action) => ({ how: "slide", captured: [], lost: [], text: game.moveText(position, action) }),

  /** What a move has cost or brought. */
  toll({ state, side }, action, after) {
    if (action === PASS) return "";
    const cost = after.state[TOTALS + side] - state[TOTALS + side];
    return cost >= 0 ? `+${cost}` : `−${-cost}`;
  },

  tallies: ({ state }) => [0, 1].map((runner) => String(state[TOTALS + runner])),
  countdown: ({ state }) => `${state[PLIES_LEFT]} ${state[PLIES_LEFT] === 1 ? "ply" : "plies"} left`,

  /** How each did beside the cheapest way that there was from the game's first position. */
  review({ state: first }, { state: last }) {
    const begins = [first[RUNNERS], first[RUNNERS + 1]];
    const cheapest = cheapestWays(first, begins, [LAST, 0]);
    const share = (runner) => {
      if (last[RUNNERS + runner] !== homeOf(runner)) return "";
      const paid = last[TOTALS + runner] - first[TOTALS + runner];
      return `${(100 * (paid > 0 ? Math.min(1, cheapest[runner] / paid) : 1)).toFixed(0)} %`;
    };
    return {
      ways: [0, 1].map((runner) => cheapestPath(first, begins[runner], homeOf(runner))),
      cheapest,
      efficiency: [0, 1].map(share),
    };
  },

  ground({ state }) {
    return Array.from({ length: CELLS }, (_, cell) =>
      cell === LAST
        ? "0"
        : cell === 0
          ? "1"
          : !holds(state, OPEN, cell)
            ? "#"
            : holds(state, TRAP, cell)
              ? "T"
              : holds(state, POWER, cell)
                ? "P"
                : "_",
    ).join("");
  },

  reason({ state }) {
    const home = state[RUNNERS] === LAST && state[RUNNERS + 1] === 0;
    const [a, b] = finalTotals(state);
    return {
      ending: home ? "both at home" : "the deadline",
      words: `${SIDES[0]} has paid ${a}, ${SIDES[1]} ${b}${home ? "" : ", lateness included"}`,
    };
  },
};
