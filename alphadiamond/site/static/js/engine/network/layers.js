// A stack of dense matrices, x + relu(x A + a) B in each block: what an orbit network is on a board without a basis,
// and an MLP anywhere.

import { readValue } from "./basis.js";
import { padded, Products } from "./products.js";

/** Room that the matrices of some arrays take. */
export function roomFor(arrays) {
  return Object.values(arrays).reduce(
    (sum, { shape, values }) =>
      sum +
      (shape.length > 1
        ? (values.length / shape[shape.length - 1]) * padded(shape[shape.length - 1])
        : padded(values.length)) +
      16,
    0,
  );
}

/** Mean 0 and variance 1 over the first `count` numbers, then nothing below 0. */
export function normaliseAndRectify(x, count) {
  let [sum, squares] = [0, 0];
  for (let k = 0; k < count; k += 1) sum += x[k];
  const mean = sum / count;
  for (let k = 0; k < count; k += 1) squares += (x[k] - mean) * (x[k] - mean);
  const scale = 1 / Math.sqrt(squares / count + 1e-5);
  for (let k = 0; k < count; k += 1) x[k] = Math.max(0, (x[k] - mean) * scale);
}

export class LayeredNetwork {
  constructor({ header, arrays }, options) {
    this.actions = header.actions;
    this.blocks = header.blocks;
    const products = new Products(roomFor(arrays) + 8192, options);
    const matrix = (name) => {
      const {
        shape: [depth, columns],
        values,
      } = arrays[name];
      return { depth, panels: padded(columns) >> 4, place: products.matrix(values, depth, columns) };
    };
    const units = arrays.enter.shape[1];
    this.units = units;
    this.products = products;
    this.multiply = products.multiply;
    this.enter = matrix("enter");
    this.enterBias = arrays.enter_bias.values;
    this.stack = Array.from({ length: this.blocks }, (_, k) => ({
      first: matrix(`block${k}.first`),
      bias: arrays[`block${k}.bias`].values,
      second: matrix(`block${k}.second`),
    }));
    this.heads = matrix("heads");
    this.headsBias = arrays.heads_bias.values;
    this.value = arrays.value.values;
    this.outcomeBias = arrays.outcome_bias.values;
    const room = (floats) => {
      const place = products.room(floats);
      return { place, view: products.view(place, floats) };
    };
    this.input = room(header.inputs);
    this.x = room(units);
    this.h = room(units);
    this.out = room(this.headsBias.length);
    this.policy = new Float32Array(this.actions);
    this.outcome = new Float32Array(3);
  }

  #product(from, matrix, to, adds) {
    this.multiply(to.place, from.place, matrix.place, 1, 0, 0, matrix.depth, matrix.panels, adds);
  }

  logits(row) {
    const { input, x, h, out } = this;
    input.view.set(row);
    x.view.set(this.enterBias);
    this.#product(input, this.enter, x, 1);
    for (const { first, bias, second } of this.stack) {
      h.view.set(bias);
      this.#product(x, first, h, 1);
      for (let k = 0; k < this.units; k += 1) if (h.view[k] < 0) h.view[k] = 0;
      this.#product(h, second, x, 1);
    }
    normaliseAndRectify(x.view, this.units);
    this.#product(x, this.heads, out, 0);
    const { view } = out;
    for (let action = 0; action < this.actions; action += 1)
      this.policy[action] = view[action] + this.headsBias[action];
    readValue(view, this.actions, this.headsBias.subarray(this.actions), this.value, this.outcomeBias, this.outcome);
    return this;
  }
}
