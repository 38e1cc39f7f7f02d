// Tree search of one position, as `search/` does it for many: walk to leaves that need evaluation, evaluate, expand,
// back up. It knows a game by its rules and an evaluator as a function of a state.

import { DRAW, LOSS, ONGOING, ONGOING as UNKNOWN, WIN } from "../results.js";
import { gumbelInnerEdge, gumbelRootEdge, puctEdge } from "./edges.js";
import { suitedCandidates, visitSequence } from "./halving.js";
import { Lookahead } from "./lookahead.js";
import { analysisOf, summary } from "./root.js";
import { OPEN, PENDING, TERMINAL, Tree } from "./tree.js";

const FEW = 1000; // simulations up to which Gumbel search is the default
const WIDENING = 0.7; // in games whose positions recur
const PASSES = 4; // walks a round, so that leaves that need no evaluation cost no round

/** The settings of the Python player for a budget. */
export function playerParams(rules, simulations, changes = {}) {
  return {
    gumbel: simulations <= FEW,
    considered: suitedCandidates(Math.min(simulations, FEW) || FEW),
    cInit: 1.5,
    cBase: 19652,
    fpuReduction: 0.25,
    rootFpuReduction: 0.1,
    cVisit: 50,
    cScale: 1,
    widening: rules.repetitionLimit ? WIDENING : 0,
    draws: !rules.repetitionLimit, // where nothing recurs a draw can be proven
    leaves: 1,
    ...changes,
  };
}

export class Search {
  #leaves = [];
  #lookahead;
  #scratch;
  #schedule = null;
  #limit = 0;

  /** `evaluate(state)` answers {policy: by action, wdl}; `nodes` bounds the tree. */
  constructor(rules, params, evaluate, nodes) {
    this.rules = rules;
    this.params = params;
    this.evaluate = evaluate;
    this.tree = new Tree(rules, nodes);
    this.evaluations = 0;
    this.#lookahead = new Lookahead(rules);
    this.#scratch = new Float64Array(rules.maxMoves);
  }

  /** Begin a tree at a position whose game goes on; `keys` are those of its game, its own last. */
  setRoot(state, keys) {
    const { tree, rules } = this;
    const room = this.#lookahead;
    if (rules.status(state) !== ONGOING) throw new RangeError("the game is over: there is nothing to search");
    tree.used = 0;
    tree.done = 0;
    tree.waiting = 1;
    tree.history = keys;
    tree.newNode(-1, -1);
    tree.state.set(state, 0);
    tree.key[0] = rules.positionKey(state);
    tree.irreversible[0] = rules.isIrreversible(state) ? 1 : 0;
    tree.moves[0] = rules.listMoves(state, room.moves);
    tree.action.set(room.moves, 0);
    // Who wins at once is to do so, and not to be content with the proof of a longer win.
    tree.winsAtOnce = room.winsAtOnce(state, room.moves, tree.moves[0], room.after);
    this.#leaves = [0];
    this.#expand();
    this.#begin();
  }

  /** Count simulations from here. */
  #begin() {
    const { tree } = this;
    tree.done = 0;
    for (let e = 0; e < tree.moves[0]; e += 1) tree.logit[e] = Math.log(Math.max(tree.prior[e], 1e-12));
  }

  /** Follow a played action and keep its subtree; false if there is none and a new root must be set. `room` is how many
   * nodes the next search needs; a subtree that leaves less is given up. */
  advance(action, room) {
    const { tree } = this;
    const edge = tree.used ? tree.action.subarray(0, tree.moves[0]).indexOf(action) : -1;
    if (edge < 0 || !tree.reroot(edge, room)) return false;
    tree.history = [...(tree.irreversible[0] ? [] : tree.history), tree.key[0]];
    this.#begin();
    return true;
  }

  /** Make so many simulations on top of those already made, or until `stop()`; whether more could be made. */
  run(simulations, stop = () => false) {
    const { tree, params } = this;
    this.#limit = tree.done + simulations;
    if (params.gumbel) this.#plan(this.#limit);
    while (this.#simulate() && !stop());
    return !this.#exhausted();
  }

  /** Sequential halving spends a budget that is known beforehand. */
  #plan(simulations) {
    if (this.#schedule?.length !== simulations || this.#schedule.moves !== this.tree.moves[0]) {
      this.#schedule = visitSequence(Math.min(this.params.considered, this.tree.moves[0]), Math.max(1, simulations));
      this.#schedule.moves = this.tree.moves[0];
    }
  }

  /** Go on with a plan made for so many simulations in all, a part of them at a time. */
  runPart(simulations, planned, stop) {
    const { tree, params } = this;
    if (params.gumbel) this.#plan(planned);
    this.#limit = Math.min(planned, tree.done + simulations);
    const before = tree.done;
    while (this.#simulate() && !stop?.());
    return tree.done > before && tree.done < planned && !this.#exhausted();
  }

  #simulate() {
    const [ready, more] = this.#findLeaves();
    if (!ready) return more;
    this.#expand();
    return true;
  }

  #exhausted() {
    return this.tree.used >= this.tree.capacity || this.tree.result[0] !== UNKNOWN;
  }

  /** Gather leaves that need evaluation: how many, and, where there are none, whether there is more to do. */
  #findLeaves() {
    this.#leaves = [];
    let walked = 0;
    for (let pass = 0; pass < PASSES; pass += 1) {
      const before = this.#leaves.length;
      const found = this.#select();
      walked = found.length;
      // First what ends the game, then what looking ahead decides: the order of sums decides their last bits.
      for (const n of found) this.#place(n);
      for (const n of found) {
        if (!this.tree.winsAtOnce && this.tree.kind[n] === PENDING) this.#lookAhead(n);
        if (this.tree.kind[n] === PENDING) this.#leaves.push(n);
      }
      if (this.#leaves.length - before === walked) break;
    }
    return [this.#leaves.length, walked > 0];
  }

  /** Walk down until enough leaves wait, or no simulations are left. A walk to a decided position is backed up at once.
   */
  #select() {
    const { tree, params } = this;
    const found = [];
    while (tree.waiting < params.leaves && tree.done + tree.waiting < this.#limit && !this.#exhausted()) {
      let n = 0;
      while (tree.kind[n] === OPEN) {
        const k = !params.gumbel
          ? puctEdge(tree, n, params)
          : n === 0
            ? gumbelRootEdge(tree, params, this.#schedule, this.#scratch)
            : gumbelInnerEdge(tree, n, params, this.#scratch);
        const edge = n * tree.width + k;
        if (n > 0 && k === tree.opened[n]) {
          tree.clearEdge(edge);
          tree.opened[n] += 1;
        }
        tree.edgeWaiting[edge] += 1;
        if (tree.child[edge] < 0) {
          found.push(tree.newNode(n, k));
          tree.waiting += 1;
          n = -1;
          break;
        }
        n = tree.child[edge];
        if (tree.result[n] !== UNKNOWN) break;
      }
      if (n < 0) continue;
      if (tree.kind[n] === PENDING) {
        // another walk is waiting here
        this.#release(n);
        break;
      }
      this.#backUp(n, tree.result[n], tree.result[n] === DRAW ? 1 : 0);
    }
    return found;
  }

  #release(n) {
    const { tree } = this;
    for (; tree.parent[n] >= 0; n = tree.parent[n])
      tree.edgeWaiting[tree.parent[n] * tree.width + tree.parentEdge[n]] -= 1;
  }

  /** How often a position, so many plies below a node, has occurred, this time included, and how many plies ago in the
   * tree (0: not there). */
  #occurrences(n, key, plies) {
    const { tree } = this;
    let [count, cycle] = [1, 0];
    while (!tree.irreversible[n] && tree.parent[n] >= 0) {
      n = tree.parent[n];
      plies += 1;
      if (plies % 2 === 0 && tree.key[n] === key) {
        count += 1;
        if (cycle === 0) cycle = plies;
      }
    }
    if (tree.parent[n] < 0 && !tree.irreversible[n]) {
      // The root is the last entry of the history; every second one has the same side to move.
      for (let i = tree.history.length - 3 + (plies % 2); i >= 0; i -= 2) if (tree.history[i] === key) count += 1;
    }
    return [count, cycle];
  }

  /** Play the move to a new leaf and note what the rules say of it. A third occurrence is a draw; a second one counts
   * as a draw if the first is in this tree, since whoever wants to deviate can do so there. */
  #place(n) {
    const { tree, rules } = this;
    const { state, moves } = this.#lookahead;
    const size = rules.stateSize;
    const [parent, from] = [tree.parent[n], tree.parent[n] * size];
    for (let i = 0; i < size; i += 1) state[i] = tree.state[from + i];
    rules.play(state, tree.action[parent * tree.width + tree.parentEdge[n]], state);
    let result = rules.status(state);
    tree.key[n] = rules.positionKey(state);
    tree.irreversible[n] = rules.isIrreversible(state) ? 1 : 0;
    if (result === UNKNOWN && rules.repetitionLimit > 0 && !tree.irreversible[n]) {
      const [seen, cycle] = this.#occurrences(n, tree.key[n], 0);
      state[size - 1] = Math.min(seen, rules.repetitionLimit);
      if (seen >= rules.repetitionLimit) result = DRAW;
      else if (cycle > 0) {
        result = DRAW;
        tree.cycle[n] = cycle;
      }
    }
    tree.state.set(state, n * size);
    if (result !== UNKNOWN) {
      this.#close(n, result);
      return;
    }
    tree.moves[n] = rules.listMoves(state, moves);
    const first = n * tree.width;
    for (let i = 0; i < tree.moves[n]; i += 1) tree.action[first + i] = moves[i];
  }

  /** Close a new leaf that two plies decide; a loss from which a repetition might save is left to the evaluator. */
  #lookAhead(n) {
    const { tree, rules } = this;
    const room = this.#lookahead;
    const [size, first] = [rules.stateSize, n * tree.width];
    for (let i = 0; i < size; i += 1) room.state[i] = tree.state[n * size + i];
    for (let i = 0; i < tree.moves[n]; i += 1) room.moves[i] = tree.action[first + i];
    const result = room.look(tree.moves[n]);
    if (result === UNKNOWN) return;
    if (result === LOSS && rules.repetitionLimit > 0) {
      for (let i = 0; i < tree.moves[n]; i += 1)
        if (room.keys[i] >= 0 && this.#occurrences(n, room.keys[i], 1)[0] > 1) return;
    }
    tree.distance[n] = room.distance;
    this.#close(n, result);
  }

  #close(n, result) {
    this.tree.kind[n] = TERMINAL;
    this.tree.result[n] = result;
    this.tree.waiting -= 1;
    this.#backUp(n, result, result === DRAW ? 1 : 0);
  }

  /** Give the leaves priors, sort their edges by them, and back their values up. */
  #expand() {
    const { tree } = this;
    for (const n of this.#leaves) {
      const state = tree.state.subarray(n * this.rules.stateSize, (n + 1) * this.rules.stateSize);
      const { policy, wdl } = this.evaluate(state);
      this.evaluations += 1;
      const [first, moves] = [n * tree.width, tree.moves[n]];
      let total = 0;
      for (let e = 0; e < moves; e += 1) {
        const action = tree.action[first + e];
        const chance = policy[action];
        total = Math.fround(total + chance);
        let at = first + e;
        while (at > first && tree.prior[at - 1] < chance) {
          tree.prior[at] = tree.prior[at - 1];
          tree.action[at] = tree.action[at - 1];
          at -= 1;
        }
        tree.prior[at] = chance;
        tree.action[at] = action;
      }
      for (let e = first; e < first + moves; e += 1)
        tree.prior[e] = total > 0 ? Math.fround(tree.prior[e] / total) : 1 / moves;
      if (n === 0) for (let e = 0; e < moves; e += 1) tree.clearEdge(e);
      const value = wdl[0] - wdl[2];
      tree.rawValue[n] = value;
      tree.kind[n] = OPEN;
      tree.waiting -= 1;
      this.#backUp(n, value, wdl[1]);
    }
  }

  /** Add a leaf's value to its ancestors, sign by sign, and pass on what it proves. */
  #backUp(n, value, draw) {
    const { tree, params } = this;
    for (;;) {
      tree.visits[n] += 1;
      tree.valueSum[n] += value;
      tree.drawSum[n] += draw;
      const parent = tree.parent[n];
      if (parent < 0) break;
      value = -value;
      const edge = parent * tree.width + tree.parentEdge[n];
      tree.edgeVisits[edge] += 1;
      tree.edgeValue[edge] += value;
      tree.edgeWaiting[edge] -= 1;
      const result = tree.result[n];
      if (result !== UNKNOWN) tree.edgeResult[edge] = result;
      n = parent;
      if (result === WIN || result === LOSS || (params.draws && result === DRAW)) {
        this.#prove(n);
        if (tree.result[n] !== UNKNOWN) {
          value = tree.result[n];
          draw = value === DRAW ? 1 : 0;
        }
      }
    }
    tree.done += 1;
  }

  /** A move to a lost position wins; if every move leads to a won one, it is lost; where draws can be proven, it is
   * drawn if every move leads to a won or drawn one, and some to a drawn one. */
  #prove(n) {
    const { tree } = this;
    const [count, first] = [tree.recorded(n), n * tree.width];
    let [best, worst, known, drawn] = [32767, 0, count === tree.moves[n], false];
    for (let e = first; e < first + count; e += 1) {
      const result = tree.edgeResult[e];
      if (result === LOSS) best = Math.min(best, tree.distance[tree.child[e]] + 1);
      else if (result === WIN) worst = Math.max(worst, tree.distance[tree.child[e]] + 1);
      else if (this.params.draws && result === DRAW) drawn = true;
      else known = false;
    }
    if (best < 32767) {
      tree.result[n] = WIN;
      tree.distance[n] = best;
    } else if (known && drawn) {
      tree.result[n] = DRAW;
    } else if (known) {
      tree.result[n] = LOSS;
      tree.distance[n] = worst;
    }
  }

  /** The action to play. */
  get choice() {
    return this.tree.action[summary(this).choice];
  }

  /** What has been found, the best move first: as the Python player's analysis says it. */
  analysis() {
    return analysisOf(this);
  }
}
