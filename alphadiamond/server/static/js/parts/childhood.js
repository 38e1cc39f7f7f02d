// The network at earlier times of its training as opponents, by a slider through them.

import { h, newId } from "../dom.js";
import { t } from "../texts.js";

/** `bots` by rising iteration; `change` hears the one chosen, or undefined for the grown network of the list above. */
export function childhood(bots, change) {
  const id = newId("childhood");
  const output = h("output", { for: id, class: "muted small" });
  const words = (at) => (at < bots.length ? t("childhood.after", { n: bots[at].iteration }) : t("childhood.grown"));
  const tell = () => {
    const at = Number(slider.value);
    output.textContent = words(at);
    slider.setAttribute("aria-valuetext", words(at));
    change(bots[at]);
  };
  const slider = h("input", { type: "range", id, min: 0, max: bots.length, step: 1, oninput: tell });
  slider.value = bots.length;
  output.textContent = words(bots.length);
  slider.setAttribute("aria-valuetext", words(bots.length));
  return h("div", {}, h("label", { for: id }, t("childhood.title")), slider, output);
}
