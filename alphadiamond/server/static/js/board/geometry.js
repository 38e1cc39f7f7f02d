// Where squares lie on the picture, in hundredths of a unit, and which of them an arrow key means.

export const UNIT = 100;

export class Geometry {
  constructor(drawing, flipped = false) {
    this.drawing = drawing;
    this.flipped = flipped && drawing.columns.length === 0; // what falls falls down
    this.reach = drawing.reach * UNIT;
    this.radius = drawing.radius * UNIT;
    this.hole = drawing.hole * UNIT;
  }

  /** A point of the drawing on the picture, whose y runs down. */
  /** @returns {[number, number]} */
  at(x, y) {
    const turn = this.flipped ? -1 : 1;
    return [x * UNIT * turn, -y * UNIT * turn];
  }

  point(square) {
    const [x, y] = this.drawing.points[square];
    return this.at(x, y);
  }

  /** Where a piece is held before it falls into a column. */
  above(column) {
    const cells = this.drawing.columns[column];
    const [x, y] = this.drawing.points[cells[cells.length - 1]];
    return this.at(x, y + 1.12);
  }

  /** How many things can be clicked. */
  get spots() {
    return this.drawing.columns.length || this.drawing.points.length;
  }

  /** Whether the squares are squares, side by side. */
  get squared() {
    return ["checkers", "cells", "maze"].includes(this.drawing.surface);
  }

  /** Left, top, width and height of a piece that covers these squares. */
  cover(squares) {
    const points = squares.map((square) => this.point(square));
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return [
      left - 0.42 * UNIT,
      top - 0.42 * UNIT,
      Math.max(...xs) - left + 0.84 * UNIT,
      Math.max(...ys) - top + 0.84 * UNIT,
    ];
  }

  /** What a click on a square means. */
  spotOf(square) {
    const column = this.drawing.columns.findIndex((cells) => cells.includes(square));
    return column < 0 ? square : column;
  }

  /** Left, top, width and height of a spot on the picture. */
  box(spot) {
    const { columns, touch } = this.drawing;
    if (columns.length) {
      const [x, low] = this.point(columns[spot][0]);
      const [, high] = this.above(spot);
      return [x - UNIT / 2, high - UNIT / 2, UNIT, low - high + UNIT];
    }
    const [x, y] = this.point(spot);
    const half = this.squared ? UNIT / 2 : touch * UNIT;
    return [x - half, y - half, 2 * half, 2 * half];
  }

  /** Left, top, right and bottom of the cells, half a cell around their middles. */
  extent() {
    const points = this.drawing.points.map((_, square) => this.point(square));
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    return [
      Math.min(...xs) - UNIT / 2,
      Math.min(...ys) - UNIT / 2,
      Math.max(...xs) + UNIT / 2,
      Math.max(...ys) + UNIT / 2,
    ];
  }

  /** The nearest spot in a direction, straight ones preferred; the same if there is none. */
  towards(spot, [right, down]) {
    const { columns, points } = this.drawing;
    if (columns.length) {
      const beside = spot + right;
      return right && beside >= 0 && beside < columns.length ? beside : spot;
    }
    const [x, y] = this.point(spot);
    let best = spot;
    let least = Infinity;
    points.forEach((_, other) => {
      if (other === spot) return;
      const [ox, oy] = this.point(other);
      const length = Math.hypot(ox - x, oy - y);
      const along = ((ox - x) * right + (oy - y) * down) / length;
      const cost = length * (1 + 2.2 * (1 - along));
      if (along >= 0.45 && cost < least) [best, least] = [other, cost];
    });
    return best;
  }
}
