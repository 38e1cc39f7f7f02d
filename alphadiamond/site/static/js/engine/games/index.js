// The games by name; each is loaded when it is asked for.

const MODULES = {
  diamond_chase: () => import("./diamond_chase.js"),
  connect_four: () => import("./connect_four.js"),
  dame: () => import("./dame.js"),
  labyrinth: () => import("./labyrinth.js"),
};

export const GAME_NAMES = Object.keys(MODULES);

export async function load(name) {
  if (!Object.hasOwn(MODULES, name)) throw new RangeError(`there is no game ${name}`);
  return (await MODULES[name]()).game;
}
