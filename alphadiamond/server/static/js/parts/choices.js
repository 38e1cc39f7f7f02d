// A few choices beside each other, of which one holds.

import { app } from "../app.js";
import { h, newId } from "../dom.js";
import { t } from "../texts.js";

/** `options` are [value, words or node]; `change` hears the value chosen. */
export function choices(title, options, value, change, { hidden = false } = {}) {
  const name = newId("choice");
  return h(
    "fieldset",
    {},
    h("legend", { class: hidden ? "heard" : "" }, title),
    h(
      "div",
      { class: "choices" },
      options.map(([option, ...words]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value: option, checked: option === value, onchange: () => change(option) }),
          h("span", {}, words),
        ),
      ),
    ),
  );
}

/** Which of these games is shown. */
export function gameChoices(names, chosen, change) {
  return choices(
    t("word.game"),
    names.map((name) => [name, app.titleOf(name)]),
    chosen,
    change,
    { hidden: true },
  );
}
