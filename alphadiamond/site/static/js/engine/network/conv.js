// The convolution on a grid, 3 x 3 with a margin of nothing, with heads on all cells, or where the pieces
// stand: `network/conv.py`.

import { readValue } from "./basis.js";
import { normaliseAndRectify, roomFor } from "./layers.js";
import { padded, Products } from "./products.js";

/** Planes of a board with a margin of one cell: [rows + 2, columns + 2, channels], the channels padded. */
export class Board {
  constructor(products, [rows, columns], channels) {
    this.rows = rows;
    this.columns = columns;
    this.channels = channels;
    this.stride = padded(channels);
    const floats = (rows + 2) * (columns + 2) * this.stride;
    this.place = products.room(floats);
    this.view = products.view(this.place, floats);
  }

  /** Where a cell begins, in floats. */
  at(row, column) {
    return ((row + 1) * (this.columns + 2) + column + 1) * this.stride;
  }
}

/** A matrix [9 x stride, outer] from weights [9, inner, outer]: the padding of a cell is multiplied by nothing. */
export function kernelMatrix({ shape: [, inner, outer], values }) {
  const stride = padded(inner);
  const matrix = new Float32Array(9 * stride * outer);
  for (let tap = 0; tap < 9; tap += 1) {
    matrix.set(values.subarray(tap * inner * outer, (tap + 1) * inner * outer), tap * stride * outer);
  }
  return { depth: 9 * stride, values: matrix, columns: outer };
}

/** Add a convolution of one board to another, row by row; `bias` is what the cells begin with, null: with what they
 * hold. */
export function convolve(products, from, weights, to, bias) {
  const { rows, columns, stride } = from;
  for (let row = 0; row < rows; row += 1) {
    if (bias) for (let column = 0; column < columns; column += 1) to.view.set(bias, to.at(row, column));
    products.multiply(
      to.place + 4 * to.at(row, 0),
      from.place + 4 * from.at(row - 1, -1),
      weights.place,
      columns,
      4 * stride,
      4 * to.stride,
      3,
      3 * stride,
      4 * (columns + 2) * stride,
      weights.panels,
      1,
    );
  }
}

/** Nothing below 0; the margin is 0 and stays so. */
export function rectify({ view }) {
  for (let k = 0; k < view.length; k += 1) if (view[k] < 0) view[k] = 0;
}

/** The layers that all convolutions share: from inputs to the board that the heads read. */
export class ConvTrunk {
  constructor(products, { header, arrays }) {
    const { grid, width, blocks, planes, globals } = header;
    this.products = products;
    this.planes = planes;
    this.globals = globals;
    this.cells = grid[0] * grid[1];
    const weights = (name) => {
      const { depth, values, columns } = kernelMatrix(arrays[name]);
      return { place: products.matrix(values, depth, columns), panels: padded(columns) >> 4 };
    };
    this.input = new Board(products, grid, planes + globals);
    this.x = new Board(products, grid, width);
    this.h = new Board(products, grid, width);
    this.enter = weights("enter");
    this.enterBias = arrays.enter_bias.values;
    this.stack = Array.from({ length: blocks }, (_, k) => ({
      first: weights(`block${k}.first`),
      bias: arrays[`block${k}.bias`].values,
      second: weights(`block${k}.second`),
    }));
  }

  run(row) {
    const { products, planes, globals, cells, input, x, h } = this;
    for (let cell = 0; cell < cells; cell += 1) {
      const at = input.at(Math.trunc(cell / input.columns), cell % input.columns);
      for (let p = 0; p < planes; p += 1) input.view[at + p] = row[p * cells + cell];
      for (let g = 0; g < globals; g += 1) input.view[at + planes + g] = row[planes * cells + g];
    }
    convolve(products, input, this.enter, x, this.enterBias);
    for (const { first, bias, second } of this.stack) {
      convolve(products, x, first, h, bias);
      rectify(h);
      convolve(products, h, second, x, null);
    }
    return x;
  }
}

export class ConvNetwork {
  constructor(network, options) {
    const { header, arrays } = network;
    const products = new Products(2 * roomFor(arrays) + 65536, options);
    this.actions = header.actions;
    this.products = products;
    this.trunk = new ConvTrunk(products, network);
    this.width = header.width;
    this.units = this.trunk.cells * header.width;
    const {
      shape: [depth, columns],
      values,
    } = arrays.heads;
    this.heads = { place: products.matrix(values, depth, columns), panels: padded(columns) >> 4 };
    this.headsBias = arrays.heads_bias.values;
    this.value = arrays.value.values;
    this.outcomeBias = arrays.outcome_bias.values;
    const [flat, out] = [products.room(this.units), products.room(columns)];
    this.flat = { place: flat, view: products.view(flat, this.units) };
    this.out = { place: out, view: products.view(out, columns) };
    this.policy = new Float32Array(this.actions);
    this.outcome = new Float32Array(3);
  }

  logits(row) {
    const { trunk, width, flat, out } = this;
    const x = trunk.run(row);
    for (let cell = 0; cell < trunk.cells; cell += 1) {
      const at = x.at(Math.trunc(cell / x.columns), cell % x.columns);
      for (let c = 0; c < width; c += 1) flat.view[cell * width + c] = x.view[at + c];
    }
    normaliseAndRectify(flat.view, this.units);
    trunk.products.multiply(out.place, flat.place, this.heads.place, 1, 0, 0, 1, this.units, 0, this.heads.panels, 0);
    for (let action = 0; action < this.actions; action += 1)
      this.policy[action] = out.view[action] + this.headsBias[action];
    readValue(
      out.view,
      this.actions,
      this.headsBias.subarray(this.actions),
      this.value,
      this.outcomeBias,
      this.outcome,
    );
    return this;
  }
}

/** The same trunk; actions are read around the mover's piece, and all answers from the pieces' cells and from mean and
 * greatest over the board. */
export class PieceConvNetwork {
  constructor(network, options) {
    const { header, arrays } = network;
    this.products = new Products(2 * roomFor(arrays) + 65536, options);
    this.trunk = new ConvTrunk(this.products, network);
    this.pieces = header.pieces;
    this.width = header.width;
    this.near = arrays.near.values; // [9, width, actions]
    this.heads = arrays.heads.values; // [pieces + 2, width, actions + hidden]
    this.headsBias = arrays.heads_bias.values;
    this.value = arrays.value.values;
    this.outcomeBias = arrays.outcome_bias.values;
    this.flat = new Float32Array(this.trunk.cells * this.width);
    this.known = new Float32Array((this.pieces.length + 2) * this.width);
    this.out = new Float32Array(this.headsBias.length);
    this.policy = new Float32Array(header.actions);
    this.outcome = new Float32Array(3);
  }

  logits(row) {
    const { trunk, width, flat, known, out, policy, headsBias } = this;
    const { cells } = trunk;
    const x = trunk.run(row);
    for (let cell = 0; cell < cells; cell += 1) {
      const at = x.at(Math.trunc(cell / x.columns), cell % x.columns);
      for (let c = 0; c < width; c += 1) flat[cell * width + c] = x.view[at + c];
    }
    normaliseAndRectify(flat, flat.length);
    const places = this.pieces.map((plane) => row.subarray(plane * cells, (plane + 1) * cells).indexOf(1));
    const [means, greatest] = [this.pieces.length * width, (this.pieces.length + 1) * width];
    known.fill(0);
    places.forEach((cell, p) => known.set(flat.subarray(cell * width, (cell + 1) * width), p * width));
    for (let cell = 0; cell < cells; cell += 1) {
      for (let c = 0; c < width; c += 1) {
        const value = flat[cell * width + c];
        known[means + c] += value / cells;
        if (value > known[greatest + c]) known[greatest + c] = value; // nothing is below 0
      }
    }
    out.fill(0);
    addProduct(known, this.heads, out);
    for (let action = 0; action < policy.length; action += 1) policy[action] = out[action] + headsBias[action];
    const [row0, column0] = [Math.trunc(places[0] / x.columns) - 1, (places[0] % x.columns) - 1];
    for (let tap = 0; tap < 9; tap += 1) {
      const [r, c] = [row0 + Math.trunc(tap / 3), column0 + (tap % 3)];
      if (r < 0 || r >= x.rows || c < 0 || c >= x.columns) continue;
      const cell = r * x.columns + c;
      addProduct(
        flat.subarray(cell * width, (cell + 1) * width),
        this.near.subarray(tap * width * policy.length, (tap + 1) * width * policy.length),
        policy,
      );
    }
    readValue(out, policy.length, headsBias.subarray(policy.length), this.value, this.outcomeBias, this.outcome);
    return this;
  }
}

/** Add x [n] times weights [n, m] to out [m]. */
function addProduct(x, weights, out) {
  const columns = out.length;
  for (let k = 0; k < x.length; k += 1) {
    if (x[k] === 0) continue;
    for (let j = 0; j < columns; j += 1) out[j] += x[k] * weights[k * columns + j];
  }
}
