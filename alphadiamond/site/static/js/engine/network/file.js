// A network as `alphadiamond/site/networks.py` writes it: the length of a header, the header as JSON, then its arrays
// one after the other as floats of 32 or 16 bits, or as bytes with a scale for each column.

const FORMAT = 2;

/** The bytes of a network's file, which a host holds packed; an error with the code "unloaded" where none come. */
export async function fetchNetwork(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(String(answer.status));
    return await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  } catch (error) {
    throw Object.assign(new Error(`the network cannot be loaded: ${error.message}`), { code: "unloaded" });
  }
}

/** A float of 16 bits from its bits. */
export function half(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

let halves = null;
function halfTable() {
  halves ??= Float32Array.from({ length: 65536 }, (_, bits) => half(bits));
  return halves;
}

const READERS = {
  f32: (buffer, at, count) => new Float32Array(buffer.slice(at, at + 4 * count)),
  f16(buffer, at, count) {
    const table = halfTable();
    const upper = new Uint8Array(buffer, at + count, count);
    return Float32Array.from(new Uint8Array(buffer, at, count), (lower, k) => table[lower | (upper[k] << 8)]);
  },
  i8(buffer, at, count, shape) {
    const columns = shape[shape.length - 1];
    const scales = new Float32Array(buffer.slice(at, at + 4 * columns));
    return Float32Array.from(
      new Int8Array(buffer, at + 4 * columns, count),
      (value, index) => value * scales[index % columns],
    );
  },
};

const size = (shape) => shape.reduce((product, length) => product * length, 1);
const bytes = {
  f32: (shape) => 4 * size(shape),
  f16: (shape) => 2 * size(shape),
  i8: (shape) => 4 * shape[shape.length - 1] + size(shape),
};

/** {header, arrays: name → {shape, values}} of a file's bytes; throws one line where it is damaged. */
export function readNetwork(buffer) {
  const fail = (why) => {
    throw new Error(`the network cannot be read: ${why}`);
  };
  if (buffer.byteLength < 4) fail("it is empty");
  const length = new DataView(buffer).getUint32(0, true);
  if (length > buffer.byteLength - 4) fail("its header is cut off");
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (header.format !== FORMAT) fail(`its format is ${header.format}, and this page reads ${FORMAT}`);
  const arrays = {};
  let at = 4 + length;
  for (const [name, type, shape] of header.arrays) {
    const end = at + bytes[type](shape);
    if (end > buffer.byteLength) fail("it is cut off");
    arrays[name] = { shape, values: READERS[type](buffer, at, size(shape), shape) };
    at = end;
  }
  return { header, arrays };
}
