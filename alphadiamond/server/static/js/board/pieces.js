// How pieces look: beads of glass, discs of plastic with a rim, men turned from wood. Colours come from the style
// sheet.

import { s } from "../dom.js";

const stop = (offset, shade, opacity) =>
  s("stop", { offset, class: `shade-${shade}`, ...(opacity === undefined ? {} : { "stop-opacity": opacity }) });

/** The paints that pieces of a drawing need, with names that begin with `id`. */
export function paints(drawing, id) {
  const made = [];
  drawing.colours.forEach((colour, seat) => {
    const name = (kind) => `${id}-${kind}-${seat}`;
    const ink = { class: `ink-${colour}` };
    made.push(
      s(
        "radialGradient",
        { ...ink, id: name("glow") },
        stop(0, "glow", 0.5),
        stop(0.45, "glow", 0.28),
        stop(0.75, "glow", 0.07),
        stop(1, "glow", 0),
      ),
      s(
        "radialGradient",
        { ...ink, id: name("glass"), cx: 0.5, cy: 0.5, r: 0.5, fx: 0.4, fy: 0.34 },
        stop(0, "light"),
        stop(0.42, "base"),
        stop(0.8, "dim"),
        stop(1, "deep"),
      ),
      s(
        "radialGradient",
        { ...ink, id: name("gathered"), cx: 0.61, cy: 0.73, r: 0.36 },
        stop(0, "bright", 0.75),
        stop(1, "bright", 0),
      ),
      s(
        "linearGradient",
        { ...ink, id: name("flat"), x1: 0.2, y1: 0, x2: 0.7, y2: 1 },
        stop(0, "base"),
        stop(1, "dim"),
      ),
      s(
        "linearGradient",
        { ...ink, id: name("up"), x1: 0.22, y1: 0.08, x2: 0.78, y2: 0.92 },
        stop(0, "bright"),
        stop(0.5, "base"),
        stop(1, "deep"),
      ),
      s(
        "linearGradient",
        { ...ink, id: name("down"), x1: 0.22, y1: 0.08, x2: 0.78, y2: 0.92 },
        stop(0, "deep"),
        stop(0.5, "dim"),
        stop(1, "bright"),
      ),
    );
  });
  made.push(
    s(
      "radialGradient",
      { id: `${id}-shine`, class: "ink-white" },
      stop(0, "base", 0.95),
      stop(0.35, "base", 0.5),
      stop(1, "base", 0),
    ),
  );
  made.push(
    s(
      "radialGradient",
      { id: `${id}-shadow`, class: "ink-black" },
      stop(0.6, "base", 0.42),
      stop(0.85, "base", 0.2),
      stop(1, "base", 0),
    ),
  );
  return made;
}

const circle = (r, fill, more) => s("circle", { r, fill, ...more });
const ring = (r, width, stroke, more) => s("circle", { r, fill: "none", stroke, "stroke-width": width, ...more });

function bead(r, url) {
  return [
    circle(r * 2.2, url("glow"), { class: "piece-glow" }),
    circle(r * 1.16, url("shadow", ""), { cy: r * 0.16 }),
    circle(r, url("glass")),
    circle(r * 0.97, url("gathered")),
    s("ellipse", { cx: -r * 0.3, cy: -r * 0.46, rx: r * 0.42, ry: r * 0.28, fill: url("shine", ""), opacity: 0.75 }),
    circle(r * 0.13, url("shine", ""), { cx: -r * 0.36, cy: -r * 0.5 }),
  ];
}

function turned(r, url, grooves, shadow) {
  return [
    shadow && circle(r * 1.16, url("shadow", ""), { cy: r * 0.12, cx: r * 0.05 }),
    circle(r, url("flat")),
    ring(r * 0.94, r * 0.12, url("up")),
    ...grooves.flatMap(([place, width]) => [
      ring(r * (place + width / 2), r * width, url("down"), { opacity: 0.9 }),
      ring(r * (place - width / 2), r * width, url("up"), { opacity: 0.9 }),
    ]),
    circle(r * 0.985, "none", { class: "piece-edge", "stroke-width": r * 0.03 }),
    s("ellipse", { cx: -r * 0.32, cy: -r * 0.42, rx: r * 0.5, ry: r * 0.34, fill: url("shine", ""), opacity: 0.3 }),
  ];
}

const SHAPES = {
  bead,
  disc: (r, url) =>
    turned(
      r,
      url,
      [
        [0.72, 0.07],
        [0.45, 0.05],
      ],
      false,
    ),
  man: (r, url) =>
    turned(
      r,
      url,
      [
        [0.8, 0.05],
        [0.6, 0.05],
        [0.4, 0.05],
        [0.2, 0.05],
      ],
      true,
    ),
};

/** A piece of a seat, with its middle at 0, 0. */
export function piece(drawing, id, seat, radius) {
  const url = (kind, whose = `-${seat}`) => `url(#${id}-${kind}${whose})`;
  return s("g", { class: `piece seat-${seat} ink-${drawing.colours[seat]}` }, SHAPES[drawing.shape](radius, url));
}

/** A piece of a seat that covers several squares: a tile. */
export function block(drawing, id, seat, [x, y, width, height]) {
  return s(
    "g",
    { class: `piece seat-${seat} ink-${drawing.colours[seat]}` },
    s("rect", { x: x + 3, y: y + 6, width, height, rx: 12, class: "block-shadow" }),
    s("rect", {
      x,
      y,
      width,
      height,
      rx: 12,
      fill: `url(#${id}-flat-${seat})`,
      stroke: `url(#${id}-up-${seat})`,
      "stroke-width": 5,
    }),
  );
}

/** A small picture of a side's piece, beside its player's name. */
export function token(drawing, id, seat) {
  const small = { ...drawing };
  return s(
    "svg",
    { class: "token", viewBox: "-50 -50 100 100", "aria-hidden": "true", focusable: "false" },
    s("defs", {}, paints(small, id)),
    piece(small, id, seat, 38),
  );
}
