// On what terms to play: clock, rated or not, which side.

import { app } from "../app.js";
import { h, newId } from "../dom.js";
import { t } from "../texts.js";
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
  const select = h(
    "select",
    { id, onchange: () => keep("clock")(Number(select.value)) },
    CLOCKS.map((pair, number) =>
      h("option", { value: number, selected: number === chosen.clock }, capital(clockTerms(clock(pair)))),
    ),
  );
  const { people } = app.connection; // alone one plays without clocks and ratings
  const element = h(
    "div",
    { class: "terms" },
    people && h("div", {}, h("label", { for: id }, t("terms.clock")), select),
    people &&
      choices(
        t("terms.rating"),
        [
          ["no", t("terms.unrated")],
          ["yes", t("terms.rated")],
        ],
        chosen.rated,
        keep("rated"),
      ),
    choices(
      t("terms.side"),
      [
        ["any", t("terms.any")],
        ["0", capital(drawing.side_names[0])],
        ["1", capital(drawing.side_names[1])],
      ],
      chosen.seat,
      keep("seat"),
    ),
  );
  const read = () => ({
    game: drawing.name,
    rated: people && chosen.rated === "yes",
    ...(people && CLOCKS[chosen.clock] ? { clock: clock(CLOCKS[chosen.clock]) } : {}),
    ...(chosen.seat === "any" ? {} : { seat: Number(chosen.seat) }),
  });
  return { element, read };
}
