// How many days in a row the puzzle of a game has been solved: kept in this browser alone.

const KEY = "alphadiamond.local.puzzles";
const DAY = 86400000;

/** Days since 1970 where the visitor lives. */
export function today() {
  const now = new Date();
  return Math.floor((now.getTime() - now.getTimezoneOffset() * 60000) / DAY);
}

/** {game: {day, solved, streak}}; whatever else is there is forgotten. */
export function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Object.fromEntries(
      Object.entries(found ?? {}).filter(([, one]) => Number.isInteger(one?.day) && Number.isInteger(one?.streak)),
    );
  } catch {
    return {};
  }
}

/** A day without a try, or with a wrong one, ends a streak. */
export function remember(game, day, solved) {
  const all = kept();
  const before = all[game];
  if (before?.day === day) return before;
  const streak = solved ? (before?.day === day - 1 && before.solved ? before.streak : 0) + 1 : 0;
  all[game] = { day, solved, streak };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // where nothing can be kept, today's result is shown all the same
  }
  return all[game];
}
