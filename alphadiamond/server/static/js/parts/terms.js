// On what terms to play: clock, rated or not, which side.

import { h, newId } from "../dom.js";
import { choices } from "./choices.js";
import { capital, clockTerms } from "../words.js";

const CLOCKS = [null, [60, 0], [180, 2], [300, 3], [600, 5], [1800, 10]];
const KEY = "alphadiamond.terms";

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** A form part for a game, whose `read` gives the terms as the server wants them. */
export function termsForm(drawing) {
  const chosen = { clock: 0, rated: "no", seat: "any", ...kept() };
  const keep = (name) => (value) => {
    chosen[name] = value;
    localStorage.setItem(KEY, JSON.stringify(chosen));
  };
  const id = newId("clock");
  const clock = (pair) => pair && { seconds: pair[0], increment: pair[1] };
  const select = h("select", { id, onchange: () => keep("clock")(Number(select.value)) },
    CLOCKS.map((pair, number) => h("option", { value: number, selected: number === chosen.clock }, capital(clockTerms(clock(pair))))));
  const element = h("div", { class: "terms" },
    h("div", {}, h("label", { for: id }, "Clock"), select),
    choices("Rating", [["no", "Unrated"], ["yes", "Rated"]], chosen.rated, keep("rated")),
    choices("Your side", [["any", "Any"], ["0", capital(drawing.side_names[0])], ["1", capital(drawing.side_names[1])]], chosen.seat, keep("seat")));
  const read = () => ({
    game: drawing.name,
    rated: chosen.rated === "yes",
    ...(CLOCKS[chosen.clock] ? { clock: clock(CLOCKS[chosen.clock]) } : {}),
    ...(chosen.seat === "any" ? {} : { seat: Number(chosen.seat) }),
  });
  return { element, read };
}
