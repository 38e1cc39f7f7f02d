// Times, ratings, terms and results in words.

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** 4:05, or 9.3 when it gets short. */
export function clockText(left) {
  const time = Math.max(0, left);
  if (time < 10000) return (Math.floor(time / 100) / 10).toFixed(1);
  const seconds = Math.ceil(time / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The same for listening. */
export function clockWords(left) {
  const seconds = Math.ceil(Math.max(0, left) / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [minutes && `${minutes} minute${minutes === 1 ? "" : "s"}`, (rest || !minutes) && `${rest} second${rest === 1 ? "" : "s"}`];
  return parts.filter(Boolean).join(" ");
}

export function clockTerms(clock) {
  if (!clock) return "no clock";
  const base = clock.seconds % 60 ? `${clock.seconds} s` : `${clock.seconds / 60} min`;
  return clock.increment ? `${base} + ${clock.increment} s` : base;
}

export function termsText(terms) {
  return `${clockTerms(terms.clock)}, ${terms.rated ? "rated" : "unrated"}`;
}

/** 1500, with a question mark as long as nobody can be sure. */
export function ratingText({ rating, deviation }) {
  return deviation > 110 ? `${rating}?` : String(rating);
}

export function dateText(at) {
  return new Date(at).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });
}

/** Why a game is over. */
function reason(view, called) {
  const loser = { first: 1, second: 0 }[view.result];
  const me = loser !== undefined && loser === view.seat;
  const who = loser === undefined ? "" : me ? "you" : called(view.players[loser].name);
  const last = view.scenes?.[view.scenes.length - 1];
  return {
    resignation: `${who} resigned`,
    time: `${who} ran out of time`,
    abandonment: `${who} ${me ? "were" : "was"} away for too long`,
    agreement: "by agreement",
  }[view.ending] ?? (last?.outcome || view.ending);
}

/** "You win: red has 2 beads left". */
export function resultWords(view, drawing, called) {
  if (view.result === "aborted") return view.ending === "aborted" ? "The game was aborted." : `The game was aborted: ${view.ending}.`;
  const why = reason(view, called);
  if (view.result === "draw") return `Draw: ${why}.`;
  const winner = { first: 0, second: 1 }[view.result];
  if (view.seat === undefined) return `${capital(drawing.side_names[winner])} wins: ${why}.`;
  return `${view.seat === winner ? "You win" : "You lose"}: ${why}.`;
}

/** One line of a list: "won by resignation". */
export function lineResult(line, name) {
  if (line.result === "aborted") return "aborted";
  if (line.result === "draw") return "draw";
  const winner = line.players[line.result === "first" ? 0 : 1].name;
  return winner === name ? "won" : "lost";
}
