// Words for screen readers, and notes that everybody sees.

import { button, h } from "./dom.js";
import { t, troubleText } from "./texts.js";

let turn = 0;

/** Have something read aloud when there is time for it. */
export function say(words) {
  turn = 1 - turn; // two places take turns, so that the same words are read again
  document.getElementById(`say-${2 - turn}`).textContent = "";
  document.getElementById(`say-${turn + 1}`).textContent = words;
}

/** A note at the edge of the page: words, perhaps a link.
 * @param words
 * @param {{ trouble?: boolean, link?: { href: string, words: string }, seconds?: number }} [look]
 */
export function toast(words, { trouble = false, link, seconds = 8 } = {}) {
  const note = h(
    "div",
    { class: `toast ${trouble ? "trouble" : ""}` },
    h("p", { class: "grow" }, words, link && [" ", h("a", { href: link.href }, link.words)]),
    button(t("frame.dismiss"), () => note.remove(), { sign: "close", quiet: true }),
  );
  const box = document.getElementById("toasts");
  while (box.children.length >= 4) box.firstChild.remove();
  box.append(note);
  say(link ? `${words} ${link.words}` : words);
  setTimeout(() => note.remove(), 1000 * seconds);
}

/** What went wrong. */
export function trouble(error) {
  toast(troubleText(error), { trouble: true });
}

/** Copy a link, or show it where the browser does not allow that. */
export function copyLink(link = location.href) {
  return navigator.clipboard.writeText(link).then(
    () => toast(t("link.copied")),
    () => toast(link),
  );
}

/** Copy what should not be shown. */
export function copySecret(text, copied) {
  return navigator.clipboard.writeText(text).then(
    () => toast(copied),
    () => toast(t("key.refused"), { trouble: true }),
  );
}
