// The instructions of WebAssembly that the networks need, written out as bytes: whole numbers, places in memory, and
// vectors of four floats.

export const [I32, F32, V128] = [0x7f, 0x7d, 0x7b];

const number = (value) => {
  const bytes = [];
  do {
    const byte = value & 0x7f;
    value >>>= 7;
    bytes.push(value ? byte | 0x80 : byte);
  } while (value);
  return bytes;
};
const list = (items) => [...number(items.length), ...items.flat()];
const vector = (code, ...rest) => [0xfd, ...number(code), ...rest];

export const get = (local) => [0x20, ...number(local)];
export const set = (local, ...value) => [...value.flat(), 0x21, ...number(local)];
export const constant = (value) => [0x41, ...(value < 64 ? [value] : [value | 0x80, 0])]; // up to 127
export const plus = (a, b) => [...a, ...b, 0x6a];
export const minus = (a, b) => [...a, ...b, 0x6b];
export const times = (a, b) => [...a, ...b, 0x6c];
export const quarter = (a) => [...a, ...constant(2), 0x76];
export const grow = (local, by) => set(local, plus(get(local), by));
export const isBelow = (a, b) => [...a, ...b, 0x49];
export const differs = (a, b) => [...a, ...b, 0x47];
export const whileTrue = (condition, ...body) => [
  0x02,
  0x40,
  0x03,
  0x40,
  ...condition,
  0x45,
  0x0d,
  1,
  ...body.flat(),
  0x0c,
  0,
  0x0b,
  0x0b,
];
/** The body, and again as long as the condition holds. */
export const repeat = (condition, ...body) => [0x03, 0x40, ...body.flat(), ...condition, 0x0d, 0, 0x0b];
export const either = (condition, yes, no = []) => [
  ...condition,
  0x04,
  0x40,
  ...yes,
  ...(no.length ? [0x05, ...no] : []),
  0x0b,
];
export const call = (index, ...values) => [...values.flat(), 0x10, ...number(index)];

export const wholeAt = (place, offset = 0) => [...place, 0x28, 2, ...number(offset)];
export const load = (place, offset = 0) => [...place, ...vector(0, 2, ...number(offset))];
export const spread = (place) => [...place, ...vector(9, 2, 0)];
export const store = (place, value, offset = 0) => [...place, ...value, ...vector(11, 2, ...number(offset))];
export const splat = (value) => [...value, ...vector(19)];
export const add = (a, b) => [...a, ...b, ...vector(228)];
export const subtract = (a, b) => [...a, ...b, ...vector(229)];
export const multiply = (a, b) => [...a, ...b, ...vector(230)];
export const greater = (a, b) => [...a, ...b, ...vector(235)];
/** Four times one float. */
export const four = (value) => vector(12, ...new Uint8Array(new Float32Array(4).fill(value).buffer));

/** A module that imports a memory as engine.memory; `functions` are {name, params, locals, body}: types of what it is
 * given, types of its own variables as [count, type], and its instructions. They can call each other by number. */
export function moduleBytes(functions) {
  const section = (id, content) => [id, ...number(content.length), ...content];
  const name = (text) => list([...text].map((letter) => letter.charCodeAt(0)));
  const code = functions.map(({ locals, body }) => {
    const bytes = [...list(locals.map(([count, type]) => [...number(count), type])), ...body.flat(Infinity), 0x0b];
    return [...number(bytes.length), ...bytes];
  });
  return new Uint8Array([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, list(functions.map(({ params }) => [0x60, ...list(params), 0]))),
    ...section(2, list([[...name("engine"), ...name("memory"), 2, 0, 1]])),
    ...section(3, list(functions.map((_, k) => number(k)))),
    ...section(7, list(functions.map(({ name: text }, k) => [...name(text), 0, ...number(k)]))),
    ...section(10, list(code)),
  ]);
}
