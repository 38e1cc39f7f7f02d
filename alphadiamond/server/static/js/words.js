// Times, ratings, terms and results in words.

import { endingText, language, t } from "./texts.js";

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
  const parts = [minutes && t("word.minutes", { n: minutes }), (rest || !minutes) && t("word.seconds", { n: rest })];
  return parts.filter(Boolean).join(" ");
}

export function clockTerms(clock) {
  if (!clock) return t("word.noClock");
  const base =
    clock.seconds % 60
      ? t("word.secondsShort", { n: clock.seconds })
      : t("word.minutesShort", { n: clock.seconds / 60 });
  return clock.increment ? t("word.increment", { clock: base, n: clock.increment }) : base;
}

export function termsText(terms) {
  return t("word.terms", { clock: clockTerms(terms.clock), rated: t(terms.rated ? "word.rated" : "word.unrated") });
}

/** 1500, with a question mark as long as nobody can be sure; nothing where no rating is known. */
export function ratingText({ rating, deviation }) {
  if (deviation === null) return "";
  return deviation > 110 ? `${rating}?` : String(rating);
}

export function dateText(at) {
  return new Date(at).toLocaleDateString(language, { year: "numeric", month: "short", day: "numeric" });
}

/** Why a game is over. */
function reason(view, drawing, called) {
  const loser = { first: 1, second: 0 }[view.result];
  const last = view.scenes?.[view.scenes.length - 1];
  if (view.ending === "agreement") return t("result.agreement");
  if (loser === undefined || !["resignation", "time", "abandonment"].includes(view.ending))
    return drawing.phrase(last?.outcome || view.ending);
  if (loser === view.seat) return t(`result.my${capital(view.ending)}`);
  return t(`result.${view.ending}`, { who: called(view.players[loser].name) });
}

/** "You win: red has 2 beads left". */
export function resultWords(view, drawing, called) {
  if (view.result === "aborted")
    return view.ending === "aborted"
      ? t("result.aborted")
      : t("result.abortedWhy", { why: drawing.phrase(view.ending) });
  const why = reason(view, drawing, called);
  if (view.result === "draw") return t("result.draw", { why });
  const winner = { first: 0, second: 1 }[view.result];
  if (view.seat === undefined) return t("result.wins", { side: capital(drawing.side_names[winner]), why });
  return t(view.seat === winner ? "result.win" : "result.lose", { why });
}

/** How a game of a list went for somebody: won, lost, draw or aborted. */
export function lineResult(line, name) {
  if (line.result === "aborted" || line.result === "draw") return line.result;
  const winner = line.players[line.result === "first" ? 0 : 1].name;
  return winner === name ? "won" : "lost";
}

/** How a game of a list ended, in the game's own words where the page has none. */
export function lineEnding(line, phrase) {
  const text = endingText(line.ending);
  return text === line.ending ? phrase(line.of, text) : text;
}
