// The convolution on a grid, 3 x 3 with a margin of nothing, with heads on all cells, or where the pieces
// stand: `network/conv.py`.

import { readValue } from "./basis.js";
import { normaliseAndRectify, roomFor } from "./layers.js";
import { pack, padded, Products } from "./products.js";
import { POINTS, pointWeights, TILE } from "./winograd.js";

/** Planes of a board that tiles cover, with a margin of one cell: [rows + 2, columns + 2, channels], the channels
 * padded, and one more cell, where tiles write what is not on the board. */
class Board {
  constructor(products, [rows, columns], channels) {
    this.grid = [rows, columns];
    this.columns = columns;
    this.stride = padded(channels);
    this.across = TILE * Math.ceil(columns / TILE) + 2;
    const down = TILE * Math.ceil(rows / TILE) + 2;
    const floats = (down * this.across + 1) * this.stride;
    this.place = products.room(floats);
    this.view = products.view(this.place, floats);
    const [corners, cells] = [[], []];
    for (let row = 0; row < rows; row += TILE) {
      for (let column = 0; column < columns; column += TILE) {
        corners.push(4 * this.at(row - 1, column - 1));
        for (let k = 0; k < TILE * TILE; k += 1) {
          const [r, c] = [row + Math.trunc(k / TILE), column + (k % TILE)];
          cells.push(4 * (r < rows && c < columns ? this.at(r, c) : floats - this.stride));
        }
      }
    }
    this.tiles = corners.length;
    this.corners = products.table(corners);
    this.cells = products.table(cells);
  }

  /** Where a cell begins, in floats. */
  at(row, column) {
    return ((row + 1) * this.across + column + 1) * this.stride;
  }

  /** Where cell after cell begins. */
  places() {
    return Int32Array.from({ length: this.grid[0] * this.columns }, (_, cell) =>
      this.at(Math.trunc(cell / this.columns), cell % this.columns),
    );
  }

  /** The floats of a board on which every cell holds the same. */
  filled(channels) {
    const floats = new Float32Array(this.view.length);
    for (const at of this.places()) floats.set(channels, at);
    return floats;
  }
}

/** A convolution between boards of one size. */
class Convolution {
  constructor(products, { shape: [, inner, outer], values }, room) {
    const matrices = pointWeights(values, inner, outer);
    const depth = padded(inner);
    this.products = products;
    this.room = room;
    this.panels = padded(outer) >> 4;
    this.weights = products.room(POINTS * depth * padded(outer));
    matrices.forEach((matrix, point) => {
      const whole = new Float32Array(depth * outer); // the padding of a cell is multiplied by nothing
      whole.set(matrix);
      pack(
        whole,
        depth,
        outer,
        products.view(this.weights, POINTS * depth * padded(outer)).subarray(point * depth * padded(outer)),
      );
    });
  }

  /** Add it to what `to` holds; `above` 0 leaves nothing below 0 there. */
  add(from, to, above) {
    this.products.convolve(
      from.place,
      from.corners,
      4 * from.across * from.stride,
      4 * from.stride,
      this.room.seen,
      this.weights,
      this.room.answers,
      from.tiles,
      4 * to.stride,
      this.panels,
      to.place,
      to.cells,
      above,
    );
  }
}

/** The layers that all convolutions share: from inputs to the board that the heads read. */
class ConvTrunk {
  constructor(products, { header, arrays }) {
    const { grid, width, blocks, planes, globals } = header;
    this.planes = planes;
    this.globals = globals;
    this.input = new Board(products, grid, planes + globals);
    this.x = new Board(products, grid, width);
    this.h = new Board(products, grid, width);
    this.inputPlaces = this.input.places();
    this.places = this.x.places();
    const widest = POINTS * this.x.tiles * Math.max(this.input.stride, this.x.stride);
    const room = { seen: products.room(widest), answers: products.room(widest) };
    const convolution = (name) => new Convolution(products, arrays[name], room);
    this.enter = convolution("enter");
    this.enterBias = this.x.filled(arrays.enter_bias.values);
    this.stack = Array.from({ length: blocks }, (_, k) => ({
      first: convolution(`block${k}.first`),
      bias: this.h.filled(arrays[`block${k}.bias`].values),
      second: convolution(`block${k}.second`),
    }));
  }

  /** Floats that the trunk of a network takes in all. */
  static floats({ grid: [rows, columns], width, blocks, planes, globals }) {
    const [cells, wide] = [(rows + 5) * (columns + 5), Math.max(padded(width), padded(planes + globals))];
    return POINTS * wide * padded(width) * (1 + 2 * blocks) + (3 + 2 * POINTS) * cells * wide;
  }

  run(row) {
    const { planes, globals, input, x, h, inputPlaces } = this;
    const cells = inputPlaces.length;
    for (let cell = 0; cell < cells; cell += 1) {
      const at = inputPlaces[cell];
      for (let p = 0; p < planes; p += 1) input.view[at + p] = row[p * cells + cell];
      for (let g = 0; g < globals; g += 1) input.view[at + planes + g] = row[planes * cells + g];
    }
    x.view.set(this.enterBias);
    this.enter.add(input, x, -Infinity);
    for (const { first, bias, second } of this.stack) {
      h.view.set(bias);
      first.add(x, h, 0);
      second.add(h, x, -Infinity);
    }
    return x;
  }

  /** Cell after cell without margin and padding. */
  copy(flat, width) {
    const {
      x: { view },
      places,
    } = this;
    for (let cell = 0; cell < places.length; cell += 1) {
      for (let c = 0; c < width; c += 1) flat[cell * width + c] = view[places[cell] + c];
    }
  }
}

export class ConvNetwork {
  constructor(network, options) {
    const { header, arrays } = network;
    const products = new Products(roomFor(arrays) + ConvTrunk.floats(header), options);
    this.actions = header.actions;
    this.products = products;
    this.trunk = new ConvTrunk(products, network);
    this.width = header.width;
    this.units = this.trunk.places.length * header.width;
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
    trunk.run(row);
    trunk.copy(flat.view, width);
    normaliseAndRectify(flat.view, this.units);
    this.products.multiply(out.place, flat.place, this.heads.place, 1, 0, 0, this.units, this.heads.panels, 0);
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
    this.products = new Products(ConvTrunk.floats(header), options);
    this.trunk = new ConvTrunk(this.products, network);
    this.pieces = header.pieces;
    this.width = header.width;
    this.near = arrays.near.values; // [9, width, actions]
    this.heads = arrays.heads.values; // [pieces + 2, width, actions + hidden]
    this.headsBias = arrays.heads_bias.values;
    this.value = arrays.value.values;
    this.outcomeBias = arrays.outcome_bias.values;
    this.flat = new Float32Array(this.trunk.places.length * this.width);
    this.known = new Float32Array((this.pieces.length + 2) * this.width);
    this.out = new Float32Array(this.headsBias.length);
    this.policy = new Float32Array(header.actions);
    this.outcome = new Float32Array(3);
  }

  logits(row) {
    const { trunk, width, flat, known, out, policy, headsBias } = this;
    const cells = trunk.places.length;
    const [rows, columns] = trunk.run(row).grid;
    trunk.copy(flat, width);
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
    const [row0, column0] = [Math.trunc(places[0] / columns) - 1, (places[0] % columns) - 1];
    for (let tap = 0; tap < 9; tap += 1) {
      const [r, c] = [row0 + Math.trunc(tap / 3), column0 + (tap % 3)];
      if (r < 0 || r >= rows || c < 0 || c >= columns) continue;
      const cell = r * columns + c;
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
