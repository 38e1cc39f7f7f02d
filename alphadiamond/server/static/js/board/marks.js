// What is shown around the pieces: the last move, what is picked and where it can go, the reason of an end, advice.

import { put, s } from "../dom.js";
import { piece } from "./pieces.js";
import { UNIT } from "./geometry.js";
import { ringRadius } from "./surfaces.js";

const ring = ([cx, cy], r, look) => s("circle", { cx, cy, r, class: `ring ${look}` });
const disc = ([cx, cy], r, look) => s("circle", { cx, cy, r, class: look });
const tile = ([x, y], look) =>
  s("rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: `tile ${look}` });

/** Dots that grow towards where the piece went. */
function trail([ax, ay], [bx, by], radius) {
  return Array.from({ length: 8 }, (_, k) => {
    const t = (k + 1) / 9;
    return disc([ax + (bx - ax) * t, ay + (by - ay) * t], radius * (0.06 + 0.012 * (k + 1)), "trail");
  });
}

/** Where both have been and, at the end, the cheapest ways that there were; in a fog only the steps of which both ends
 * are seen. */
function trails(geometry, { scene, trails: paths, seen }) {
  if (geometry.drawing.surface !== "maze") return [];
  const hidden = (square) => seen && !seen.has(square);
  const line = (path, seat, look, aside) => {
    const place = (square) =>
      geometry
        .point(square)
        .map((at) => at + aside)
        .join(" ");
    const parts = path.map((square, number) =>
      hidden(square) ? "" : `${number === 0 || hidden(path[number - 1]) ? "M" : "L"}${place(square)}`,
    );
    return path.length > 1 && s("path", { class: `${look} ink-${geometry.drawing.colours[seat]}`, d: parts.join("") });
  };
  return [
    paths.map((path, seat) => line(path, seat, "footprints", seat ? 7 : -7)),
    (scene.ways ?? []).map((path, seat) => line(path, seat, "best-way", seat ? -7 : 7)),
  ];
}

/** The cheapest way to the cell that is pointed at, and what it costs. */
function preview(geometry, { way, seat }) {
  if (!way) return [];
  const points = way.path.map((square) => geometry.point(square));
  const [x, y] = points[points.length - 1];
  return [
    s("polyline", {
      class: `way-ahead ink-${geometry.drawing.colours[seat]}`,
      points: points.map((point) => point.join(",")).join(" "),
    }),
    s("text", { x, y: y - 0.52 * UNIT, class: "way-cost", "text-anchor": "middle" }, String(way.cost)),
  ];
}

/** What a step has cost rises from where it led. */
function toll(geometry, { scene, seen }) {
  const end = scene.path?.[scene.path.length - 1];
  if (!scene.toll || end === undefined || !(seen?.has(end) ?? true)) return [];
  const [x, y] = geometry.point(end);
  const bad = scene.ground[end] === "T";
  return s(
    "text",
    {
      x,
      y: y - 0.5 * UNIT,
      class: `toll ${bad ? "bad" : scene.toll.startsWith("+") ? "" : "good"}`,
      "text-anchor": "middle",
    },
    scene.toll,
  );
}

function lastMove(geometry, scene, seen) {
  const path = (scene.path ?? []).filter((square) => seen?.has(square) ?? true).map((square) => geometry.point(square));
  if (!path.length) return [];
  const { surface } = geometry.drawing;
  if (surface === "grid") return [];
  if (geometry.squared) return path.map((point) => tile(point, "last"));
  const end = scene.path[scene.path.length - 1];
  return [
    path.slice(1).map((point, number) => trail(path[number], point, geometry.radius)),
    ring(path[0], geometry.hole * 1.5, "last thin"),
    scene.pieces[end] !== "." && ring(path[path.length - 1], geometry.radius * 1.18, "last"),
  ];
}

/** The head and shaft of an arrow that keeps clear of both ends. */
function arrow([ax, ay], [bx, by], width, gap, look) {
  const far = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
  const at = (along, aside) => `${ax + ux * along - uy * aside},${ay + uy * along + ux * aside}`;
  const [from, to] = [gap * 0.8, far - gap * 0.55];
  const neck = to - width * 1.7;
  const points = [
    at(from, width * 0.3),
    at(neck, width * 0.42),
    at(neck, width),
    at(to, 0),
    at(neck, -width),
    at(neck, -width * 0.42),
    at(from, -width * 0.3),
  ];
  return s("polygon", { points: points.join(" "), class: `arrow ${look}` });
}

function advice(geometry, arrows) {
  const shown = arrows.map(({ path, weight, look, label }) => {
    const points = path.map((square) => geometry.point(square));
    const end = points[points.length - 1];
    const parts =
      points.length > 1
        ? points.slice(1).map((point, number) => arrow(points[number], point, 9 + 12 * weight, geometry.radius, look))
        : [ring(end, 0.36 * UNIT, `advice ${look}`)];
    const [x, y] = points.length > 1 ? middle(points[points.length - 2], end, geometry.radius) : end;
    const width = 24 + 15 * (label?.length ?? 0);
    const tag =
      label &&
      s(
        "g",
        { transform: `translate(${x} ${y}) scale(${geometry.reach / 430})` },
        s("rect", { x: -width / 2, y: -19, width, height: 38, rx: 12, class: `tag ${look}` }),
        s("text", { class: "tag-text", "text-anchor": "middle", "dominant-baseline": "central" }, label),
      );
    return { under: s("g", { opacity: 0.45 + 0.55 * weight }, parts), tag };
  });
  return [...shown].reverse().flatMap(({ under, tag }) => [under, tag]);
}

/** Beside the middle of a short arrow, near the head of a long one: so that it hides neither the arrow nor a piece. */
function middle([ax, ay], [bx, by], radius) {
  const far = Math.hypot(bx - ax, by - ay);
  const [along, aside] = far < 2.2 * UNIT ? [0.5, radius * 1.25] : [0.72, 0];
  return [ax + (bx - ax) * along - ((by - ay) / far) * aside, ay + (by - ay) * along + ((bx - ax) / far) * aside];
}

/** Where a piece dropped into a column would come to lie. */
function landing(geometry, scene, column) {
  return geometry.drawing.columns[column].find((square) => scene.pieces[square] === ".");
}

function held(geometry, scene, { id, pointed, first, seat }) {
  if (pointed === null || !geometry.drawing.columns.length || !first.includes(pointed)) return [];
  const over = piece(geometry.drawing, id, seat, geometry.radius);
  const [x, y] = geometry.above(pointed);
  over.setAttribute("transform", `translate(${x} ${y})`);
  const ghost = piece(geometry.drawing, id, seat, geometry.radius);
  const [gx, gy] = geometry.point(landing(geometry, scene, pointed));
  ghost.setAttribute("transform", `translate(${gx} ${gy})`);
  ghost.classList.add("ghost");
  return [over, ghost];
}

/** Draw all of it on the layers of a board. */
export function marks(layers, geometry, view) {
  const { scene, picked, goals, first, pointed, flying, premove = [] } = view;
  const radius = ringRadius(geometry);
  const columns = geometry.drawing.columns.length > 0;
  const squares = geometry.squared;
  const later = columns
    ? premove.map((column) => landing(geometry, scene, column)).filter((square) => square !== undefined)
    : premove;
  put(
    layers.last,
    trails(geometry, view),
    !flying && lastMove(geometry, scene, view.seen),
    squares && later.map((square) => tile(geometry.point(square), "premove")),
    squares && picked.map((square) => tile(geometry.point(square), "picked")),
    squares && !picked.length && first.map((square) => tile(geometry.point(square), "movable")),
  );
  const front = [];
  if (!flying) {
    if (columns) {
      if (scene.path?.length && !scene.lit?.length) front.push(ring(geometry.point(scene.path[0]), radius, "white"));
      if (pointed !== null && first.includes(pointed)) {
        const [x, , width] = geometry.box(pointed);
        const [, top, , bottom] = geometry.extent();
        front.push(s("rect", { x, y: top, width, height: bottom - top, rx: 10, class: "column" }));
      }
    } else {
      if (!squares)
        front.push(
          first
            .filter((square) => !picked.includes(square))
            .map((square) => ring(geometry.point(square), radius, "movable")),
        );
      front.push(picked.map((square) => ring(geometry.point(square), radius * 1.03, "picked")));
      front.push(
        goals.map((square) => [
          disc(geometry.point(square), geometry.radius * 1.5, "goal-glow"),
          ring(geometry.point(square), geometry.radius * 0.78, "goal"),
          disc(geometry.point(square), geometry.radius * 0.22, "goal-dot"),
        ]),
      );
    }
    front.push(
      (scene.lit ?? []).map((square) =>
        ring(geometry.point(square), radius * (columns ? 1 : 0.85), columns ? "lit white" : "lit"),
      ),
    );
    front.push(preview(geometry, view), advice(geometry, view.arrows), toll(geometry, view));
  }
  if (!squares) front.push(later.map((square) => ring(geometry.point(square), radius * 1.03, "premove")));
  put(layers.front, front);
  layers.pieces.querySelectorAll(".held").forEach((node) => node.remove());
  if (!flying) {
    for (const node of held(geometry, scene, view)) {
      node.classList.add("held");
      layers.pieces.append(node);
    }
  }
}
