// Convolutions of 3 x 3 by way of Winograd (Lavin and Gray, 2015): a tile of 3 x 3 cells and what is around it, 5 x 5,
// is seen at 25 points, each point is one product of matrices for all tiles together, and 25 answers make up the tile:
// 25 products for 9 cells instead of 81.

import {
  add,
  call,
  constant,
  differs,
  F32,
  four,
  get,
  greater,
  grow,
  I32,
  load,
  minus,
  multiply,
  plus,
  quarter,
  repeat,
  set,
  splat,
  store,
  subtract,
  times,
  V128,
  wholeAt,
} from "./wasm.js";

export const TILE = 3;
const SEEN = 5; // cells of a tile with its surroundings, and points, in each direction
export const POINTS = SEEN * SEEN;

// A line of five cells at the points 0, 1, -1, 2 and infinity; three weights there; and three sums from there.
const ENTER = [
  [2, -1, -2, 1, 0],
  [0, -2, -1, 1, 0],
  [0, 2, -3, 1, 0],
  [0, -1, 0, 1, 0],
  [0, 2, -1, -2, 1],
];
const WEIGH = [
  [1 / 2, 0, 0],
  [-1 / 2, -1 / 2, -1 / 2],
  [-1 / 6, 1 / 6, -1 / 6],
  [1 / 6, 1 / 3, 2 / 3],
  [0, 0, 1],
];
const LEAVE = [
  [1, 1, 1, 1, 0],
  [0, 1, -1, 2, 0],
  [0, 1, 1, 4, 1],
];

/** Weights [9, inner, outer] at the points, as 25 matrices [inner, outer], column by column of the points. */
export function pointWeights(values, inner, outer) {
  return Array.from({ length: POINTS }, (_, point) => {
    const [across, down] = [WEIGH[Math.trunc(point / SEEN)], WEIGH[point % SEEN]];
    const matrix = new Float32Array(inner * outer);
    for (let k = 0; k < matrix.length; k += 1) {
      let sum = 0;
      for (let tap = 0; tap < 9; tap += 1)
        sum += down[Math.trunc(tap / 3)] * across[tap % 3] * values[tap * matrix.length + k];
      matrix[k] = sum;
    }
    return matrix;
  });
}

// `from` and `to` are boards, `inputs` and `outputs` where cells lie on them, in bytes: of each tile the corner of what
// it sees, and each of its nine cells. `above` 0 keeps what is below 0 out of `to`, -Infinity does not.
const [FROM, INPUTS, ROW_STEP, INNER, SEEN_AT, WEIGHTS, ANSWERS, TILES, OUTER, PANELS, TO, OUTPUTS, ABOVE] = Array.from(
  { length: 13 },
  (_, k) => k,
);
const [LEFT, AT, END, CELL, STEP, ROW, FIRST_VECTOR] = Array.from({ length: 7 }, (_, k) => 13 + k);
const [LINE, KEPT, FLOOR] = [FIRST_VECTOR, FIRST_VECTOR + SEEN, FIRST_VECTOR + SEEN + POINTS];
const points = [0, 1, 2, 3, 4];
const cells = [0, 1, 2];

/** A sum of vectors by the factors of a row of a matrix. */
function combined(factors, values) {
  let sum = null;
  factors
    .map((factor, k) => [factor, values[k]])
    .filter(([factor]) => factor)
    .sort(([a], [b]) => b - a)
    .forEach(([factor, value]) => {
      const term = Math.abs(factor) === 1 ? value : multiply(value, four(Math.abs(factor)));
      sum = sum === null ? term : factor > 0 ? add(sum, term) : subtract(sum, term);
    });
  return sum;
}

/** What all tiles see at the points, four channels at a time: [point, tile, channel]. */
const enter = [
  set(STEP, times(get(TILES), get(INNER))),
  set(LEFT, get(TILES)),
  repeat(
    get(LEFT),
    set(AT, plus(get(FROM), wholeAt(get(INPUTS)))),
    set(END, plus(get(AT), get(INNER))),
    repeat(
      differs(get(AT), get(END)),
      set(ROW, get(AT)),
      points
        .map((row) => [
          set(CELL, get(ROW)),
          points.map((column) => [set(LINE + column, load(get(CELL))), grow(CELL, get(INNER))]),
          points.map((point) =>
            set(
              KEPT + SEEN * row + point,
              combined(
                ENTER[point],
                points.map((column) => get(LINE + column)),
              ),
            ),
          ),
          grow(ROW, get(ROW_STEP)),
        ])
        .flat(Infinity),
      set(CELL, get(SEEN_AT)),
      points
        .map((across) =>
          points.map((down) => [
            store(
              get(CELL),
              combined(
                ENTER[down],
                points.map((row) => get(KEPT + SEEN * row + across)),
              ),
            ),
            grow(CELL, get(STEP)),
          ]),
        )
        .flat(Infinity),
      grow(AT, constant(16)),
      grow(SEEN_AT, constant(16)),
    ),
    grow(INPUTS, constant(4)),
    set(LEFT, minus(get(LEFT), constant(1))),
  ),
  set(SEEN_AT, minus(get(SEEN_AT), get(STEP))), // where it began
];

/** The answers, added to the cells of the tiles. */
const leave = [
  set(STEP, times(get(TILES), get(OUTER))),
  set(FLOOR, splat(get(ABOVE))),
  set(LEFT, get(TILES)),
  repeat(
    get(LEFT),
    set(AT, get(TO)),
    set(END, plus(get(TO), get(OUTER))),
    repeat(
      differs(get(AT), get(END)),
      set(CELL, get(ANSWERS)),
      points
        .map((across) => [
          points.map((down) => [set(LINE + down, load(get(CELL))), grow(CELL, get(STEP))]),
          cells.map((row) =>
            set(
              KEPT + SEEN * row + across,
              combined(
                LEAVE[row],
                points.map((down) => get(LINE + down)),
              ),
            ),
          ),
        ])
        .flat(Infinity),
      cells
        .map((row) =>
          cells.map((column) => [
            set(CELL, plus(get(AT), wholeAt(get(OUTPUTS), 4 * (TILE * row + column)))),
            store(
              get(CELL),
              greater(
                add(
                  load(get(CELL)),
                  combined(
                    LEAVE[column],
                    points.map((across) => get(KEPT + SEEN * row + across)),
                  ),
                ),
                get(FLOOR),
              ),
            ),
          ]),
        )
        .flat(Infinity),
      grow(AT, constant(16)),
      grow(ANSWERS, constant(16)),
    ),
    grow(OUTPUTS, constant(4 * TILE * TILE)),
    set(LEFT, minus(get(LEFT), constant(1))),
  ),
];

/** The kernel; the product of matrices is function 0 of its module. */
export const convolution = {
  name: "convolve",
  params: [...new Array(12).fill(I32), F32],
  locals: [
    [6, I32],
    [SEEN + POINTS + 1, V128],
  ],
  body: [
    enter,
    set(LEFT, constant(POINTS)),
    set(AT, get(ANSWERS)),
    set(CELL, get(SEEN_AT)),
    repeat(
      get(LEFT),
      call(
        0,
        get(AT),
        get(CELL),
        get(WEIGHTS),
        get(TILES),
        get(INNER),
        get(OUTER),
        quarter(get(INNER)),
        get(PANELS),
        constant(0),
      ),
      grow(AT, times(get(TILES), get(OUTER))),
      grow(CELL, get(STEP)),
      grow(WEIGHTS, times(get(INNER), times(get(PANELS), constant(16)))),
      set(LEFT, minus(get(LEFT), constant(1))),
    ),
    leave,
  ],
};

/** The same in plain loops. */
export function plainConvolve(
  { floats, wholes, multiply: product },
  from,
  inputs,
  rowStep,
  inner,
  seenAt,
  weights,
  answers,
  tiles,
  outer,
  panels,
  to,
  outputs,
  above,
) {
  const [depth, width] = [inner >> 2, outer >> 2];
  const lines = new Float64Array(POINTS);
  for (let tile = 0; tile < tiles; tile += 1) {
    const corner = (from + wholes[(inputs >> 2) + tile]) >> 2;
    for (let c = 0; c < depth; c += 1) {
      for (let row = 0; row < SEEN; row += 1) {
        for (let point = 0; point < SEEN; point += 1) {
          lines[SEEN * row + point] = points.reduce(
            (sum, column) => sum + ENTER[point][column] * floats[corner + row * (rowStep >> 2) + column * depth + c],
            0,
          );
        }
      }
      for (let point = 0; point < POINTS; point += 1) {
        const [across, down] = [Math.trunc(point / SEEN), point % SEEN];
        floats[(seenAt >> 2) + (point * tiles + tile) * depth + c] = points.reduce(
          (sum, row) => sum + ENTER[down][row] * lines[SEEN * row + across],
          0,
        );
      }
    }
  }
  for (let point = 0; point < POINTS; point += 1) {
    product(
      answers + point * tiles * outer,
      seenAt + point * tiles * inner,
      weights + point * inner * panels * 16,
      tiles,
      inner,
      outer,
      depth,
      panels,
      0,
    );
  }
  for (let tile = 0; tile < tiles; tile += 1) {
    for (let c = 0; c < width; c += 1) {
      for (let row = 0; row < TILE; row += 1) {
        for (let across = 0; across < SEEN; across += 1) {
          lines[SEEN * row + across] = points.reduce(
            (sum, down) =>
              sum + LEAVE[row][down] * floats[(answers >> 2) + ((SEEN * across + down) * tiles + tile) * width + c],
            0,
          );
        }
      }
      for (let cell = 0; cell < TILE * TILE; cell += 1) {
        const [row, column] = [Math.trunc(cell / TILE), cell % TILE];
        const at = ((to + wholes[(outputs >> 2) + TILE * TILE * tile + cell]) >> 2) + c;
        floats[at] = Math.max(
          above,
          points.reduce((sum, across) => sum + LEAVE[column][across] * lines[SEEN * row + across], floats[at]),
        );
      }
    }
  }
}
