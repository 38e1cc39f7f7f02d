// The orbit network in the basis of the board's symmetries, where a layer falls apart into five small blocks: see
// `network/orbit_basis/`. What C channels are on the 21 nodes is kept as parts: of five kinds of functions, and of
// those that come in pairs the second ones as a part of their own.

import { padded, Products } from "./products.js";

const NODES = 21;
const COUNTS = [5, 4, 1, 1, 5, 5]; // functions of each part
const [PAIR, PARTS] = [4, 6];
const [HALF, ROOT2, ROOT8] = [0.5, Math.SQRT1_2, Math.sqrt(0.125)];
const ROOTS = [1, 2, 2, 2, Math.sqrt(8)]; // what a function that is 1 everywhere is in the basis, orbit by orbit

/** Where parts of so many numbers lie, and how many floats they take in all. */
function layout(sizes) {
  const starts = [];
  let at = 0;
  for (const length of sizes) {
    starts.push(at);
    at += padded(length);
  }
  return { starts, size: at };
}

export class BasisNetwork {
  constructor({ header, arrays }, options) {
    const { width, blocks, planes, globals, order } = header;
    this.actions = header.actions;
    this.planes = planes;
    this.globals = globals;
    this.order = order;
    this.channels = width;
    this.blocks = blocks;
    const hidden = arrays.value_bias.values.length;
    const floats = Object.values(arrays).reduce(
      (sum, { shape, values }) => sum + (shape.length > 1 ? shape[0] * padded(shape[1]) : values.length) + 16,
      0,
    );
    this.products = new Products(floats + 40000, options);
    const layers = Array.from({ length: 2 * blocks + 2 }, (_, layer) =>
      Array.from({ length: 5 }, (_, kind) => {
        const {
          shape: [depth, columns],
          values,
        } = arrays[`layer${layer}.${kind}`];
        return {
          depth,
          columns: padded(columns),
          place: this.products.matrix(values, depth, columns),
          columnsUsed: columns,
        };
      }),
    );
    this.layers = layers;
    const trunk = layout(COUNTS.map((count) => count * width));
    const input = layout(COUNTS.map((count, part) => count * planes + (part === 0 ? globals + 1 : 0)));
    const heads = layout([0, 1, 2, 3, PAIR, PAIR].map((kind) => layers[2 * blocks + 1][kind].columnsUsed));
    this.parts = { trunk, input, heads };
    this.places = {
      x: this.products.room(trunk.size),
      h: this.products.room(trunk.size),
      input: this.products.room(input.size),
      heads: this.products.room(heads.size),
    };
    this.views = {
      x: this.products.view(this.places.x, trunk.size),
      h: this.products.view(this.places.h, trunk.size),
      input: this.products.view(this.places.input, input.size),
      heads: this.products.view(this.places.heads, heads.size),
    };
    this.biases = arrays.biases.values; // [blocks, C, 5]
    this.zeros = new Float32Array(5 * width);
    this.valueBias = arrays.value_bias.values;
    this.value = arrays.value.values; // [hidden, 3]
    this.outcomeBias = arrays.outcome_bias.values;
    this.actionBias = arrays.action_bias.values;
    this.hiddenStart = layers[2 * blocks + 1][0].columnsUsed - hidden;
    const terms = header.action_terms; // of each action: [part, function, factor]
    this.termStarts = Int32Array.from([0, ...terms.map((list) => list.length)]);
    for (let k = 1; k <= terms.length; k += 1) this.termStarts[k] += this.termStarts[k - 1];
    this.termRows = Int32Array.from(terms.flat(), ([part, index]) => heads.starts[part] + index);
    this.termFactors = Float64Array.from(terms.flat(), ([, , factor]) => factor);
    this.policy = new Float32Array(this.actions);
    this.outcome = new Float32Array(3);
  }

  #multiply(layer, from, fromParts, to, toParts, adds) {
    const { multiply } = this.products;
    for (let kind = 0; kind < 5; kind += 1) {
      const { depth, columns, place } = this.layers[layer][kind];
      const rows = kind === PAIR ? 2 : 1;
      const [a, out] = [from + 4 * fromParts.starts[kind], to + 4 * toParts.starts[kind]];
      const [aStep, outStep] =
        rows === 1
          ? [0, 0]
          : [
              4 * (fromParts.starts[PAIR + 1] - fromParts.starts[PAIR]),
              4 * (toParts.starts[PAIR + 1] - toParts.starts[PAIR]),
            ];
      multiply(out, a, place, rows, aStep, outStep, depth, columns >> 4, adds);
    }
  }

  /** What the nodes see, in the basis: the features of the whole position and a 1 for the bias come first. */
  #enter(row) {
    const { planes, globals, order } = this;
    const input = this.views.input;
    const { starts } = this.parts.input;
    for (let k = 0; k < globals; k += 1) input[k] = row[planes * NODES + k];
    input[globals] = 1;
    for (let p = 0; p < planes; p += 1) {
      const at = (k) => row[p * NODES + order[k]];
      const first = globals + 1 + p;
      const [plain, alternating, turned, twisted, pair, partner] = [
        first,
        starts[1] + p,
        starts[2] + p,
        starts[3] + p,
        starts[4] + p,
        starts[5] + p,
      ];
      input[plain] = at(0);
      for (let orbit = 1; orbit <= 3; orbit += 1) {
        const [n0, n1, n2, n3] = [at(4 * orbit - 3), at(4 * orbit - 2), at(4 * orbit - 1), at(4 * orbit)];
        input[plain + planes * orbit] = (n0 + n2 + n1 + n3) * HALF;
        input[alternating + planes * (orbit - 1)] = (n0 + n2 - n1 - n3) * HALF;
        input[pair + planes * (orbit - 1)] = (n0 - n2) * ROOT2;
        input[partner + planes * (orbit - 1)] = (n1 - n3) * ROOT2;
      }
      const [m0, m1, m2, m3, k0, k1, k2, k3] = [13, 14, 15, 16, 17, 18, 19, 20].map(at);
      input[plain + 4 * planes] = (m0 + m2 + k0 + k2 + m1 + m3 + k1 + k3) * ROOT8;
      input[alternating + 3 * planes] = (m0 + m2 + k0 + k2 - m1 - m3 - k1 - k3) * ROOT8;
      input[turned] = (m0 + m2 - k0 - k2 + m1 + m3 - k1 - k3) * ROOT8;
      input[twisted] = (m0 + m2 - k0 - k2 - m1 - m3 + k1 + k3) * ROOT8;
      input[pair + 3 * planes] = (m0 - m2 + k0 - k2) * HALF;
      input[pair + 4 * planes] = (k1 - k3 - m1 + m3) * HALF;
      input[partner + 3 * planes] = (m1 - m3 + k1 - k3) * HALF;
      input[partner + 4 * planes] = (m0 - m2 - k0 + k2) * HALF;
    }
  }

  /** To the nodes, add the bias of each orbit, rectify, and come back; channel by channel. */
  #rectify(x, biases, offset) {
    const { channels: C } = this;
    const { starts } = this.parts.trunk;
    const s1 = starts[1];
    const s2 = starts[2];
    const s3 = starts[3];
    const s4 = starts[4];
    const s5 = starts[5];
    for (let c = 0; c < C; c += 1) {
      const bias = offset + 5 * c;
      x[c] = Math.max(0, x[c] + biases[bias]);
      for (let orbit = 1; orbit <= 3; orbit += 1) {
        const add = biases[bias + orbit];
        const q = C * (orbit - 1) + c;
        const even = (x[C * orbit + c] + x[s1 + q]) * HALF + add;
        const odd = (x[C * orbit + c] - x[s1 + q]) * HALF + add;
        const one = x[s4 + q] * ROOT2;
        const other = x[s5 + q] * ROOT2;
        const n0 = Math.max(0, even + one);
        const n1 = Math.max(0, odd + other);
        const n2 = Math.max(0, even - one);
        const n3 = Math.max(0, odd - other);
        x[C * orbit + c] = (n0 + n2 + n1 + n3) * HALF;
        x[s1 + q] = (n0 + n2 - n1 - n3) * HALF;
        x[s4 + q] = (n0 - n2) * ROOT2;
        x[s5 + q] = (n1 - n3) * ROOT2;
      }
      const add = biases[bias + 4];
      const f = 3 * C + c;
      const a = (x[4 * C + c] + x[s1 + f]) * ROOT8 + add;
      const b = (x[4 * C + c] - x[s1 + f]) * ROOT8 + add;
      const t = (x[s2 + c] + x[s3 + c]) * ROOT8;
      const u = (x[s2 + c] - x[s3 + c]) * ROOT8;
      const p = (x[s4 + f] + x[s5 + f + C]) * HALF;
      const pImage = (x[s4 + f] - x[s5 + f + C]) * HALF;
      const q = (x[s5 + f] - x[s4 + f + C]) * HALF;
      const qImage = (x[s5 + f] + x[s4 + f + C]) * HALF;
      const m0 = Math.max(0, a + t + p);
      const m1 = Math.max(0, b + u + q);
      const m2 = Math.max(0, a + t - p);
      const m3 = Math.max(0, b + u - q);
      const k0 = Math.max(0, a - t + pImage);
      const k1 = Math.max(0, b - u + qImage);
      const k2 = Math.max(0, a - t - pImage);
      const k3 = Math.max(0, b - u - qImage);
      x[4 * C + c] = (m0 + m2 + k0 + k2 + m1 + m3 + k1 + k3) * ROOT8;
      x[s1 + f] = (m0 + m2 + k0 + k2 - m1 - m3 - k1 - k3) * ROOT8;
      x[s2 + c] = (m0 + m2 - k0 - k2 + m1 + m3 - k1 - k3) * ROOT8;
      x[s3 + c] = (m0 + m2 - k0 - k2 - m1 - m3 + k1 + k3) * ROOT8;
      x[s4 + f] = (m0 - m2 + k0 - k2) * HALF;
      x[s4 + f + C] = (k1 - k3 - m1 + m3) * HALF;
      x[s5 + f] = (m1 - m3 + k1 - k3) * HALF;
      x[s5 + f + C] = (m0 - m2 - k0 + k2) * HALF;
    }
  }

  /** Mean 0 and variance 1 over all units: the basis keeps lengths, and the even functions hold the sums. */
  #normalise(x) {
    const { channels: C } = this;
    const { starts } = this.parts.trunk;
    let [sum, squares] = [0, 0];
    for (let orbit = 0; orbit < 5; orbit += 1) for (let c = 0; c < C; c += 1) sum += ROOTS[orbit] * x[orbit * C + c];
    for (let part = 0; part < PARTS; part += 1) {
      for (let k = starts[part]; k < starts[part] + COUNTS[part] * C; k += 1) squares += x[k] * x[k];
    }
    const mean = sum / (NODES * C);
    const scale = 1 / Math.sqrt(squares / (NODES * C) - mean * mean + 1e-5);
    for (let orbit = 0; orbit < 5; orbit += 1) for (let c = 0; c < C; c += 1) x[orbit * C + c] -= mean * ROOTS[orbit];
    for (let k = 0; k < x.length; k += 1) x[k] *= scale;
  }

  /** Logits of all actions, and of win, draw, loss, from what the network sees. */
  logits(row) {
    const { blocks, places, views } = this;
    const { trunk, input, heads } = this.parts;
    this.#enter(row);
    this.#multiply(0, places.input, input, places.x, trunk, 0);
    for (let block = 0; block < blocks; block += 1) {
      this.#multiply(1 + 2 * block, places.x, trunk, places.h, trunk, 0);
      this.#rectify(views.h, this.biases, 5 * this.channels * block);
      this.#multiply(2 + 2 * block, places.h, trunk, places.x, trunk, 1);
    }
    this.#normalise(views.x);
    this.#rectify(views.x, this.zeros, 0);
    this.#multiply(1 + 2 * blocks, places.x, trunk, places.heads, heads, 0);
    for (let action = 0; action < this.actions; action += 1) {
      let logit = this.actionBias[action];
      for (let t = this.termStarts[action]; t < this.termStarts[action + 1]; t += 1)
        logit += this.termFactors[t] * views.heads[this.termRows[t]];
      this.policy[action] = logit;
    }
    readValue(views.heads, this.hiddenStart, this.valueBias, this.value, this.outcomeBias, this.outcome);
    return this;
  }
}

/** Three logits from a hidden layer. */
export function readValue(hidden, start, bias, weights, outcomeBias, outcome) {
  outcome.set(outcomeBias);
  for (let k = 0; k < bias.length; k += 1) {
    const unit = Math.max(0, hidden[start + k] + bias[k]);
    for (let j = 0; j < 3; j += 1) outcome[j] += unit * weights[3 * k + j];
  }
}
