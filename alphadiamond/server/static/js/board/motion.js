// How a ply is seen to happen: pieces slide, fall, jump or are put down, and what is taken goes.

const SLIDE = 340;
const HOP = 380;
const APPEAR = 220;
const VANISH = 300;

/** Whether things should rather not move. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.visibilityState !== "visible";
}

const place = ([x, y], scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;
const between = ([ax, ay], [bx, by], t) => [ax + (bx - ax) * t, ay + (by - ay) * t];

function slide(path) {
  const frames = path.map((point) => ({ transform: place(point) }));
  return [frames, { duration: SLIDE * (path.length - 1), easing: "ease-in-out" }];
}

/** Faster and faster, up a little, and down for good. */
function fall([start, end]) {
  const height = end[1] - start[1];
  /** @type {[number, number]} */
  const bounce = [end[0], end[1] - 0.055 * height];
  const frames = [
    { transform: place(start), easing: "cubic-bezier(0.5, 0, 0.9, 0.6)", offset: 0 },
    { transform: place(end), easing: "cubic-bezier(0.2, 0.6, 0.5, 1)", offset: 0.66 },
    { transform: place(bounce), easing: "cubic-bezier(0.5, 0, 0.8, 0.5)", offset: 0.83 },
    { transform: place(end), offset: 1 },
  ];
  return [frames, { duration: 260 + 0.55 * height }];
}

/** In arcs, one for each part of the path. */
function jump(path) {
  const frames = [];
  const hops = path.length - 1;
  for (let hop = 0; hop < hops; hop += 1) {
    for (let k = 0; k < 8; k += 1) {
      const t = k / 8;
      const eased = t * t * (3 - 2 * t);
      const up = Math.sin(Math.PI * eased);
      const [x, y] = between(path[hop], path[hop + 1], eased);
      frames.push({ transform: place([x, y - 55 * up], 1 + 0.14 * up), offset: (hop + t) / hops });
    }
  }
  frames.push({ transform: place(path[hops]), offset: 1 });
  return [frames, { duration: HOP * hops }];
}

/** Put down where it is to stand. */
function appear([point]) {
  return [
    [
      { transform: place(point, 1.2), opacity: 0 },
      { transform: place(point), opacity: 1 },
    ],
    { duration: APPEAR, easing: "ease-out" },
  ];
}

const WAYS = { slide, fall, jump, appear };

/** Move a piece along a path; the answer is the animation. */
export function travel(node, how, path) {
  return node.animate(...WAYS[how](path));
}

/** How long a journey takes. */
export function length(how, path) {
  return WAYS[how](path)[1].duration;
}

/** A piece shrinks away after a while, and stays away; the answer is the animation. */
export function vanish(node, point, delay) {
  const frames = [
    { transform: place(point), opacity: 1 },
    { transform: place(point, 0.05), opacity: 0 },
  ];
  return node.animate(frames, { duration: VANISH, delay, fill: "forwards", easing: "ease-in" });
}
