// Dame: the 18 dark squares of a 6 x 6 board, men as bits of two masks, seen by the side to move, which goes up. A
// state is own mask, opponent's mask, 1; actions are numbered as `games/dame/board.py` numbers them.

import { LOSS, NotationError, ONGOING, popcount, shown, WIN } from "../results.js";

const [FILES, RANKS, A_RANK, MEN] = [6, 6, 3, 6];
const SQUARES = A_RANK * RANKS;
const FIRST_RANK = 0b111;
const FAR_RANK = FIRST_RANK << (SQUARES - A_RANK);
const START = (1 << MEN) - 1;

const rankOf = (square) => Math.trunc(square / A_RANK);
const fileOf = (square) => 2 * (square % A_RANK) + (rankOf(square) % 2);
const squareAt = (file, rank) =>
  file >= 0 && file < FILES && rank >= 0 && rank < RANKS && file % 2 === rank % 2 ? rank * A_RANK + (file >> 1) : -1;
const turned = (square) => SQUARES - 1 - square;
export const NAMES = Array.from({ length: SQUARES }, (_, square) => `${"abcdef"[fileOf(square)]}${rankOf(square) + 1}`);

const all = NAMES.map((_, square) => square);
const reached = (square, ranks) =>
  [-ranks, ranks].map((across) => squareAt(fileOf(square) + across, rankOf(square) + ranks)).filter((to) => to >= 0);
const STEPS = all.flatMap((a) => reached(a, 1).map((b) => [a, b]));
const JUMPS = all.flatMap((a) => reached(a, 2).map((b) => [a, b]));
const CHAINS = JUMPS.flatMap((jump) => reached(jump[1], 2).map((c) => [...jump, c]));
const PATHS = [...STEPS, ...JUMPS, ...CHAINS];
const FIRST_JUMP = STEPS.length;
const FIRST_CHAIN = FIRST_JUMP + JUMPS.length;

const maskOf = (squares) => squares.reduce((mask, square) => mask | (1 << square), 0);
const between = (a, b) => squareAt((fileOf(a) + fileOf(b)) / 2, (rankOf(a) + rankOf(b)) / 2);
const jumped = (path) =>
  path.slice(1).flatMap((b, k) => (Math.abs(rankOf(b) - rankOf(path[k])) === 2 ? [between(path[k], b)] : []));
const SOURCES = Int32Array.from(PATHS, (path) => 1 << path[0]);
const TARGETS = Int32Array.from(PATHS, (path) => 1 << path[path.length - 1]);
const LANDINGS = Int32Array.from(PATHS, (path) => maskOf(path.slice(1)));
const CAPTURED = Int32Array.from(PATHS, (path) => maskOf(jumped(path)));
const LONGER = PATHS.map((path, action) =>
  action < FIRST_JUMP || action >= FIRST_CHAIN
    ? []
    : PATHS.flatMap((other, number) =>
        other.length === 3 && other[0] === path[0] && other[1] === path[1] ? [number] : [],
      ),
);

const REVERSED = Int32Array.from({ length: 512 }, (_, half) =>
  all.slice(0, 9).reduce((mask, bit) => ((half >> bit) & 1 ? mask | (1 << (8 - bit)) : mask), 0),
);
/** A mask as the other side sees the board. */
export const turn = (mask) => (REVERSED[mask & 511] << 9) | REVERSED[mask >> 9];

function isOpen(own, opp, action) {
  return own & SOURCES[action] && !((own | opp) & LANDINGS[action]) && (opp & CAPTURED[action]) === CAPTURED[action];
}

function mustCapture(own, opp) {
  for (let action = FIRST_JUMP; action < FIRST_CHAIN; action += 1) if (isOpen(own, opp, action)) return true;
  return false;
}

function goesOn(own, opp, action) {
  for (const longer of LONGER[action]) if (isOpen(own, opp, longer)) return true;
  return false;
}

function canMove(own, opp) {
  for (let action = 0; action < FIRST_CHAIN; action += 1) if (isOpen(own, opp, action)) return true;
  return false;
}

export function listMoves(own, opp, actions) {
  let count = 0;
  if (mustCapture(own, opp)) {
    for (let action = FIRST_JUMP; action < PATHS.length; action += 1) {
      if (isOpen(own, opp, action) && !(action < FIRST_CHAIN && goesOn(own, opp, action))) actions[count++] = action;
    }
  } else {
    for (let action = 0; action < FIRST_JUMP; action += 1) if (isOpen(own, opp, action)) actions[count++] = action;
  }
  return count;
}

/** The masks after an action, as the other side sees the board. */
export const ownAfter = (opp, action) => turn(opp & ~CAPTURED[action]);
export const oppAfter = (own, action) => turn((own ^ SOURCES[action]) | TARGETS[action]);

export const rules = {
  name: "dame",
  actions: PATHS.length,
  maxMoves: 12,
  stateSize: 3,
  repetitionLimit: 0,
  inputs: 2 * SQUARES + 3,

  listMoves: (state, actions) => listMoves(state[0], state[1], actions),

  play(state, action, after) {
    const own = state[0]; // one by one: this is where a search spends its time
    const opp = state[1];
    after[0] = ownAfter(opp, action);
    after[1] = oppAfter(own, action);
    after[2] = 1;
  },

  status(state) {
    const own = state[0];
    const opp = state[1];
    if (opp & FIRST_RANK || !own) return LOSS;
    if (!opp) return WIN;
    return canMove(own, opp) ? ONGOING : LOSS;
  },

  isIrreversible: () => true,
  positionKey: (state) => state[0] + state[1] * 262144,
  inputKey: (state) => state[0] + state[1] * 262144,

  encode(state, row) {
    const [own, opp] = state;
    for (let square = 0; square < SQUARES; square += 1) {
      row[square] = (own >> square) & 1;
      row[SQUARES + square] = (opp >> square) & 1;
    }
    row[36] = popcount(own) / MEN;
    row[37] = popcount(opp) / MEN;
    row[38] = mustCapture(own, opp) ? 1 : 0;
  },
};

const SIDES = ["white", "black"];
const menOf = ({ state, side }, seat) => {
  const mask = side === seat ? state[0] : state[1];
  return side === 0 ? mask : turn(mask);
};
const seen = (side, path) => (side === 0 ? path : path.map(turned));
const squaresOf = (mask) => all.filter((square) => (mask >> square) & 1);

export const game = {
  rules,
  seeded: false,

  start: () => ({ state: Int32Array.of(START, turn(START), 1), side: 0 }),

  parse(text) {
    const fields = text.split(" ");
    if (fields.length !== 2) throw new NotationError(`position ${shown(text)}: expected a board and the side to move`);
    const ranks = fields[0].split("/");
    if (ranks.length !== RANKS || ranks.some((rank) => rank.length !== FILES))
      throw new NotationError(`board ${shown(fields[0])}: expected ${RANKS} ranks of ${FILES} squares`);
    if (!/^[wb]$/.test(fields[1])) throw new NotationError(`side to move ${shown(fields[1])}: expected w or b`);
    const men = { w: 0, b: 0 };
    ranks.forEach((line, number) => {
      [...line].forEach((letter, file) => {
        const [name, square] = [`${"abcdef"[file]}${RANKS - number}`, squareAt(file, RANKS - 1 - number)];
        if (!"wb.".includes(letter)) throw new NotationError(`${shown(letter)} at ${name} is none of w, b and .`);
        if (letter === ".") return;
        if (square < 0) throw new NotationError(`a man on ${name}, which is a light square`);
        men[letter] |= 1 << square;
      });
    });
    const side = "wb".indexOf(fields[1]);
    const [own, opp] = side === 0 ? [men.w, men.b] : [turn(men.b), turn(men.w)];
    [own, opp].forEach((mask, other) => {
      if (popcount(mask) > MEN)
        throw new NotationError(`${SIDES[side ^ other]} has ${popcount(mask)} men, and a side has at most ${MEN}`);
    });
    if (own & FAR_RANK)
      throw new NotationError(
        `it is ${SIDES[side]}'s move, and a man of ${SIDES[side]} stands on its far rank already`,
      );
    if (popcount(opp & FIRST_RANK) > 1)
      throw new NotationError(`${SIDES[1 - side]} has more than one man on its far rank, and the first ends the game`);
    return { state: Int32Array.of(own, opp, 1), side };
  },

  format(position) {
    const [white, black] = [menOf(position, 0), menOf(position, 1)];
    const letter = (square) => (square < 0 ? "." : (white >> square) & 1 ? "w" : (black >> square) & 1 ? "b" : ".");
    const lines = Array.from({ length: RANKS }, (_, number) =>
      Array.from({ length: FILES }, (_, file) => letter(squareAt(file, RANKS - 1 - number))).join(""),
    );
    return `${lines.join("/")} ${"wb"[position.side]}`;
  },

  moveText: ({ side }, action) =>
    seen(side, PATHS[action])
      .map((square) => NAMES[square])
      .join(action < FIRST_JUMP ? "-" : "x"),
  squares: ({ side }, action) => seen(side, PATHS[action]),
  path: ({ side }, action) => seen(side, PATHS[action]),

  pieces(position) {
    const [white, black] = [menOf(position, 0), menOf(position, 1)];
    return all.map((square) => ((white >> square) & 1 ? "0" : (black >> square) & 1 ? "1" : ".")).join("");
  },

  ply(position, action) {
    const captured = jumped(seen(position.side, PATHS[action])).sort((a, b) => a - b);
    return { how: captured.length ? "jump" : "slide", captured, lost: [], text: game.moveText(position, action) };
  },

  /** The man that has got through. */
  lit(position) {
    if (!(position.state[1] & FIRST_RANK)) return [];
    const winner = 1 - position.side;
    return squaresOf(menOf(position, winner)).filter((square) => rankOf(square) === (winner === 0 ? RANKS - 1 : 0));
  },

  reason(position, result) {
    const [own, opp] = position.state;
    const loser = SIDES[result === LOSS ? position.side : 1 - position.side];
    if (opp & FIRST_RANK)
      return {
        ending: "far rank",
        words: `a man has reached ${game
          .lit(position)
          .map((square) => NAMES[square])
          .join(",")}`,
      };
    return own && opp
      ? { ending: "no move", words: `${loser} has no move` }
      : { ending: "no men", words: `${loser} has no man left` };
  },
};
