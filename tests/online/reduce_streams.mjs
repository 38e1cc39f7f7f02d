// Reads streams on standard input and writes what the page's reducer makes of each: after every event the states of all
// games, and whether something was missed. The argument is the path of `game-state.js`.

import { readFileSync } from "node:fs";

const source = readFileSync(process.argv[2]).toString("base64"); // by its text: without a package.json it is no module
const { missed, reduce, timeLeft } = await import(`data:text/javascript;base64,${source}`);

function normal(state, at) {
  const { claimAt, scenes, ...rest } = state;
  if (scenes.length !== state.moves.length + 1)
    throw new Error(`${scenes.length} scenes of ${state.moves.length} moves`);
  const players = state.players.map((player) => ({ bot: false, here: false, ...player }));
  return { ...rest, players, claim_at: claimAt, shown: [0, 1].map((seat) => timeLeft(state, seat, at + 250)) };
}

function frozen(value) {
  if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function follow(entries) {
  const states = {};
  return entries.map(({ at, event }) => {
    const before = states[event.game] ?? null;
    const behind = missed(before, frozen(event));
    const after = frozen(reduce(before, event, at));
    if (after) states[event.game] = after;
    return {
      missed: behind,
      states: Object.fromEntries(Object.entries(states).map(([code, state]) => [code, normal(state, at)])),
    };
  });
}

const streams = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(streams).map(([name, entries]) => [name, follow(entries)]))),
);
