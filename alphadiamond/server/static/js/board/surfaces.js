// What lies under the pieces and what stands before them, for each kind of surface that a drawing can have.

import { s } from "../dom.js";
import { UNIT } from "./geometry.js";
import { cell, maze, mazeGround } from "./maze.js";

const HOLE = 0.42 * UNIT;
const EDGE = 0.16 * UNIT;
const FRAME = 0.3 * UNIT;

const polygon = (geometry, squares) => squares.map((square) => geometry.point(square).join(",")).join(" ");
const words = (text, x, y, look) =>
  s("text", { x, y, class: `board-name ${look}`, "text-anchor": "middle", "dominant-baseline": "central" }, text);

/** Nodes joined by lit lines, with facets of glass between them. */
function graph(geometry, id) {
  const { drawing } = geometry;
  const size = geometry.reach;
  const line = ([a, b]) => {
    const [[x1, y1], [x2, y2]] = [geometry.point(a), geometry.point(b)];
    return s("line", { x1, y1, x2, y2 });
  };
  const across = (name) =>
    s(
      "linearGradient",
      {
        id: `${id}-${name}`,
        gradientUnits: "userSpaceOnUse",
        x1: -3.5 * UNIT,
        y1: -3.5 * UNIT,
        x2: 3.5 * UNIT,
        y2: 3.5 * UNIT,
      },
      s("stop", { offset: 0, class: "line-from" }),
      s("stop", { offset: 1, class: "line-to" }),
    );
  const lines = (look) => s("g", { class: look, stroke: `url(#${id}-line)` }, drawing.lines.map(line));
  return {
    defs: [
      across("line"),
      s(
        "filter",
        { id: `${id}-soft`, filterUnits: "userSpaceOnUse", x: -size, y: -size, width: 2 * size, height: 2 * size },
        s("feGaussianBlur", { stdDeviation: 13 }),
      ),
    ],
    below: [
      s(
        "g",
        { class: "facets" },
        drawing.facets.map((facet) =>
          s("polygon", {
            points: polygon(geometry, facet.squares),
            class: `facet facet-${facet.colour}`,
            "fill-opacity": facet.strength,
          }),
        ),
      ),
      s("g", { filter: `url(#${id}-soft)`, class: "line-glow" }, lines("lines wide")),
      lines("lines"),
      s(
        "g",
        { class: "sockets" },
        drawing.points.map((_, square) => {
          const [cx, cy] = geometry.point(square);
          return s("circle", { cx, cy, r: geometry.hole, class: "socket", stroke: `url(#${id}-line)` });
        }),
      ),
      s(
        "g",
        {},
        drawing.labels.map(([right, down], square) => {
          const [x, y] = geometry.point(square);
          const turn = geometry.flipped ? -1 : 1;
          return words(
            drawing.names[square],
            x + turn * right * geometry.radius,
            y + turn * down * geometry.radius,
            "node-name",
          );
        }),
      ),
    ],
    above: [],
  };
}

/** An upright face with a round hole in every cell; pieces stand behind it. */
function grid(geometry, id) {
  const { drawing } = geometry;
  const [left, top, right, bottom] = geometry.extent();
  const [x, y, width, height] = [left - EDGE, top - EDGE, right - left + 2 * EDGE, bottom - top + 2 * EDGE];
  const r = 28;
  const corner = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  const [flat, upright] = [width - 2 * r, height - 2 * r];
  const half = `M${x + r} ${y}h${flat}${corner(r, r)}v${upright}${corner(-r, r)}`;
  const rounded = `${half}h${-flat}${corner(-r, -r)}v${-upright}${corner(r, -r)}Z`;
  const centres = drawing.points.map((_, square) => geometry.point(square));
  const holes = centres.map(
    ([cx, cy]) => `M${cx - HOLE} ${cy}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0Z`,
  );
  const down = (name, ...stops) =>
    s(
      "linearGradient",
      { id: `${id}-${name}`, x1: 0, y1: 0, x2: 0, y2: 1 },
      stops.map(([offset, look]) => s("stop", { offset, class: look })),
    );
  return {
    defs: [
      down("face", [0, "plate-light"], [1, "plate-dark"]),
      down("rim", [0, "rim-dark"], [1, "rim-light"]),
      down("edge", [0, "rim-light"], [1, "rim-dark"]),
      s(
        "radialGradient",
        { id: `${id}-within`, cx: 0.5, cy: 0.6, r: 0.56 },
        s("stop", { offset: 0.62, class: "within-none" }),
        s("stop", { offset: 1, class: "within-dark" }),
      ),
    ],
    below: [s("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 14, class: "box" })],
    above: [
      s(
        "g",
        {},
        centres.map(([cx, cy]) => s("circle", { cx, cy, r: HOLE, fill: `url(#${id}-within)` })),
      ),
      s("path", { d: rounded + holes.join(""), "fill-rule": "evenodd", fill: `url(#${id}-face)` }),
      s("path", { d: rounded, fill: "none", stroke: `url(#${id}-edge)`, "stroke-width": 6, opacity: 0.7 }),
      s(
        "g",
        { fill: "none", stroke: `url(#${id}-rim)`, "stroke-width": 7 },
        centres.map(([cx, cy]) => s("circle", { cx, cy, r: HOLE + 3 })),
      ),
      s(
        "g",
        {},
        drawing.column_names.map((name, column) =>
          words(name, geometry.point(drawing.columns[column][0])[0], bottom + EDGE + 20, "edge-name"),
        ),
      ),
    ],
  };
}

/** Light and dark squares of wood in a frame that carries their names; where all are in use they alternate. */
function checkers(geometry, id) {
  const { drawing } = geometry;
  const [left, top, right, bottom] = geometry.extent();
  const used = new Set(drawing.points.map((_, square) => geometry.point(square).map(Math.round).join()));
  const cells = [];
  for (let y = top; y < bottom - 1; y += UNIT) {
    for (let x = left; x < right - 1; x += UNIT) {
      const odd = Math.round((x - left + y - top) / UNIT) % 2 === 1;
      const dark = drawing.surface === "cells" ? odd : used.has([x + UNIT / 2, y + UNIT / 2].map(Math.round).join());
      cells.push(s("rect", { x, y, width: UNIT, height: UNIT, class: dark ? "cell dark" : "cell pale" }));
    }
  }
  const turned = (list) => (geometry.flipped ? [...list].reverse() : list);
  const frame = { x: left - FRAME, y: top - FRAME, width: right - left + 2 * FRAME, height: bottom - top + 2 * FRAME };
  return {
    defs: [
      s(
        "filter",
        { id: `${id}-grain`, x: 0, y: 0, width: 1, height: 1 },
        s("feTurbulence", {
          type: "fractalNoise",
          baseFrequency: "0.006 0.09",
          numOctaves: 3,
          seed: 8,
          result: "noise",
        }),
        s("feColorMatrix", { type: "matrix", values: "0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0.9 0 0 0 -0.28" }),
      ),
      s(
        "linearGradient",
        { id: `${id}-bevel`, x1: 0, y1: 0, x2: 1, y2: 1 },
        s("stop", { offset: 0, class: "rim-light" }),
        s("stop", { offset: 1, class: "rim-dark" }),
      ),
      s(
        "linearGradient",
        { id: `${id}-light`, x1: 0, y1: 0, x2: 1, y2: 1 },
        s("stop", { offset: 0, class: "lamp" }),
        s("stop", { offset: 1, class: "dusk" }),
      ),
    ],
    below: [
      s("rect", { ...frame, rx: 14, class: "frame" }),
      s("rect", {
        ...frame,
        x: frame.x + 2,
        y: frame.y + 2,
        width: frame.width - 4,
        height: frame.height - 4,
        rx: 13,
        fill: "none",
        stroke: `url(#${id}-bevel)`,
        "stroke-width": 4,
      }),
      s("g", {}, cells),
      s("rect", { ...frame, rx: 14, filter: `url(#${id}-grain)`, class: "grain" }),
      s("rect", { x: left, y: top, width: right - left, height: bottom - top, fill: `url(#${id}-light)` }),
      s("rect", { x: left, y: top, width: right - left, height: bottom - top, class: "groove" }),
      s(
        "g",
        {},
        turned(drawing.column_names).map((name, column) =>
          words(name, left + (column + 0.5) * UNIT, bottom + FRAME / 2, "frame-name"),
        ),
      ),
      s(
        "g",
        {},
        turned(drawing.row_names).map((name, row) =>
          words(name, left - FRAME / 2, top + (row + 0.5) * UNIT, "frame-name"),
        ),
      ),
    ],
    above: [],
  };
}

const SURFACES = { graph, grid, checkers, cells: checkers, maze };

const star = (rays, size, waist) =>
  Array.from({ length: 2 * rays }, (_, corner) => {
    const radius = size * UNIT * (corner % 2 ? waist : 1);
    const turn = (Math.PI * corner) / rays;
    return `${radius * Math.sin(turn)},${-radius * Math.cos(turn)}`;
  }).join(" ");

const ON_FLOOR = {
  T: () => [
    s("polygon", { points: star(8, 0.36, 0.45), class: "trap" }),
    s("circle", { r: 0.1 * UNIT, class: "trap-middle" }),
  ],
  P: () => [s("polygon", { points: star(4, 0.37, 0.42), class: "bonus" })],
};

/** What lies on squares under the pieces: walls, floor and what is on it; `seen` are the squares in sight in a fog. */
export function ground(geometry, scene, id, seen = null) {
  const { drawing } = geometry;
  if (drawing.surface === "maze") return mazeGround(geometry, scene, id, seen);
  return [...(scene.ground ?? "")].map((kind, square) => {
    if (kind === ".") return null;
    const home = drawing.colours[Number(kind)];
    const [x, y] = geometry.point(square);
    return s(
      "g",
      { transform: `translate(${x} ${y})` },
      kind === "#" ? cell("wall", 0, 0) : cell("floor", 0, 0),
      home && cell(`home ink-${home}`, 7, 7),
      ON_FLOOR[kind]?.(),
    );
  });
}

/** {defs, below, above}: paints, and what is drawn before and after the pieces. */
export function surface(geometry, id) {
  return SURFACES[geometry.drawing.surface](geometry, id);
}

/** How large a ring around a piece is, on this kind of surface. */
export function ringRadius(geometry) {
  return geometry.drawing.surface === "grid" ? HOLE : geometry.radius * 1.2;
}
