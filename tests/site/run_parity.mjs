// node run_parity.mjs ENGINE DIRECTORY GAME: what `parity.mjs` finds of a directory of fixtures, as JSON.

import { existsSync, readFileSync } from "node:fs";
import { compare } from "./parity.mjs";

const [engine, directory, name] = process.argv.slice(2);
const modules = Object.assign(
  {},
  ...(await Promise.all(
    ["games/index.js", "player.js", "position.js", "search/search.js", "network/evaluator.js"].map(
      (path) => import(`${engine}/${path}`),
    ),
  )),
);

function read(file) {
  const path = `${directory}/${file}`;
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

process.stdout.write(JSON.stringify(await compare(name, modules, read)));
