// What a position is for the side to move. Values are from the side to move, everywhere.

export const WIN = 1;
export const DRAW = 0;
export const LOSS = -1;
export const ONGOING = 2; // neither over nor proven

/** Text that is no position or move, in one line for people. */
export class NotationError extends Error {}

/** A piece of foreign text, short enough for a line. */
export function shown(text, most = 40) {
  const line = JSON.stringify(String(text)).slice(1, -1);
  return `'${line.length > most ? `${line.slice(0, most - 3)}...` : line}'`;
}

export function popcount(bits) {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The number of the lowest bit that is set. */
export function lowestBit(bits) {
  return 31 - Math.clz32(bits & -bits);
}
