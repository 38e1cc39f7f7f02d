// What a search says of its root: `search/root_kernels.py` and the Python player's analysis.

import { DRAW, LOSS, ONGOING as UNKNOWN, WIN } from "../results.js";
import { improvedPolicy, rootLogits } from "./edges.js";

const LINE = 32; // moves of a principal variation, at most
const PROVEN = 1e6; // the score of a win on the spot

/** What the search says of the root: values and policy by edge, and the edge to play. It wins as fast as it can where a
 * win is proven and loses as late as it can where a loss is. */
export function summary({ tree, params }) {
  const count = tree.moves[0];
  const [values, policy, scores] = [new Float64Array(count), new Float64Array(count + 1), new Float64Array(count)];
  let [most, total] = [0, 0];
  for (let e = 0; e < count; e += 1) {
    most = Math.max(most, tree.edgeVisits[e]);
    total += tree.edgeVisits[e];
    values[e] = tree.edgeVisits[e] > 0 ? tree.edgeQ(e) : tree.rawValue[0];
  }
  if (params.gumbel) {
    improvedPolicy(tree, 0, params, policy);
    rootLogits(tree, params, scores);
  } else {
    for (let e = 0; e < count; e += 1) policy[e] = total > 0 ? tree.edgeVisits[e] / total : tree.prior[e];
  }
  let [choice, bestScore] = [0, -Infinity];
  for (let e = 0; e < count; e += 1) {
    let score = params.gumbel
      ? tree.edgeVisits[e] === most
        ? scores[e]
        : scores[e] - 1e6
      : tree.edgeVisits[e] + 1e-3 * values[e] + 1e-6 * tree.prior[e]; // ties in visits are broken by value
    if (tree.edgeResult[e] === LOSS) score = 1e12 - tree.distance[tree.child[e]];
    else if (tree.edgeResult[e] === WIN) score = -1e12 + tree.distance[tree.child[e]];
    if (score > bestScore) [choice, bestScore] = [e, score];
  }
  return { values, policy, choice };
}

/** Win, draw, loss at the root if the recommended policy is played: its visited moves, each by its own simulations. */
function prospects(tree, policy) {
  let [value, draw, weight] = [0, 0, 0];
  for (let e = 0; e < tree.moves[0]; e += 1) {
    if (tree.child[e] < 0 || tree.edgeVisits[e] === 0) continue;
    const child = tree.child[e];
    weight += policy[e];
    value += policy[e] * tree.edgeQ(e);
    if (tree.result[child] === UNKNOWN) draw += (policy[e] * tree.drawSum[child]) / tree.visits[child];
    else if (tree.result[child] === DRAW) draw += policy[e];
  }
  if (tree.result[0] !== UNKNOWN) [value, draw, weight] = [tree.result[0], tree.result[0] === DRAW ? 1 : 0, 1];
  else if (weight < 1e-6) [value, draw, weight] = [tree.valueSum[0], tree.drawSum[0], Math.max(tree.visits[0], 1)];
  value /= weight;
  draw /= weight;
  const chance = (share) => Math.min(Math.max(share / 2, 0), 1);
  return [chance(1 - draw + value), draw, chance(1 - draw - value)];
}

/** The actions of the most visited line that begins with a root edge. */
function variation(tree, edge) {
  const line = [tree.action[edge]];
  if (!tree.edgeVisits[edge]) return line;
  for (let n = tree.child[edge]; n >= 0 && line.length < LINE; ) {
    let [best, most] = [-1, 0];
    for (let e = n * tree.width; e < n * tree.width + tree.opened[n]; e += 1)
      if (tree.edgeVisits[e] > most) [best, most] = [e, tree.edgeVisits[e]];
    if (best < 0) break;
    line.push(tree.action[best]);
    n = tree.child[best];
  }
  return line;
}

/** What has been found, the best move first: as the Python player's analysis says it. */
export function analysisOf(search) {
  const { tree, rules } = search;
  const root = tree.state.slice(0, rules.stateSize);
  const { values, policy, choice } = summary(search);
  const after = new Int32Array(rules.stateSize);
  let wins = false;
  const moves = Array.from({ length: tree.moves[0] }, (_, e) => {
    const [action, visits, child] = [tree.action[e], tree.edgeVisits[e], tree.child[e]];
    const one = {
      action,
      visits,
      value: values[e],
      prior: tree.prior[e],
      score: visits,
      variation: variation(tree, e),
      chosen: e === choice,
    };
    rules.play(root, action, after);
    if (rules.status(after) === LOSS) {
      wins = true;
      return { ...one, value: 1, score: PROVEN, distance: 1 };
    }
    const result = child >= 0 ? tree.result[child] : UNKNOWN;
    if (result !== WIN && result !== LOSS) return one;
    const distance = tree.distance[child] + 1;
    return { ...one, score: -result * (PROVEN - distance), distance };
  });
  moves.sort((a, b) => b.score - a.score || Number(b.chosen) - Number(a.chosen));
  const [win, draw, loss] = wins ? [1, 0, 0] : prospects(tree, policy);
  return {
    best: moves[0].action,
    moves,
    value: win - loss,
    wdl: [win, draw, loss],
    exact: wins || tree.result[0] !== UNKNOWN,
    simulations: tree.visits[0] - 1,
  };
}
