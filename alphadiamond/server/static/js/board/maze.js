// A maze by torchlight: floor between raised walls, traps, what is to be gained, homes, and the light of the runners.

import { s } from "../dom.js";
import { UNIT } from "./geometry.js";

const FRAME = 0.32 * UNIT;
const HEIGHT = 0.15 * UNIT;
const ROUND = 0.2 * UNIT;

const words = (text, x, y) =>
  s("text", { x, y, class: "board-name frame-name", "text-anchor": "middle", "dominant-baseline": "central" }, text);

/** A square's floor, `gap` inside its edge. */
export const cell = (look, gap, rx) =>
  s("rect", {
    x: gap - UNIT / 2,
    y: gap - UNIT / 2,
    width: UNIT - 2 * gap,
    height: UNIT - 2 * gap,
    class: look,
    rx,
  });

/** The wall around it with the names of rows and columns. */
export function maze(geometry, id) {
  const { drawing } = geometry;
  const [left, top, right, bottom] = geometry.extent();
  const turned = (list) => (geometry.flipped ? [...list].reverse() : list);
  const frame = {
    x: left - FRAME,
    y: top - FRAME,
    width: right - left + 2 * FRAME,
    height: bottom - top + 2 * FRAME,
    rx: 16,
  };
  return {
    defs: [
      s(
        "filter",
        { id: `${id}-stone`, x: 0, y: 0, width: 1, height: 1 },
        s("feTurbulence", { type: "fractalNoise", baseFrequency: "0.05", numOctaves: 3, seed: 4 }),
        s("feColorMatrix", { type: "matrix", values: "0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0.7 0 0 0 -0.22" }),
      ),
      s(
        "radialGradient",
        { id: `${id}-torch` },
        s("stop", { offset: 0, class: "torch-near" }),
        s("stop", { offset: 0.35, class: "torch-mid" }),
        s("stop", { offset: 1, class: "torch-far" }),
      ),
    ],
    below: [
      s("rect", { ...frame, class: "maze-frame" }),
      s(
        "g",
        {},
        turned(drawing.column_names).map((name, column) =>
          words(name, left + (column + 0.5) * UNIT, bottom + FRAME / 2),
        ),
      ),
      s(
        "g",
        {},
        turned(drawing.row_names).map((name, row) => words(name, left - FRAME / 2, top + (row + 0.5) * UNIT)),
      ),
      s("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "maze-floor" }),
      s("rect", {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
        filter: `url(#${id}-stone)`,
        class: "grain",
      }),
    ],
    above: [],
  };
}

/** A wall's outline: a corner is round where both of its sides are free. */
function outline([x, y], free) {
  const half = UNIT / 2 + 0.4; // a hair over the edge, or seams would show
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  const parts = corners.map(([dx, dy], number) => {
    const rounded = free(dx, 0) && free(0, dy) ? ROUND : 0;
    const [cx, cy] = [x + dx * half, y + dy * half];
    const ends = [
      [cx, cy - dy * rounded],
      [cx - dx * rounded, cy],
    ]; // on the upright and on the level side
    const [enter, leave] = number % 2 ? ends.reverse() : ends;
    return `${number ? "L" : "M"}${enter.join(" ")}${rounded ? `Q${cx} ${cy} ${leave.join(" ")}` : ""}`;
  });
  return `${parts.join("")}Z`;
}

const spikes = () =>
  [-1, 0, 1].flatMap((row) =>
    [-1, 0, 1].map((column) => {
      const [x, y] = [column * 0.2 * UNIT, row * 0.2 * UNIT + 0.06 * UNIT];
      return s("path", { d: `M${x - 5} ${y}L${x} ${y - 15}L${x + 5} ${y}Z`, class: "spike" });
    }),
  );

const ITEMS = {
  T: () => [
    s("rect", { x: -0.38 * UNIT, y: -0.38 * UNIT, width: 0.76 * UNIT, height: 0.76 * UNIT, rx: 9, class: "trap" }),
    spikes(),
  ],
  P: () => [
    s("circle", { r: 0.42 * UNIT, class: "bonus-glow" }),
    s("path", { d: "M0 -32L22 -8L0 28L-22 -8Z", class: "bonus" }),
    s("path", { d: "M0 -32L8 -7L0 28L-8 -7Z", class: "bonus-face" }),
  ],
};

/** Walls and what lies between them; `seen` is the set of squares in sight, or null where all are. */
export function mazeGround(geometry, scene, id, seen) {
  const { drawing } = geometry;
  const signs = [...scene.ground];
  const at = new Map(signs.map((_, square) => [geometry.point(square).map(Math.round).join(), square]));
  const points = signs.map((_, square) => geometry.point(square));
  const wall = ([x, y]) => signs[at.get([Math.round(x), Math.round(y)].join())] === "#";
  const inside = ([x, y]) => at.has([Math.round(x), Math.round(y)].join());
  const stones = points
    .filter((_, square) => signs[square] === "#")
    .map((point) =>
      outline(point, (dx, dy) => {
        /** @type {[number, number]} */
        const next = [point[0] + dx * UNIT, point[1] + dy * UNIT];
        return inside(next) && !wall(next);
      }),
    )
    .join("");
  const items = signs.map((sign, square) => {
    if (seen && !seen.has(square)) return null;
    const home = drawing.colours[Number(sign)];
    const made =
      home && sign !== ""
        ? [cell(`home ink-${home}`, 10, 10), cell(`home inner ink-${home}`, 26, 10)]
        : ITEMS[sign]?.();
    return made && s("g", { transform: `translate(${points[square][0]} ${points[square][1]})` }, made);
  });
  const [left, top, right, bottom] = geometry.extent();
  const lights = [...scene.pieces]
    .map((sign, square) => (sign === "." || (seen && !seen.has(square)) ? null : points[square]))
    .filter(Boolean);
  const mask = s(
    "mask",
    { id: `${id}-dark` },
    s("rect", { x: left, y: top, width: right - left, height: bottom - top, fill: "white" }),
    lights.map(([cx, cy]) => s("circle", { cx, cy, r: 3.4 * UNIT, fill: `url(#${id}-torch)` })),
  );
  const mist =
    seen &&
    points.map(([x, y], square) =>
      seen.has(square)
        ? null
        : s("rect", { x: x - UNIT / 2 - 1, y: y - UNIT / 2 - 1, width: UNIT + 2, height: UNIT + 2, class: "mist" }),
    );
  return [
    s("path", { d: stones, class: "wall-shadow" }),
    s("path", { d: stones, class: "wall-side" }),
    s("path", { d: stones, class: "wall-top", transform: `translate(0 ${-HEIGHT})` }),
    mask,
    s("rect", {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      class: "maze-dark",
      mask: `url(#${id}-dark)`,
    }),
    items,
    mist,
  ];
}
