// Links that hold a game: #shared/GAME/START/MOVES, the start left out (-) where it is the usual one. They may come
// from anybody, so that what is wrong with one is said in a line.

import { load } from "../engine/games/index.js";
import { Position } from "../engine/position.js";
import { NotationError, shown } from "../engine/results.js";
import { address } from "../router.js";

const LONGEST = 1200; // moves

/** The address of a game, or of its first plies. */
export function sharedLink({ of, start, moves }, usual) {
  const link = new URL(location.href);
  link.hash = address("shared", of, start === usual ? "-" : start, moves.join("_") || "-").slice(1);
  return link.href;
}

/** The game of a link: {of, start, moves}; throws one line where it holds none. */
export async function readLink(games, of = "", start = "-", moves = "-") {
  const info = games.find((one) => one.name === of);
  if (!info) throw new NotationError(`no game is called ${shown(of)} here`);
  if (moves.length > 16 * LONGEST) throw new NotationError("the link holds more moves than any game has");
  const game = await load(of);
  if (start === "-" && game.seeded) throw new NotationError("the link does not say on which board the game is played");
  let position = start === "-" ? Position.start(game) : Position.parse(game, start);
  const found = { of, start: String(position), moves: moves === "-" ? [] : moves.split("_") };
  for (const [number, text] of found.moves.entries()) {
    try {
      position = position.play(position.action(text));
    } catch (error) {
      throw new NotationError(`move ${number + 1}: ${error.message}`);
    }
  }
  if (position.over && !found.moves.length) throw new NotationError("in this position the game is over");
  return { ...found, over: position.over, turn: position.side };
}
