// The games of this browser: kept in its storage, the last ones of many, and read back with care, for anybody may have
// written there.

const KEY = "alphadiamond.local.games";
const KEPT = 200;

const isText = (value, most) => typeof value === "string" && value.length <= most;

function whole(one) {
  return (
    one &&
    isText(one.code, 32) &&
    isText(one.of, 64) &&
    isText(one.start, 400) &&
    isText(one.bot, 64) &&
    [0, 1].includes(one.seat) &&
    Array.isArray(one.moves) &&
    one.moves.length < 2000 &&
    one.moves.every((move) => isText(move, 16)) &&
    Number.isFinite(one.at)
  );
}

/** {code, of, start, first, moves, seat, bot, at, result, ending, rematch, returns}, the newest first. `first` is the
 * side that begins; a game that `returns` is played on the board of the one before, with seats exchanged. */
export function keptGames() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter(whole) : [];
  } catch {
    return [];
  }
}

/** Keep a game as it is now; where there is no room the oldest give way. */
export function keep(game) {
  const others = keptGames().filter((one) => one.code !== game.code);
  for (let count = KEPT - 1; count >= 0; count = Math.floor(count / 2) - (count ? 0 : 1)) {
    try {
      localStorage.setItem(KEY, JSON.stringify([game, ...others.slice(0, count)]));
      return;
    } catch {
      // less, then
    }
  }
}

export function newCode() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => "abcdefghijkmnpqrstuvwxyz23456789"[byte % 32]).join("");
}

const WIDTH = 100;
const quoted = (text) => text.replace(/[\\"]/g, "\\$&");

/** A game as a record, which `base/record.py` reads: its moves as they are shown, with what they removed. `info` is the
 * game's line of the welcome, `names` who played. */
export function recordText(game, moves, info, names) {
  const winner = { first: 0, second: 1 }[game.result];
  const result = winner !== undefined ? info.sides[winner] : game.result === "draw" ? "draw" : "*";
  const ending = result === "*" ? "unfinished" : game.ending;
  const seats = info.sides.map((side, seat) => [side.charAt(0).toUpperCase() + side.slice(1), names[seat]]);
  const tags = [
    ["Game", game.of],
    ...seats,
    ["Date", new Date(game.at).toISOString().slice(0, 10)],
    ["Result", result],
    ["Ending", ending],
    ["Start", game.start],
  ];
  const lines = [];
  let line = "";
  moves.forEach((move, ply) => {
    const word = ply % 2 ? move : `${ply / 2 + 1}. ${move}`;
    if (line && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line = line ? `${line} ${word}` : word;
  });
  if (line) lines.push(line);
  return `${[...tags.map(([name, value]) => `[${name} "${quoted(value)}"]`), "", ...lines, result].join("\n")}\n`;
}
