// Diamond Chase: 21 nodes, beads as bits of two masks. A state is own mask, opponent's mask, plies since the last
// capture, occurrences; `games/diamond_chase/rules.py` says what a network sees of it.

import { DRAW, LOSS, lowestBit, NotationError, ONGOING, popcount, shown, WIN } from "../results.js";

export const NAMES = "n nw ne ni wn cn en w wi cw c ce ei e ws cs es si sw se s".split(" ");
const NODES = NAMES.length;
const RANKS = [1, 2, 1, 3, 7, 3, 1, 2, 1];
const ALL = (1 << NODES) - 1;
const START = { green: "s sw se si ws es", red: "n nw ne ni wn en" };

/** @param {string[]} names */
const corner = ([tip, left, right, inner]) => [
  [tip, left],
  [tip, right],
  [tip, inner],
  [inner, left],
  [inner, right],
];
const EDGES = [
  ...[
    ["n", "nw", "ne", "ni"],
    ["w", "wn", "ws", "wi"],
    ["s", "sw", "se", "si"],
    ["e", "en", "es", "ei"],
  ].flatMap(corner),
  ...[
    ["nw", "wn"],
    ["ne", "en"],
    ["sw", "ws"],
    ["se", "es"],
  ],
  ...[
    ["c", "cn"],
    ["c", "ce"],
    ["c", "cs"],
    ["c", "cw"],
    ["cn", "ce"],
    ["ce", "cs"],
    ["cs", "cw"],
    ["cw", "cn"],
  ],
  ...[
    ["cn", "ni"],
    ["ce", "ei"],
    ["cs", "si"],
    ["cw", "wi"],
  ],
].map((names) => names.map((name) => NAMES.indexOf(name)));

const maskOf = (text) => text.split(" ").reduce((mask, name) => mask | (1 << NAMES.indexOf(name)), 0);
const ADJACENT = Int32Array.from(NAMES, (_, node) =>
  EDGES.filter((edge) => edge.includes(node)).reduce((mask, [a, b]) => mask | (1 << (a + b - node)), 0),
);
const nodesOf = (mask) => NAMES.map((_, node) => node).filter((node) => (mask >> node) & 1);

const PAIRS = NAMES.flatMap((_, source) => nodesOf(ADJACENT[source]).map((target) => [source, target]));
const SOURCES = Int8Array.from(PAIRS, ([source]) => source);
const TARGETS = Int8Array.from(PAIRS, ([, target]) => target);
const ACTION_IDS = new Int8Array(NODES * NODES).fill(-1);
PAIRS.forEach(([source, target], action) => (ACTION_IDS[source * NODES + target] = action));

const MIN_BEADS = 4;
const MAX_BEADS = 6;
const QUIET_LIMIT = 100;

const quietLevel = (quiet) => Math.min(Math.trunc(Math.max(quiet - 50, 0) / 5), 9);

/** Own beads near a node (or all) that have no empty neighbour, and an opposing one. */
function trapped(own, opp, near) {
  const full = own | opp;
  let found = 0;
  for (let beads = own & near; beads; beads &= beads - 1) {
    const node = lowestBit(beads);
    if (!(ADJACENT[node] & ~full) && ADJACENT[node] & opp) found |= 1 << node;
  }
  return found;
}

/** What comes off when a bead moves: the opponent's trapped beads first, then the mover's on the board that leaves. */
function removed(own, opp, action) {
  const moved = own ^ (1 << SOURCES[action]) ^ (1 << TARGETS[action]);
  const near = ADJACENT[TARGETS[action]];
  const captured = trapped(opp, moved, near);
  const lost = trapped(moved, opp ^ captured, near);
  return { moved, captured, lost };
}

export const rules = {
  name: "diamond_chase",
  actions: PAIRS.length,
  maxMoves: 24,
  stateSize: 4,
  repetitionLimit: 3,
  inputs: 2 * NODES + 6,

  listMoves(state, actions) {
    const empty = ALL & ~(state[0] | state[1]);
    let count = 0;
    for (let beads = state[0]; beads; beads &= beads - 1) {
      const source = lowestBit(beads);
      for (let targets = ADJACENT[source] & empty; targets; targets &= targets - 1) {
        actions[count++] = ACTION_IDS[source * NODES + lowestBit(targets)];
      }
    }
    return count;
  },

  play(state, action, after) {
    const target = TARGETS[action];
    const own = state[0] ^ (1 << SOURCES[action]) ^ (1 << target);
    let opp = state[1];
    let full = own | opp;
    const near = ADJACENT[target];
    let captured = 0;
    for (let beads = opp & near; beads; beads &= beads - 1) {
      const node = lowestBit(beads);
      if (!(ADJACENT[node] & ~full)) captured |= 1 << node;
    }
    opp ^= captured;
    full ^= captured;
    let lost = 0;
    for (let beads = own & near; beads; beads &= beads - 1) {
      const node = lowestBit(beads);
      if (!(ADJACENT[node] & ~full) && ADJACENT[node] & opp) lost |= 1 << node;
    }
    const quiet = captured | lost ? 0 : state[2] + 1;
    after[0] = opp;
    after[1] = own ^ lost;
    after[2] = quiet;
    after[3] = 1;
  },

  status(state) {
    if (popcount(state[0]) < MIN_BEADS) return LOSS;
    if (popcount(state[1]) < MIN_BEADS) return WIN;
    return state[2] >= QUIET_LIMIT ? DRAW : ONGOING;
  },

  isIrreversible: (state) => state[2] === 0,
  positionKey: (state) => state[0] + state[1] * 2097152,
  inputKey: (state) =>
    state[0] + state[1] * 2097152 + (quietLevel(state[2]) + (state[3] >= 2 ? 16 : 0)) * 4398046511104,

  encode(state, row) {
    const [own, opp] = state;
    for (let node = 0; node < NODES; node += 1) {
      row[node] = (own >> node) & 1;
      row[NODES + node] = (opp >> node) & 1;
    }
    const [mine, theirs] = [popcount(own), popcount(opp)];
    row[42] = quietLevel(state[2]) / 10;
    row[43] = state[3] >= 2 ? 1 : 0;
    row[44] = mine <= 4 ? 1 : 0;
    row[45] = mine === 5 ? 1 : 0;
    row[46] = theirs <= 4 ? 1 : 0;
    row[47] = theirs === 5 ? 1 : 0;
  },
};

const names = (nodes) => nodes.map((node) => NAMES[node]).join(",");
const SIDES = ["green", "red"];
const beadsOf = ({ state, side }, seat) => (side === seat ? state[0] : state[1]);

export const game = {
  rules,
  seeded: false,

  start: () => ({ state: Int32Array.of(maskOf(START.green), maskOf(START.red), 0, 1), side: 0 }),

  parse(text) {
    const fields = text.trim().split(" ");
    if (fields.length < 2 || fields.length > 3)
      throw new NotationError(
        `position ${shown(text)}: expected the board, the side to move and the plies since the last capture`,
      );
    const ranks = fields[0].split("/");
    if (ranks.length !== RANKS.length || ranks.some((rank, number) => rank.length !== RANKS[number]))
      throw new NotationError(`board ${shown(fields[0])}: expected ranks of ${RANKS.join(", ")} nodes`);
    const letters = ranks.join("");
    const wrong = [...letters].find((letter) => !"gr.".includes(letter));
    if (wrong !== undefined)
      throw new NotationError(`board ${shown(fields[0])}: ${shown(wrong)} is none of r, g and .`);
    if (!/^[gr]$/.test(fields[1])) throw new NotationError(`side to move ${shown(fields[1])}: expected g or r`);
    const quiet = fields[2] ?? "0";
    if (!/^(0|[1-9]\d{0,2})$/.test(quiet) || Number(quiet) > QUIET_LIMIT)
      throw new NotationError(`plies since the last capture ${shown(quiet)}: expected 0 to ${QUIET_LIMIT}`);
    const side = "gr".indexOf(fields[1]);
    const masks = ["g", "r"].map((letter) =>
      [...letters].reduce((mask, other, node) => (other === letter ? mask | (1 << node) : mask), 0),
    );
    masks.forEach((mask, seat) => {
      if (popcount(mask) > MAX_BEADS)
        throw new NotationError(`${SIDES[seat]} has ${popcount(mask)} beads, and a player has at most ${MAX_BEADS}`);
    });
    const [own, opp] = [masks[side], masks[1 - side]];
    const standing = trapped(own, opp, ALL) | trapped(opp, own, ALL);
    if (standing) throw new NotationError(`trapped beads cannot stand: ${names(nodesOf(standing))}`);
    return { state: Int32Array.of(own, opp, Number(quiet), 1), side };
  },

  format(position) {
    const [green, red] = [0, 1].map((seat) => beadsOf(position, seat));
    const letters = NAMES.map((_, node) => ((green >> node) & 1 ? "g" : (red >> node) & 1 ? "r" : ".")).join("");
    let at = 0;
    const ranks = RANKS.map((length) => {
      at += length;
      return letters.slice(at - length, at);
    });
    return `${ranks.join("/")} ${"gr"[position.side]} ${position.state[2]}`;
  },

  moveText: (_, action) => `${NAMES[SOURCES[action]]}-${NAMES[TARGETS[action]]}`,
  squares: (_, action) => [SOURCES[action], TARGETS[action]],
  path: (_, action) => [SOURCES[action], TARGETS[action]],

  pieces(position) {
    const [green, red] = [0, 1].map((seat) => beadsOf(position, seat));
    return NAMES.map((_, node) => ((green >> node) & 1 ? "0" : (red >> node) & 1 ? "1" : ".")).join("");
  },

  ply(position, action) {
    const { captured, lost } = removed(position.state[0], position.state[1], action);
    const gone = nodesOf(captured | lost);
    const text = game.moveText(position, action);
    return {
      how: "slide",
      captured: nodesOf(captured),
      lost: nodesOf(lost),
      text: gone.length ? `${text}(${names(gone)})` : text,
    };
  },

  /** The word for why a game is over, and a clause that says it to people. */
  reason(position, result) {
    if (result !== DRAW) {
      const loser = result === LOSS ? position.side : 1 - position.side;
      return { ending: "beads", words: `${SIDES[loser]} has ${popcount(beadsOf(position, loser))} beads left` };
    }
    if (position.state[3] >= rules.repetitionLimit)
      return { ending: "repetition", words: "the position came up for the third time" };
    return { ending: "no capture", words: "a hundred plies without a capture" };
  },
};
