// Matrix products for the networks, as WebAssembly with vectors of four floats, or as plain loops where there is none.
//
// There is one kernel, and it is written out here as instructions: `out[r] (+)= sum over k of a[r, k] * w[k]`, for 16
// columns at a time and for two rows or one. What it reads of a row may lie in several runs of memory (`runs` of
// `depth` floats, `gap` bytes from one to the next): three runs are a 3 x 3 convolution on a board with a margin.
//
// Weights are packed by `pack`: 16 columns after 16 columns, each with its whole depth, so that they are read in a row.

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

// The instructions of WebAssembly that the kernel needs.

const number = (value) => {
  const bytes = [];
  do {
    const byte = value & 0x7f;
    value >>>= 7;
    bytes.push(value ? byte | 0x80 : byte);
  } while (value);
  return bytes;
};
const list = (items) => [...number(items.length), ...items.flat()];
const get = (local) => [0x20, ...number(local)];
const set = (local, ...value) => [...value.flat(), 0x21, ...number(local)];
const constant = (value) => [0x41, ...(value < 64 ? [value] : [value | 0x80, 0])]; // up to 127
const plus = (a, b) => [...a, ...b, 0x6a];
const minus = (a, b) => [...a, ...b, 0x6b];
const times = (a, b) => [...a, ...b, 0x6c];
const grow = (local, by) => set(local, plus(get(local), by));
const whileTrue = (condition, ...body) => [
  0x02,
  0x40,
  0x03,
  0x40,
  ...condition,
  0x45,
  0x0d,
  1,
  ...body.flat(),
  0x0c,
  0,
  0x0b,
  0x0b,
];
const repeat = (...body) => [0x03, 0x40, ...body.flat(), 0x0b]; // the body ends with a condition to go on
const again = [0x0d, 0];
const vector = (code, ...rest) => [0xfd, ...number(code), ...rest];
const load = (place, offset) => [...place, ...vector(0, 2, ...number(offset))];
const spread = (place) => [...place, ...vector(9, 2, 0)];
const store = (place, value, offset) => [...place, ...value, ...vector(11, 2, ...number(offset))];
const add = (a, b) => [...a, ...b, ...vector(228)];
const multiply = (a, b) => [...a, ...b, ...vector(230)];
const zero = vector(12, ...new Array(16).fill(0));

const [OUT, A, W, ROWS, A_STEP, OUT_STEP, RUNS, DEPTH, GAP, PANELS, ADDS] = Array.from({ length: 11 }, (_, k) => k);
const [ROW, IN0, IN1, TO0, TO1, AT, END, RUN, INPUT, OUTPUT, FIRST_VECTOR] = Array.from(
  { length: 11 },
  (_, k) => 11 + k,
);
const [SUMS, WEIGHTS, VALUE] = [FIRST_VECTOR, FIRST_VECTOR + 8, FIRST_VECTOR + 12];

/** One or two rows times the 16 columns whose weights begin at W. */
function tile(rows) {
  const four = [0, 1, 2, 3];
  const each = Array.from({ length: rows }, (_, r) => r);
  const sum = (r, c) => SUMS + 4 * r + c;
  const [inputs, outputs] = [
    [IN0, IN1],
    [TO0, TO1],
  ];
  return [
    each.map((r) => [
      set(inputs[r], plus(get(INPUT), times(get(A_STEP), constant(r)))),
      set(outputs[r], plus(get(OUTPUT), times(get(OUT_STEP), constant(r)))),
    ]),
    get(ADDS),
    0x04,
    0x40,
    each.map((r) => four.map((c) => set(sum(r, c), load(get(outputs[r]), 16 * c)))),
    0x05,
    each.map((r) => four.map((c) => set(sum(r, c), zero))),
    0x0b,
    set(AT, get(W)),
    set(RUN, get(RUNS)),
    repeat(
      set(END, plus(get(AT), times(get(DEPTH), constant(64)))),
      repeat(
        four.map((c) => set(WEIGHTS + c, load(get(AT), 16 * c))),
        each.map((r) => [
          set(VALUE, spread(get(inputs[r]))),
          four.map((c) => set(sum(r, c), add(get(sum(r, c)), multiply(get(VALUE), get(WEIGHTS + c))))),
          grow(inputs[r], constant(4)),
        ]),
        grow(AT, constant(64)),
        [...get(AT), ...get(END), 0x47],
        again, // not equal
      ),
      each.map((r) => grow(inputs[r], minus(get(GAP), times(get(DEPTH), constant(4))))),
      set(RUN, minus(get(RUN), constant(1))),
      get(RUN),
      again,
    ),
    each.map((r) => four.map((c) => store(get(outputs[r]), get(sum(r, c)), 16 * c))),
    set(INPUT, plus(get(INPUT), times(get(A_STEP), constant(rows)))),
    set(OUTPUT, plus(get(OUTPUT), times(get(OUT_STEP), constant(rows)))),
  ].flat(Infinity);
}

/** The module: it imports a memory and exports `multiply`. */
export function moduleBytes() {
  const body = [
    whileTrue(
      get(PANELS),
      set(INPUT, get(A)),
      set(OUTPUT, get(OUT)),
      set(ROW, get(ROWS)),
      whileTrue([...constant(1), ...get(ROW), 0x49], tile(2), set(ROW, minus(get(ROW), constant(2)))), // 1 < rows left
      get(ROW),
      [0x04, 0x40],
      tile(1),
      [0x0b],
      set(W, get(AT)),
      grow(OUT, constant(64)),
      set(PANELS, minus(get(PANELS), constant(1))),
    ),
    0x0b,
  ].flat(Infinity);
  const locals = list([
    [...number(10), 0x7f],
    [...number(13), 0x7b],
  ]);
  const code = [...locals, ...body];
  const section = (id, content) => [id, ...number(content.length), ...content];
  const name = (text) => list([...text].map((letter) => letter.charCodeAt(0)));
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, list([[0x60, ...list(new Array(11).fill(0x7f)), 0]])),
    ...section(2, list([[...name("engine"), ...name("memory"), 2, 0, 1]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...name("multiply"), 0, 0]])),
    ...section(10, list([[...number(code.length), ...code]])),
  ]);
}

/** The same in plain loops on the floats of a memory; places are in bytes, as the kernel has them. */
export function plainMultiply(floats, out, a, w, rows, aStep, outStep, runs, depth, gap, panels, adds) {
  const sums = new Float32Array(COLUMNS);
  const size = runs * depth * COLUMNS;
  for (let panel = 0; panel < panels; panel += 1) {
    for (let row = 0; row < rows; row += 1) {
      const to = (out >> 2) + panel * COLUMNS + ((row * outStep) >> 2);
      for (let c = 0; c < COLUMNS; c += 1) sums[c] = adds ? floats[to + c] : 0;
      let at = (w >> 2) + panel * size;
      for (let run = 0; run < runs; run += 1) {
        const from = (a + row * aStep + run * gap) >> 2;
        for (let k = 0; k < depth; k += 1, at += COLUMNS) {
          const value = floats[from + k];
          for (let c = 0; c < COLUMNS; c += 1) sums[c] += value * floats[at + c];
        }
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
    this.vectors = this.memory !== null;
    /** @type {any} */
    this.multiply = this.vectors
      ? new WebAssembly.Instance(compiled(), { engine: { memory: this.memory } }).exports.multiply
      : (...numbers) => plainMultiply(this.floats, ...numbers);
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

  view(place, floats) {
    return this.floats.subarray(place >> 2, (place >> 2) + floats);
  }
}

let kernel; // undefined: not tried yet; null: this browser has no vectors
function compiled() {
  if (kernel === undefined) {
    try {
      kernel = new WebAssembly.Module(moduleBytes());
    } catch {
      kernel = null;
    }
  }
  return kernel;
}

function vectorMemory(pages) {
  return typeof WebAssembly === "object" && compiled() ? new WebAssembly.Memory({ initial: pages }) : null;
}
