// The worker: it thinks, so that the page's frames are never held up. It hears {id, game, start, moves, player} or
// {id, stop: true}, and says {id, report}, then {id, answer, move} or {id, fault, code}.

import { load } from "./games/index.js";
import { chosen, think } from "./player.js";
import { Position } from "./position.js";

const ROOT = new URL("../../", import.meta.url); // where the page's files lie
const stopped = new Set();

self.addEventListener("message", async ({ data }) => {
  const { id } = data;
  if (data.stop) {
    stopped.add(id);
    return;
  }
  try {
    const game = await load(data.game);
    let position = Position.parse(game, data.start);
    for (const text of data.moves) position = position.play(position.action(text));
    const tell = (analysis) => opinion(position, analysis);
    const analysis = await think(position, data.player, {
      report: (found) => self.postMessage({ id, report: tell(found) }),
      stopped: () => stopped.has(id),
      address: (path) => new URL(path, ROOT).href,
    });
    const move = position.text(chosen(position, data.player, analysis));
    self.postMessage({ id, answer: tell(analysis), move });
  } catch (error) {
    self.postMessage({ id, fault: error.message, code: error.code });
  } finally {
    stopped.delete(id);
  }
});

/** An analysis as the page is told it: moves by their texts. */
function opinion(position, { moves, value, wdl, exact, simulations }) {
  return {
    value,
    win_draw_loss: wdl,
    exact,
    simulations,
    best: position.text(moves[0].action),
    moves: moves.map(({ action, score, value: worth, visits, distance, margin, variation }) => ({
      move: position.text(action),
      score,
      ...(worth === undefined ? {} : { value: worth }),
      ...(visits === undefined ? {} : { visits }),
      ...(distance === undefined ? {} : { distance }),
      ...(margin === undefined ? {} : { margin }),
      variation: texts(position, variation),
      path: [...position.game.path(position, action)],
    })),
  };
}

function texts(position, actions) {
  const found = [];
  for (const action of actions) {
    if (position.over) break;
    found.push(position.text(action));
    position = position.play(action);
  }
  return found;
}
