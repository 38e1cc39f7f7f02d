// Which edge a walk takes next: PUCT, or the rules of Gumbel search (Danihelka et al., 2022), as
// `search/edge_kernels.py` has them.

import { DRAW, LOSS, WIN } from "../results.js";

export function puctEdge(tree, n, params) {
  const first = n * tree.width;
  const count = tree.recorded(n);
  let total = tree.visits[n];
  let explored = 0;
  for (let e = first; e < first + count; e += 1) {
    total += tree.edgeWaiting[e];
    if (tree.edgeVisits[e] > 0) explored += tree.prior[e];
  }
  const c = params.cInit + Math.log((total + params.cBase + 1) / params.cBase);
  const reduction = n === 0 ? params.rootFpuReduction : params.fpuReduction;
  const unvisited = tree.valueSum[n] / tree.visits[n] - reduction * Math.sqrt(explored);
  const scale = c * Math.sqrt(total);
  let [best, bestScore] = [0, -Infinity];
  for (let k = 0; k < count; k += 1) {
    const e = first + k;
    const result = tree.edgeResult[e];
    if (result === LOSS) return k;
    if (result === WIN) continue;
    const tries = tree.edgeVisits[e] + tree.edgeWaiting[e];
    let q = tries === 0 ? unvisited : (tree.edgeValue[e] - tree.edgeWaiting[e]) / tries;
    if (params.draws && result === DRAW) q = 0;
    const score = q + (scale * tree.prior[e]) / (1 + tries);
    if (score > bestScore) [best, bestScore] = [k, score];
  }
  if (count < tree.moves[n] && unvisited + scale * tree.prior[first + count] > bestScore) best = count;
  return best;
}

/** Write the completed Q-values of the recorded edges into `values`: unvisited ones get a mix of the evaluator's value
 * and the visited edges'. The answer is that mix, the scale of sigma and the visits in all. */
const completed = { mixed: 0, scale: 0, visited: 0 };
function complete(tree, n, params, values) {
  const first = n * tree.width;
  const count = tree.recorded(n);
  let [most, visited, visitedPrior, weighted] = [0, 0, 0, 0];
  for (let k = 0; k < count; k += 1) {
    const e = first + k;
    const visits = tree.edgeVisits[e];
    if (visits === 0) continue;
    values[k] = tree.edgeQ(e);
    most = Math.max(most, visits);
    visited += visits;
    visitedPrior += tree.prior[e];
    weighted += tree.prior[e] * values[k];
  }
  let mixed = tree.rawValue[n];
  if (visited > 0) mixed = (mixed + (visited * weighted) / Math.max(visitedPrior, 1e-12)) / (1 + visited);
  for (let k = 0; k < count; k += 1) if (tree.edgeVisits[first + k] === 0) values[k] = mixed;
  completed.mixed = mixed;
  completed.scale = (params.cVisit + most) * params.cScale * 0.5; // values lie in [-1, 1]; sigma is meant for [0, 1]
  completed.visited = visited;
  return completed;
}

/** Write the policy improved by completed Q-values for the recorded edges and one more; the visits in all. */
export function improvedPolicy(tree, n, params, policy) {
  const first = n * tree.width;
  let count = tree.recorded(n);
  const { mixed, scale, visited } = complete(tree, n, params, policy);
  let top = mixed;
  for (let k = 0; k < count; k += 1) top = Math.max(top, policy[k]);
  let [total, rest] = [0, 1];
  for (let k = 0; k < count; k += 1) {
    policy[k] = tree.prior[first + k] * Math.exp(scale * (policy[k] - top));
    total += policy[k];
    rest -= tree.prior[first + k];
  }
  if (count < tree.moves[n]) {
    const unopened = Math.exp(scale * (mixed - top));
    policy[count] = tree.prior[first + count] * unopened;
    total += Math.max(rest, tree.prior[first + count]) * unopened;
    count += 1;
  }
  for (let k = 0; k < count; k += 1) policy[k] /= total;
  return visited;
}

/** Write log prior + sigma(completed Q) of each root edge. */
export function rootLogits(tree, params, logits) {
  const { scale } = complete(tree, 0, params, logits);
  for (let k = 0; k < tree.moves[0]; k += 1) logits[k] = tree.logit[k] + scale * logits[k];
}

/** The best root candidate among those that sequential halving wants visited next. */
export function gumbelRootEdge(tree, params, schedule, logits) {
  rootLogits(tree, params, logits);
  const wanted = schedule[Math.min(tree.done, schedule.length - 1)];
  let [best, bestScore, fallback, fallbackScore] = [-1, -Infinity, 0, -Infinity];
  for (let k = 0; k < tree.moves[0]; k += 1) {
    if (tree.edgeVisits[k] + tree.edgeWaiting[k] === wanted && logits[k] > bestScore)
      [best, bestScore] = [k, logits[k]];
    if (logits[k] > fallbackScore) [fallback, fallbackScore] = [k, logits[k]];
  }
  return best >= 0 ? best : fallback;
}

/** The edge that is furthest behind its share of the improved policy, or a new one where too few are open. */
export function gumbelInnerEdge(tree, n, params, policy) {
  const count = tree.opened[n];
  if (count === 0) return 0;
  const first = n * tree.width;
  let total = improvedPolicy(tree, n, params, policy);
  if (params.leaves > 1) for (let e = first; e < first + count; e += 1) total += tree.edgeWaiting[e];
  const share = 1 / (1 + total);
  let [best, bestScore] = [0, -Infinity];
  for (let k = 0; k < count; k += 1) {
    const e = first + k;
    let score = policy[k] - (tree.edgeVisits[e] + tree.edgeWaiting[e]) * share;
    if (tree.edgeResult[e] === LOSS) return k;
    if (tree.edgeResult[e] === WIN) score -= 10;
    if (score > bestScore) [best, bestScore] = [k, score];
  }
  if (count < tree.moves[n] && (policy[count] > bestScore || count < params.widening * Math.sqrt(total))) best = count;
  return best;
}
