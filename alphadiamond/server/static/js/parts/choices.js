// A few choices beside each other, of which one holds.

import { h, newId } from "../dom.js";

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
