// A network as the search sees it: a state in, chances of the legal moves and of win, draw, loss out. What it has said
// is kept by what it saw.

import { BasisNetwork } from "./basis.js";
import { ConvNetwork, PieceConvNetwork } from "./conv.js";
import { readNetwork } from "./file.js";
import { LayeredNetwork } from "./layers.js";

const KINDS = { basis: BasisNetwork, layers: LayeredNetwork, conv: ConvNetwork, conv_pieces: PieceConvNetwork };
const KEPT = 1 << 15;

export class Evaluator {
  #known = new Map();

  /** `buffer` holds a network's file; `plain` asks for loops instead of vectors. */
  constructor(rules, buffer, { plain = false, keep = true } = {}) {
    const network = readNetwork(buffer);
    const { header } = network;
    if (header.game !== rules.name) throw new Error(`this network plays ${header.game}, not ${rules.name}`);
    if (!Object.hasOwn(KINDS, header.kind))
      throw new Error(`the network is of a kind that this page does not know: ${header.kind}`);
    this.rules = rules;
    this.header = header;
    this.network = new KINDS[header.kind](network, { plain });
    this.keep = keep;
    this.row = new Float32Array(rules.inputs);
    this.moves = new Int16Array(rules.maxMoves);
  }

  /** {policy, value} logits of a state, legal moves or not. */
  logits(state) {
    this.rules.encode(state, this.row);
    const { policy, outcome } = this.network.logits(this.row);
    return { policy, value: outcome };
  }

  /** {policy [actions], wdl [3]} */
  evaluate(state) {
    const key = this.keep ? this.rules.inputKey(state) : -1;
    const known = key >= 0 ? this.#known.get(key) : undefined;
    if (known) return known;
    const { policy, value } = this.logits(state);
    const found = { policy: this.#chances(policy, this.rules.listMoves(state, this.moves)), wdl: softmax(value) };
    if (key >= 0) {
      if (this.#known.size >= KEPT) this.#known.clear();
      this.#known.set(key, found);
    }
    return found;
  }

  #chances(logits, count) {
    const { moves } = this;
    const policy = new Float32Array(this.rules.actions);
    let [largest, total] = [-Infinity, 0];
    for (let i = 0; i < count; i += 1) largest = Math.max(largest, logits[moves[i]]);
    for (let i = 0; i < count; i += 1) {
      policy[moves[i]] = Math.exp(logits[moves[i]] - largest);
      total = Math.fround(total + policy[moves[i]]);
    }
    const scale = Math.fround(1 / total);
    for (let i = 0; i < count; i += 1) policy[moves[i]] *= scale;
    return policy;
  }
}

function softmax(logits) {
  const largest = Math.max(...logits);
  const wdl = new Float32Array(3);
  let total = 0;
  for (let k = 0; k < 3; k += 1) {
    wdl[k] = Math.exp(logits[k] - largest);
    total = Math.fround(total + wdl[k]);
  }
  for (let k = 0; k < 3; k += 1) wdl[k] /= total;
  return wdl;
}
