// A curve: points from left to right, perhaps in a band, with a few numbers at its side.

import { s } from "../dom.js";

const [HEIGHT, LEFT, BELOW] = [200, 58, 12];
const narrow = matchMedia("(max-width: 640px)");

/** `points` are [x, y, half height of the band]; `words` tell it to those who do not see it.
 * @param points
 * @param {{ words: string, low: number, high: number, marks?: number[], at?: number | null,
 *   text?: (y: number) => string, look?: string, small?: boolean }} options
 */
export function chart(points, { words, low, high, marks = [], at = null, text = String, look = "", small = false }) {
  const width = small || narrow.matches ? 340 : 760; // so that letters are as large as elsewhere
  const xs = points.map(([x]) => x);
  const [first, last] = [Math.min(...xs, 0), Math.max(...xs, 1)];
  const right = (x) => LEFT + ((x - first) / (last - first)) * (width - LEFT - 12);
  const down = (y) => BELOW + (1 - (Math.min(high, Math.max(low, y)) - low) / (high - low)) * (HEIGHT - 2 * BELOW);
  const along = (list) => list.map(([x, y]) => `${right(x).toFixed(1)},${down(y).toFixed(1)}`).join(" ");
  const band =
    points.some(([, , half]) => half) &&
    s("polygon", {
      class: "chart-band",
      points: along([
        ...points.map(([x, y, half]) => [x, y + half]),
        ...[...points].reverse().map(([x, y, half]) => [x, y - half]),
      ]),
    });
  const end = points[points.length - 1];
  return s(
    "svg",
    { class: `chart ${look}`, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": words },
    marks.map((y) => [
      s("line", { class: "chart-rule", x1: LEFT, x2: width - 12, y1: down(y), y2: down(y) }),
      s(
        "text",
        { class: "chart-text", x: LEFT - 8, y: down(y), "text-anchor": "end", "dominant-baseline": "central" },
        text(y),
      ),
    ]),
    band,
    s("polyline", { class: "chart-line", points: along(points) }),
    at !== null && s("line", { class: "chart-at", x1: right(at), x2: right(at), y1: BELOW, y2: HEIGHT - BELOW }),
    end && s("circle", { class: "chart-dot", cx: right(end[0]), cy: down(end[1]), r: 5 }),
  );
}
