// node cpu_speed.mjs SITE GAME: what a second of processor time is enough for, in a site that has been made:
// simulations of a search from its first positions, and evaluations with vectors and with plain loops. As JSON.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [site, name] = process.argv.slice(2);
const paths = ["games/index.js", "position.js", "network/evaluator.js", "search/search.js"];
const modules = await Promise.all(paths.map((path) => import(`${site}/js/engine/${path}`)));
const { load, Position, Evaluator, Search, playerParams } = Object.assign({}, ...modules);
const { rules, ...game } = await load(name);
const file = gunzipSync(readFileSync(`${site}/networks/${name}.bin`));
const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
const SIMULATIONS = 1000;

/** How often a second of processor time lets something be done, whose answer says how often it was. */
function rate(act) {
  for (let warm = 0; warm < 3; warm += 1) act(warm);
  const before = process.cpuUsage();
  let count = 0;
  for (let round = 0; round < 20; round += 1) count += act(round);
  const { user, system } = process.cpuUsage(before);
  return Math.round((1e6 * count) / (user + system));
}

/** A position three plies from the start. */
function begun(round) {
  let position = Position.start({ ...game, rules }, 1);
  for (let ply = 0; ply < 3; ply += 1)
    position = position.play(position.actions[(ply + round) % position.actions.length]);
  return position;
}

function search(round) {
  const evaluator = new Evaluator(rules, buffer);
  const evaluate = (state) => evaluator.evaluate(state);
  const made = new Search(rules, playerParams(rules, SIMULATIONS), evaluate, SIMULATIONS + 2);
  const { state, keys } = begun(round);
  made.setRoot(state, keys);
  made.run(SIMULATIONS);
  return made.tree.done; // fewer where the position is proven
}

function evaluations(plain) {
  const evaluator = new Evaluator(rules, buffer, { plain, keep: false });
  return rate((round) => {
    const { state } = begun(round);
    const count = plain ? 20 : 200;
    for (let k = 0; k < count; k += 1) evaluator.logits(state);
    return count;
  });
}

process.stdout.write(
  JSON.stringify({ simulations: rate(search), vectors: evaluations(false), loops: evaluations(true) }),
);
