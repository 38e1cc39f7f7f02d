// Connect Four: seven bits a column, as `games/connect_four/board.py` has them, cut into columns 1 to 4 (28 bits) and
// columns 5 to 7 (21), since numbers here have 32. A state is own and opponent's masks, two numbers each, and 1.

import { DRAW, LOSS, NotationError, ONGOING, popcount, shown } from "../results.js";

const [COLUMNS, ROWS, STRIDE] = [7, 6, 7];
const NODES = COLUMNS * ROWS;
export const LOW_BITS = 28;
const LOW_MASK = (1 << LOW_BITS) - 1;
const DIRECTIONS = [1, STRIDE, STRIDE - 1, STRIDE + 1];

const bitOf = (node) => (node % COLUMNS) * STRIDE + ROWS - 1 - Math.trunc(node / COLUMNS);
const BITS = Int32Array.from({ length: NODES }, (_, node) => bitOf(node));
const NODE_OF = new Map(Array.from(BITS, (bit, node) => [bit, node]));
const sum = (bits) => bits.reduce((mask, bit) => mask | (1 << bit), 0);
const cut = (bits) => [
  sum(bits.filter((bit) => bit < LOW_BITS)),
  sum(bits.filter((bit) => bit >= LOW_BITS).map((bit) => bit - LOW_BITS)),
];
const [BOTTOM_LOW, BOTTOM_HIGH] = cut(Array.from({ length: COLUMNS }, (_, column) => column * STRIDE));
const [BOARD_LOW, BOARD_HIGH] = cut(Array.from(BITS));

const isSet = (low, high, bit) => (bit < LOW_BITS ? low >> bit : high >> (bit - LOW_BITS)) & 1;

/** Whether the discs of a mask hold a line of four in one direction. */
function hasLine(low, high, step) {
  const back = LOW_BITS - step;
  const pairLow = low & ((low >>> step) | ((high << back) & LOW_MASK));
  const pairHigh = high & (high >>> step);
  const twice = 2 * step;
  return (
    pairLow & ((pairLow >>> twice) | ((pairHigh << (LOW_BITS - twice)) & LOW_MASK)) || pairHigh & (pairHigh >>> twice)
  );
}

export function hasFour(low, high) {
  return Boolean(hasLine(low, high, 1) || hasLine(low, high, 7) || hasLine(low, high, 6) || hasLine(low, high, 8));
}

/** The row, 0 lowest, that a disc in a column falls to; ROWS where it is full. */
function height(occupiedLow, occupiedHigh, column) {
  const bits = column < 4 ? (occupiedLow >> (column * STRIDE)) & 127 : (occupiedHigh >> ((column - 4) * STRIDE)) & 127;
  return 32 - Math.clz32(bits);
}

export const rules = {
  name: "connect_four",
  actions: COLUMNS,
  maxMoves: COLUMNS,
  stateSize: 5,
  repetitionLimit: 0,
  inputs: 3 * NODES + 1,

  listMoves(state, actions) {
    const low = state[0] | state[2];
    const high = state[1] | state[3];
    let count = 0;
    for (let column = 0; column < COLUMNS; column += 1) if (height(low, high, column) < ROWS) actions[count++] = column;
    return count;
  },

  play(state, action, after) {
    const own = state[0]; // one by one: this is where a search spends its time
    const ownHigh = state[1];
    const opp = state[2];
    const oppHigh = state[3];
    const bit = action * STRIDE + height(own | opp, ownHigh | oppHigh, action);
    after[0] = opp;
    after[1] = oppHigh;
    after[2] = bit < LOW_BITS ? own | (1 << bit) : own;
    after[3] = bit < LOW_BITS ? ownHigh : ownHigh | (1 << (bit - LOW_BITS));
    after[4] = 1;
  },

  status(state) {
    if (hasFour(state[2], state[3])) return LOSS;
    return (state[0] | state[2]) === BOARD_LOW && (state[1] | state[3]) === BOARD_HIGH ? DRAW : ONGOING;
  },

  isIrreversible: () => true,
  /** Below 2^53: own discs added to all discs tells every position from every other. */
  positionKey: (state) => state[0] + (state[0] | state[2]) + (state[1] + (state[1] | state[3])) * 268435456,
  inputKey: (state) => state[0] + (state[0] | state[2]) + (state[1] + (state[1] | state[3])) * 268435456,

  encode(state, row) {
    const [own, ownHigh, opp, oppHigh] = state;
    const [low, high] = [own | opp, ownHigh | oppHigh];
    const [free, freeHigh] = [(low + BOTTOM_LOW) & BOARD_LOW, (high + BOTTOM_HIGH) & BOARD_HIGH];
    for (let node = 0; node < NODES; node += 1) {
      const bit = BITS[node];
      row[node] = isSet(own, ownHigh, bit);
      row[NODES + node] = isSet(opp, oppHigh, bit);
      row[2 * NODES + node] = isSet(free, freeHigh, bit);
    }
    row[3 * NODES] = 1 - ((popcount(low) + popcount(high)) & 1);
  },
};

const discsOf = ({ state, side }, seat) => (side === seat ? [state[0], state[1]] : [state[2], state[3]]);
const cellName = (node) => `column ${(node % COLUMNS) + 1}, row ${ROWS - Math.trunc(node / COLUMNS)} from below`;
const discs = ({ state }) => popcount(state[0] | state[2]) + popcount(state[1] | state[3]);

export const game = {
  rules,
  seeded: false,

  start: () => ({ state: Int32Array.of(0, 0, 0, 0, 1), side: 0 }),

  parse(text) {
    const fields = text.trim().split(" ");
    if (fields.length !== 2) throw new NotationError(`position ${shown(text)}: expected the rows and the side to move`);
    const rows = fields[0].split("/");
    if (rows.length !== ROWS || rows.some((row) => row.length !== COLUMNS))
      throw new NotationError(`board ${shown(fields[0])}: expected ${ROWS} rows of ${COLUMNS} cells`);
    const letters = rows.join("");
    const wrong = [...letters].find((letter) => !"xo.".includes(letter));
    if (wrong !== undefined)
      throw new NotationError(`board ${shown(fields[0])}: ${shown(wrong)} is none of x, o and .`);
    if (!/^[xo]$/.test(fields[1])) throw new NotationError(`side to move ${shown(fields[1])}: expected x or o`);
    for (let node = 0; node < NODES - COLUMNS; node += 1) {
      if (letters[node] !== "." && letters[node + COLUMNS] === ".")
        throw new NotationError(`a disc floats: the cell under ${cellName(node)} is empty`);
    }
    const side = "xo".indexOf(fields[1]);
    const counts = ["x", "o"].map((letter) => [...letters].filter((other) => other === letter).length);
    if (counts[0] - counts[1] !== side)
      throw new NotationError(`x has ${counts[0]} and o has ${counts[1]} discs with ${fields[1]} to move`);
    const masks = ["x", "o"].map((letter) =>
      cut([...letters].flatMap((other, node) => (other === letter ? [BITS[node]] : []))),
    );
    if (hasFour(...masks[side]))
      throw new NotationError(`${fields[1]} is to move and has four in a row: the game ended before that`);
    return { state: Int32Array.of(...masks[side], ...masks[1 - side], 1), side };
  },

  format(position) {
    const signs = game.pieces(position).replaceAll("0", "x").replaceAll("1", "o");
    return `${signs.match(/.{7}/g).join("/")} ${"xo"[position.side]}`;
  },

  moveText: (_, action) => String(action + 1),
  squares: (_, action) => [action],
  path: ({ state }, action) => [
    NODE_OF.get(action * STRIDE + height(state[0] | state[2], state[1] | state[3], action)),
  ],

  pieces(position) {
    const [first, second] = [discsOf(position, 0), discsOf(position, 1)];
    return Array.from(BITS, (bit) => (isSet(...first, bit) ? "0" : isSet(...second, bit) ? "1" : ".")).join("");
  },

  ply: (position, action) => ({ how: "fall", captured: [], lost: [], text: game.moveText(position, action) }),

  /** The cells of the winner's four. */
  lit({ state }) {
    const taken = new Set(Array.from(BITS).filter((bit) => isSet(state[2], state[3], bit)));
    const found = new Set();
    for (const bit of taken) {
      for (const step of DIRECTIONS) {
        const line = [0, 1, 2, 3].map((k) => bit + k * step);
        if (line.every((one) => taken.has(one))) line.forEach((one) => found.add(NODE_OF.get(one)));
      }
    }
    return [...found].sort((a, b) => a - b);
  },

  reason(position, result) {
    return result === DRAW
      ? { ending: "full board", words: "the board is full" }
      : { ending: "four in a row", words: `four in a row after ${discs(position)} discs` };
  },
};
