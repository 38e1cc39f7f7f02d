// The cheapest way of a runner through a maze to a cell, as it lies on the board: alone, with every power-up taken
// once.

const STEP = 10;
const DIAGONAL = 14;
const TRAP = 30; // more, every time
const POWER_UP = 20; // less, once

/** `ground` is one sign a cell, row by row; `seen` the cells that are known, or null where all are. The cells of the
 * way, its own first, and its cost; null where there is none. */
export function wayTo(ground, columns, from, to, seen = null) {
  const known = (cell) => ground[cell] !== "#" && (seen?.has(cell) ?? true);
  if (from === to || !known(to)) return null;
  const ups = [...ground].flatMap((sign, cell) => (sign === "P" && known(cell) ? [cell] : []));
  const rows = ground.length / columns;
  const paid = new Map([[from, 0]]); // by cell + cells x the set of power-ups that are taken
  const before = new Map();
  const line = [from];
  for (const node of line) {
    // grows meanwhile: a node whose cost falls is looked at again
    const cell = node % ground.length;
    if (cell === to) continue;
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const taken = (node - cell) / ground.length;
    for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
      for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c += 1) {
        const next = r * columns + c;
        if (next === cell || !known(next)) continue;
        const bit = ups.includes(next) ? 1 << ups.indexOf(next) : 0;
        const gain = bit && !(taken & bit) ? POWER_UP : 0;
        const cost =
          paid.get(node) + (r !== row && c !== column ? DIAGONAL : STEP) + (ground[next] === "T" ? TRAP : 0) - gain;
        const there = next + ground.length * (taken | bit);
        if (cost < (paid.get(there) ?? Infinity)) {
          paid.set(there, cost);
          before.set(there, node);
          line.push(there);
        }
      }
    }
  }
  let best = null;
  for (const [node, cost] of paid)
    if (node % ground.length === to && (best === null || cost < paid.get(best))) best = node;
  if (best === null) return null;
  const path = [];
  for (let node = best; node !== undefined; node = before.get(node)) path.unshift(node % ground.length);
  return { path, cost: paid.get(best) };
}
