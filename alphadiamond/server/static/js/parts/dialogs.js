// Questions in front of the page.

import { button, h, newId } from "../dom.js";
import { t, troubleText } from "../texts.js";

/** Open a dialog with a heading; it is gone when it closes, and focus returns to where it was. */
export function open(title, ...content) {
  const id = newId("dialog");
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
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
    const made = open(
      title,
      h(
        "div",
        { class: "stack" },
        h("p", {}, words),
        h(
          "div",
          { class: "row" },
          button(yes, () => made.close("yes"), { look }),
          button(t("word.cancel"), () => made.close("")),
        ),
      ),
    );
    made.addEventListener("close", () => resolve(made.returnValue === "yes"));
  });
}

/** Ask for a line of text and do something with it; what goes wrong is said below, and it can be tried again. The
 * answer is whether it was done. `help`: words below the input; `more`: another button, made with what closes the
 * dialog.
 * @param title
 * @param {{ label: string, yes: string, help?: string, look?: string, more?: (close: () => void) => Node,
 *   [attribute: string]: unknown }} options
 * @param act
 */
export function question(title, { label, help, yes, look = "main", more, ...props }, act) {
  return new Promise((resolve) => {
    const [id, helpId, fault] = [newId("input"), newId("help"), newId("fault")];
    const input = h("input", {
      type: "text",
      id,
      required: true,
      autocomplete: "off",
      "aria-describedby": help ? `${helpId} ${fault}` : fault,
      ...props,
    });
    const wrong = h("p", { id: fault, class: "bad", role: "alert" });
    const made = open(
      title,
      h(
        "form",
        { onsubmit: submit },
        h("div", {}, h("label", { for: id }, label), input),
        help && h("p", { id: helpId, class: "small muted" }, help),
        wrong,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: `button ${look}` }, yes),
          button(t("word.cancel"), () => made.close()),
          more?.(() => made.close()),
        ),
      ),
    );
    made.addEventListener("close", () => resolve(made.returnValue === "done"));
    async function submit(event) {
      event.preventDefault();
      wrong.textContent = "";
      try {
        await act(input.value.trim());
        made.close("done");
      } catch (error) {
        wrong.textContent = troubleText(error);
        input.focus();
      }
    }
  });
}
