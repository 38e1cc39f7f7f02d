// Questions in front of the page.

import { button, h, newId } from "../dom.js";
import { t } from "../texts.js";

/** Open a dialog with a heading; it is gone when it closes, and focus returns to where it was. */
export function open(title, ...content) {
  const id = newId("dialog");
  const before = document.activeElement;
  const made = h("dialog", { "aria-labelledby": id }, h("h2", { id }, title), content);
  made.addEventListener("close", () => {
    made.remove();
    before?.focus?.();
  });
  document.body.append(made);
  made.showModal();
  return made;
}

/** Yes or no. */
export function confirm(title, words, yes, { look = "main" } = {}) {
  return new Promise((resolve) => {
    const made = open(title, h("div", { class: "stack" }, h("p", {}, words),
      h("div", { class: "row" }, button(yes, () => made.close("yes"), { look }), button(t("word.cancel"), () => made.close("")))));
    made.addEventListener("close", () => resolve(made.returnValue === "yes"));
  });
}
