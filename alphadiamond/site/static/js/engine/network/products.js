// Matrix products for the networks, as WebAssembly with vectors of four floats, or as plain loops where there is none.
//
// `out[r] (+)= sum over k of a[r, k] * w[k]`, for 16 columns at a time and for two rows or one. Weights are packed by
// `pack`: 16 columns after 16 columns, each with its whole depth, so that they are read in a row.

import {
  add,
  constant,
  differs,
  either,
  four,
  get,
  grow,
  I32,
  isBelow,
  load,
  minus,
  moduleBytes,
  multiply,
  plus,
  repeat,
  set,
  spread,
  store,
  times,
  V128,
  whileTrue,
} from "./wasm.js";
import { convolution, plainConvolve } from "./winograd.js";

export const COLUMNS = 16;
const PAGE = 65536;

export const padded = (columns) => COLUMNS * Math.ceil(columns / COLUMNS);

/** A matrix [depth, columns] in the order in which the kernel reads it, missing columns as zeros. */
export function pack(matrix, depth, columns, out) {
  let at = 0;
  for (let first = 0; first < columns; first += COLUMNS) {
    for (let k = 0; k < depth; k += 1) {
      for (let c = 0; c < COLUMNS; c += 1) out[at++] = first + c < columns ? matrix[k * columns + first + c] : 0;
    }
  }
}

const [OUT, A, W, ROWS, A_STEP, OUT_STEP, DEPTH, PANELS, ADDS] = Array.from({ length: 9 }, (_, k) => k);
const [ROW, IN0, IN1, TO0, TO1, AT, END, INPUT, OUTPUT, FIRST_VECTOR] = Array.from({ length: 10 }, (_, k) => 9 + k);
const [SUMS, WEIGHTS, VALUE] = [FIRST_VECTOR, FIRST_VECTOR + 8, FIRST_VECTOR + 12];

/** One or two rows times the 16 columns whose weights begin at W. */
function tile(rows) {
  const quarters = [0, 1, 2, 3];
  const each = Array.from({ length: rows }, (_, r) => r);
  const sum = (r, c) => SUMS + 4 * r + c;
  const [inputs, outputs] = [
    [IN0, IN1],
    [TO0, TO1],
  ];
  const sums = (value) => each.map((r) => quarters.map((c) => set(sum(r, c), value(r, c)))).flat(Infinity);
  return [
    each.map((r) => [
      set(inputs[r], plus(get(INPUT), times(get(A_STEP), constant(r)))),
      set(outputs[r], plus(get(OUTPUT), times(get(OUT_STEP), constant(r)))),
    ]),
    either(
      get(ADDS),
      sums((r, c) => load(get(outputs[r]), 16 * c)),
      sums(() => four(0)),
    ),
    set(AT, get(W)),
    set(END, plus(get(AT), times(get(DEPTH), constant(64)))),
    repeat(
      differs(get(AT), get(END)),
      quarters.map((c) => set(WEIGHTS + c, load(get(AT), 16 * c))),
      each.map((r) =>
        [
          set(VALUE, spread(get(inputs[r]))),
          quarters.map((c) => set(sum(r, c), add(get(sum(r, c)), multiply(get(VALUE), get(WEIGHTS + c))))),
          grow(inputs[r], constant(4)),
        ].flat(2),
      ),
      grow(AT, constant(64)),
    ),
    each.map((r) => quarters.map((c) => store(get(outputs[r]), get(sum(r, c)), 16 * c))),
    set(INPUT, plus(get(INPUT), times(get(A_STEP), constant(rows)))),
    set(OUTPUT, plus(get(OUTPUT), times(get(OUT_STEP), constant(rows)))),
  ].flat(Infinity);
}

const product = {
  name: "multiply",
  params: new Array(9).fill(I32),
  locals: [
    [9, I32],
    [13, V128],
  ],
  body: whileTrue(
    get(PANELS),
    set(INPUT, get(A)),
    set(OUTPUT, get(OUT)),
    set(ROW, get(ROWS)),
    whileTrue(isBelow(constant(1), get(ROW)), tile(2), set(ROW, minus(get(ROW), constant(2)))),
    either(get(ROW), tile(1)),
    set(W, get(AT)),
    grow(OUT, constant(64)),
    set(PANELS, minus(get(PANELS), constant(1))),
  ),
};

/** The same in plain loops on the floats of a memory; places are in bytes, as the kernel has them. */
export function plainMultiply(floats, out, a, w, rows, aStep, outStep, depth, panels, adds) {
  const sums = new Float32Array(COLUMNS);
  for (let panel = 0; panel < panels; panel += 1) {
    for (let row = 0; row < rows; row += 1) {
      const to = ((out + row * outStep) >> 2) + panel * COLUMNS;
      const from = (a + row * aStep) >> 2;
      for (let c = 0; c < COLUMNS; c += 1) sums[c] = adds ? floats[to + c] : 0;
      let at = (w >> 2) + panel * depth * COLUMNS;
      for (let k = 0; k < depth; k += 1, at += COLUMNS) {
        const value = floats[from + k];
        for (let c = 0; c < COLUMNS; c += 1) sums[c] += value * floats[at + c];
      }
      for (let c = 0; c < COLUMNS; c += 1) floats[to + c] = sums[c];
    }
  }
}

/** Room for floats, and products on them; `plain` asks for the loops. */
export class Products {
  #used = 0;

  constructor(floats, { plain = false } = {}) {
    const pages = Math.ceil((4 * floats + 1024) / PAGE);
    this.memory = plain ? null : vectorMemory(pages);
    const buffer = this.memory ? this.memory.buffer : new ArrayBuffer(pages * PAGE);
    this.floats = new Float32Array(buffer);
    this.wholes = new Int32Array(buffer);
    this.vectors = this.memory !== null;
    /** @type {any} */
    const kernels = this.vectors
      ? new WebAssembly.Instance(compiled(), { engine: { memory: this.memory } }).exports
      : {
          multiply: (...numbers) => plainMultiply(this.floats, ...numbers),
          convolve: (...numbers) => plainConvolve(this, ...numbers),
        };
    this.multiply = kernels.multiply;
    this.convolve = kernels.convolve;
  }

  /** So many floats, as a place in bytes; they are zero and begin at a multiple of 16 of them. */
  room(floats) {
    const place = this.#used;
    this.#used += 4 * padded(floats);
    if (this.#used > this.floats.byteLength)
      throw new RangeError("the network does not fit into the room that was made for it");
    return place;
  }

  /** A packed copy of a matrix [depth, columns], as a place in bytes. */
  matrix(values, depth, columns) {
    const place = this.room(depth * padded(columns));
    pack(values, depth, columns, this.floats.subarray(place >> 2));
    return place;
  }

  /** A copy of whole numbers, as a place in bytes. */
  table(values) {
    const place = this.room(values.length);
    this.wholes.set(values, place >> 2);
    return place;
  }

  view(place, floats) {
    return this.floats.subarray(place >> 2, (place >> 2) + floats);
  }
}

let kernel; // undefined: not tried yet; null: this browser has no vectors
function compiled() {
  if (kernel === undefined) {
    try {
      kernel = new WebAssembly.Module(moduleBytes([product, convolution]));
    } catch {
      kernel = null;
    }
  }
  return kernel;
}

function vectorMemory(pages) {
  return typeof WebAssembly === "object" && compiled() ? new WebAssembly.Memory({ initial: pages }) : null;
}
