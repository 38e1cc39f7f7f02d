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

  /** How many edges of a node have a record. */
  recorded(n) {
    return n === 0 ? this.moves[0] : this.opened[n];
  }

  /** The mean value of a visited edge, exact where it is proven. */
  edgeQ(edge) {
    return this.edgeResult[edge] !== UNKNOWN ? -this.edgeResult[edge] : this.edgeValue[edge] / this.edgeVisits[edge];
  }
}
