// A search tree as flat arrays: nodes with as many edges each as a position has moves at the most. Node 0 is the root.
//
// A node's edges are sorted by their priors when it is expanded. Below the root they are opened in that order, so that
// only the first `opened` of them have a record, and one more is looked at. `search/trees.py` is the same for many
// games.

import { ONGOING as UNKNOWN } from "../results.js";

export const [PENDING, OPEN, TERMINAL] = [0, 1, 2]; // chosen and not evaluated; evaluated; decided by the rules

export class Tree {
  constructor(rules, capacity) {
    const edges = capacity * rules.maxMoves;
    this.rules = rules;
    this.capacity = capacity;
    this.size = rules.stateSize;
    this.width = rules.maxMoves; // edges of a node
    this.used = 0;
    this.done = 0; // simulations since the root was set
    this.waiting = 0; // leaves that wait for evaluation
    this.winsAtOnce = false; // whether a move wins at the root: then no leaf is looked ahead from
    this.history = []; // keys since the last irreversible position, the root last
    this.state = new Int32Array(capacity * rules.stateSize);
    // Of a node
    this.key = new Float64Array(capacity);
    this.valueSum = new Float64Array(capacity);
    this.drawSum = new Float32Array(capacity);
    this.rawValue = new Float32Array(capacity); // the evaluator's own
    this.visits = new Int32Array(capacity);
    this.parent = new Int32Array(capacity);
    this.parentEdge = new Int16Array(capacity);
    this.moves = new Int16Array(capacity);
    this.opened = new Int16Array(capacity);
    this.distance = new Int16Array(capacity); // plies to the end along a proof
    this.cycle = new Int16Array(capacity); // plies back to the first occurrence, for a draw by second occurrence
    this.kind = new Int8Array(capacity);
    this.result = new Int8Array(capacity);
    this.irreversible = new Uint8Array(capacity);
    // Of an edge
    this.edgeValue = new Float64Array(edges);
    this.edgeVisits = new Int32Array(edges);
    this.child = new Int32Array(edges);
    this.edgeWaiting = new Int32Array(edges); // simulations through it that are not backed up
    this.edgeResult = new Int8Array(edges); // of the child
    this.prior = new Float32Array(edges);
    this.action = new Int16Array(edges);
    this.logit = new Float64Array(rules.maxMoves); // of the root's priors
  }

  newNode(parent, edge) {
    const n = this.used;
    this.used += 1;
    this.parent[n] = parent;
    this.parentEdge[n] = edge;
    this.kind[n] = PENDING;
    this.result[n] = UNKNOWN;
    this.distance[n] = 0;
    this.cycle[n] = 0;
    this.visits[n] = 0;
    this.valueSum[n] = 0;
    this.drawSum[n] = 0;
    this.moves[n] = 0;
    this.opened[n] = 0;
    if (parent >= 0) this.child[parent * this.width + edge] = n;
    return n;
  }

  clearEdge(edge) {
    this.edgeValue[edge] = 0;
    this.edgeVisits[edge] = 0;
    this.child[edge] = -1;
    this.edgeWaiting[edge] = 0;
    this.edgeResult[edge] = UNKNOWN;
  }

  /** Make the child behind a root edge the root, keeping its subtree; false if there is none worth keeping. A draw by
   * second occurrence whose first is no longer in the tree is cut off, to be judged anew. At most capacity - `room`
   * nodes are kept; a larger subtree is given up. */
  reroot(edge, room) {
    const start = this.child[edge];
    if (start < 0 || this.kind[start] !== OPEN) return false;
    const [kept, depths] = [[start], [0]];
    for (let at = 0; at < kept.length; at += 1) {
      const n = kept[at];
      if (this.kind[n] !== OPEN) continue;
      for (let e = n * this.width; e < n * this.width + this.opened[n]; e += 1) {
        const child = this.child[e];
        if (child < 0) continue;
        if (this.kind[child] === PENDING || this.cycle[child] > depths[at] + 1) {
          this.child[e] = -1;
          this.edgeResult[e] = UNKNOWN;
          continue;
        }
        kept.push(child);
        depths.push(depths[at] + 1);
      }
    }
    if (kept.length > this.capacity - room) return false;
    // Nodes are numbered in the order they were made, so that each moves down in place.
    kept.sort((a, b) => a - b);
    const placeOf = new Int32Array(this.used).fill(-1);
    kept.forEach((n, i) => (placeOf[n] = i));
    kept.forEach((n, i) => this.#move(n, i, placeOf));
    this.parent[0] = -1;
    this.parentEdge[0] = -1;
    for (let e = this.opened[0]; e < this.moves[0]; e += 1) this.clearEdge(e);
    this.used = kept.length;
    return true;
  }

  /** Move a node with its edges to another place. */
  #move(n, i, placeOf) {
    for (const values of this.#ofNodes) values[i] = values[n];
    this.state.copyWithin(i * this.size, n * this.size, (n + 1) * this.size);
    for (const values of this.#ofEdges) values.copyWithin(i * this.width, n * this.width, (n + 1) * this.width);
    if (this.parent[i] >= 0) this.parent[i] = placeOf[this.parent[i]];
    for (let e = i * this.width; e < i * this.width + this.opened[i]; e += 1) {
      if (this.child[e] >= 0) this.child[e] = placeOf[this.child[e]];
      this.edgeWaiting[e] = 0;
    }
  }

  get #ofNodes() {
    return [
      this.key,
      this.valueSum,
      this.drawSum,
      this.rawValue,
      this.visits,
      this.parent,
      this.parentEdge,
      this.moves,
      this.opened,
      this.distance,
      this.cycle,
      this.kind,
      this.result,
      this.irreversible,
    ];
  }

  get #ofEdges() {
    return [this.edgeValue, this.edgeVisits, this.child, this.edgeWaiting, this.edgeResult, this.prior, this.action];
  }

  /** How many edges of a node have a record. */
  recorded(n) {
    return n === 0 ? this.moves[0] : this.opened[n];
  }

  /** The mean value of a visited edge, exact where it is proven. */
  edgeQ(edge) {
    return this.edgeResult[edge] !== UNKNOWN ? -this.edgeResult[edge] : this.edgeValue[edge] / this.edgeVisits[edge];
  }
}
