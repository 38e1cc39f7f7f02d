// The players: a network with its search at several strengths, and who knows the truth. A player's description is data
// (`alphadiamond/site/players.py` writes it): network, simulations, slips (the share of moves at random), temperature.

import { Evaluator } from "./network/evaluator.js";
import { fetchNetwork } from "./network/file.js";
import { LOSS } from "./results.js";
import { playerParams, Search } from "./search/search.js";
import { solved } from "./solvers/index.js";

const PART = 16; // simulations between two looks at the clock
const SHOWN = 150; // milliseconds between two reports
const now = () => performance.now();
const pause = () => new Promise((resolve) => setTimeout(resolve, 0)); // so that messages are heard

const evaluators = new Map(); // by the address of a network

/** Load a network, once. */
export function evaluatorOf(rules, address) {
  if (!evaluators.has(address)) {
    const made = fetchNetwork(address).then((buffer) => new Evaluator(rules, buffer));
    made.catch(() => evaluators.delete(address));
    evaluators.set(address, made);
  }
  return evaluators.get(address);
}

/** What values positions for a player: its network, or the game's own estimate where there is none. */
async function evaluateOf(game, player, address) {
  if (!player.network) return (state) => game.estimate(state);
  const evaluator = await evaluatorOf(game.rules, address(player.network));
  return (state) => evaluator.evaluate(state);
}

const same = (one, other) => one.length === other.length && one.every((value, k) => value === other[k]);

/** The actions, none, one or two, that lead from one position to another in the same game; null where none do. */
function lineBetween(before, after) {
  const there = (position) => same(position.state, after.state) && same(position.keys, after.keys);
  if (there(before)) return [];
  for (const first of before.actions) {
    const middle = before.play(first);
    if (there(middle)) return [first];
    if (middle.side === after.side) continue;
    for (const second of middle.actions) if (there(middle.play(second))) return [first, second];
  }
  return null;
}

/** The search of a player, which keeps its tree where the game has followed it; sequential halving begins anew. */
export class PlayerSearch extends Search {
  #root = null;

  constructor(rules, params, evaluate, simulations) {
    super(rules, params, evaluate, (params.gumbel ? 1 : 2) * simulations + 2);
    this.simulations = simulations;
  }

  /** Go on with the last tree, or begin one. */
  follow(position) {
    const line = this.#root && !this.params.gumbel ? lineBetween(this.#root, position) : null;
    this.#root = position;
    const room = this.simulations + 1; // half of the nodes
    if (!line?.every((action) => this.advance(action, room))) this.setRoot(position.state, position.keys);
  }
}

const searches = new Map(); // by game, network and simulations: those that nobody uses now

/** What a player thinks of a position; `report` hears what it thinks meanwhile, `stopped()` ends it early.
 * @param position
 * @param player
 * @param {{ report?: (analysis) => void, stopped?: () => boolean, address?: (path: string) => string }} [options]
 */
export async function think(
  position,
  player,
  { report = () => {}, stopped = () => false, address = (path) => path } = {},
) {
  if (player.exact) {
    try {
      return exactly(await solved(position));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // too early in the game: the network answers instead
    }
  }
  const { rules } = position.game;
  const evaluate = await evaluateOf(position.game, player, address);
  if (!player.simulations) return bare(position, evaluate(position.state));
  const name = [position.game.name, player.network, player.simulations].join();
  const search =
    searches.get(name) ??
    new PlayerSearch(rules, playerParams(rules, player.simulations), evaluate, player.simulations);
  searches.delete(name); // another question may come before this one is answered
  search.follow(position);
  let said = now();
  let begun = said;
  while (search.runPart(PART, player.simulations) && !stopped()) {
    if (now() - begun < 12) continue; // a part of a frame at a time
    if (now() - said > SHOWN) {
      said = now();
      report(search.analysis());
    }
    await pause();
    begun = now();
  }
  searches.set(name, search);
  return search.analysis();
}

function exactly(found) {
  const moves = found.map(({ action, value, distance, margin }) => ({
    action,
    value,
    score: value,
    variation: [action],
    ...(value ? { distance } : {}),
    ...(margin === undefined ? {} : { margin }),
  }));
  const [{ action, value }] = moves;
  return {
    best: action,
    moves,
    value,
    wdl: [value > 0 ? 1 : 0, value === 0 ? 1 : 0, value < 0 ? 1 : 0],
    exact: true,
    simulations: 0,
  };
}

function bare(position, { policy, wdl }) {
  const moves = position.actions.map((action) => ({
    action,
    score: policy[action],
    prior: policy[action],
    variation: [action],
  }));
  moves.sort((a, b) => b.score - a.score);
  return { best: moves[0].action, moves, value: wdl[0] - wdl[2], wdl: [...wdl], exact: false, simulations: 0 };
}

/** The move that a player makes: its best one, one drawn from its policy, or a slip; a win in one is never missed. */
export function chosen(position, player, analysis, random = Math.random) {
  const wins = position.actions.find((action) => {
    const after = new Int32Array(position.game.rules.stateSize);
    position.game.rules.play(position.state, action, after);
    return position.game.rules.status(after) === LOSS;
  });
  if (wins !== undefined) return wins;
  if (player.slips && random() < player.slips) return position.actions[Math.floor(random() * position.actions.length)];
  if (!player.temperature) return analysis.best;
  const weights = analysis.moves.map(({ prior, score }) => (prior ?? score) ** (1 / player.temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [k, move] of analysis.moves.entries()) {
    left -= weights[k];
    if (left <= 0) return move.action;
  }
  return analysis.moves[0].action;
}
