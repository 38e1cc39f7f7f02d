// The state of one game from its events, as a pure function: it imports nothing and asks no clock.
// `online/game_state.py` is the same in Python, and the same recorded streams hold them together.
// What an event leaves out is undefined. Times are milliseconds by the clock that is handed in.

/** Whether it does not follow from what is known, or cannot be drawn, so that the whole game has to be asked for. */
export function missed(state, event) {
  if (event.type === "game") return (event.scenes?.length ?? 0) !== event.moves.length + 1;
  if (event.type !== "moved" || !state || event.game !== state.code) return false;
  return event.ply === state.moves.length ? !event.scene : state.moves[event.ply] !== event.move;
}

/** The state after an event that came at a time; null until the whole game has come. */
export function reduce(state, event, at) {
  if ((state && event.game !== state.code) || missed(state, event)) return state;
  if (event.type === "game") return whole(state, event, at);
  return state && Object.hasOwn(STEPS, event.type) ? STEPS[event.type](state, event, at) : state;
}

/** What a clock shows; null without clocks. */
export function timeLeft(state, seat, at) {
  if (!state?.left) return null;
  const gone = state.ticking && state.turn === seat ? at - state.heard : 0;
  return Math.max(0, state.left[seat] - gone);
}

function whole(state, event, at) {
  const {
    game: code,
    of,
    players,
    rated,
    clock,
    start,
    moves,
    position,
    turn,
    legal = [],
    seat,
    left,
    ticking = false,
  } = event;
  const { offers = {}, watchers = 0, result, ending, changes, rematch, scenes } = event;
  const waiting = seat !== undefined && result === undefined && !players[1 - seat].here;
  const claimAt = state && waiting ? state.claimAt : null;
  return {
    code,
    of,
    players,
    rated,
    clock,
    start,
    moves,
    position,
    turn,
    legal,
    seat,
    left,
    ticking,
    heard: at,
    offers,
    watchers,
    result,
    ending,
    changes,
    rematch,
    claimAt,
    scenes,
  };
}

function without(offers, what) {
  return Object.fromEntries(Object.entries(offers).filter(([one]) => one !== what));
}

const STEPS = {
  moved(state, { ply, move, position, turn, left, scene, ticking = false, legal = [] }, at) {
    if (ply !== state.moves.length) return state;
    return {
      ...state,
      moves: [...state.moves, move],
      scenes: [...state.scenes, scene],
      position,
      turn: turn ?? undefined,
      left,
      ticking,
      legal,
      heard: at,
      offers: {},
    };
  },

  ended(state, { result, ending, changes, left = state.left }, at) {
    return {
      ...state,
      result,
      ending,
      changes,
      left,
      turn: undefined,
      legal: [],
      ticking: false,
      heard: at,
      offers: {},
      claimAt: null,
    };
  },

  offered(state, { what, seat }) {
    const offers = without(state.offers, what);
    return { ...state, offers: seat === undefined ? offers : { ...offers, [what]: seat } };
  },

  presence(state, { seat, here, claim_in }, at) {
    const players = state.players.map((player, number) => (number === seat ? { ...player, here } : player));
    if (state.seat === undefined || seat === state.seat) return { ...state, players };
    return { ...state, players, claimAt: here || claim_in === undefined ? null : at + claim_in };
  },

  rematch(state, { next }) {
    return { ...state, rematch: next, offers: without(state.offers, "rematch") };
  },
};
