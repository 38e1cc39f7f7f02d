// The page's texts in the language of whoever reads it. All of them are in texts/.

import en from "./texts/en.js";

const KEY = "alphadiamond.language";
const OTHERS = { de: () => import("./texts/de.js") };

/** What can be chosen: [code, the language's own name]. */
export const LANGUAGES = [
  ["en", "English"],
  ["de", "Deutsch"],
];

function chosen() {
  const codes = LANGUAGES.map(([code]) => code);
  const wanted = [localStorage.getItem(KEY), ...navigator.languages.map((tag) => tag.split("-")[0])];
  return wanted.find((code) => codes.includes(code)) ?? "en";
}

export const language = chosen();
const table = language in OTHERS ? (await OTHERS[language]()).default : en;
document.documentElement.lang = language;

/** Read the page in another language from now on. */
export function changeLanguage(code) {
  localStorage.setItem(KEY, code);
  location.reload();
}

/** A text by its key. */
export function t(key, values = {}) {
  const text = table[key];
  return typeof text === "function" ? text(values) : text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** What went wrong, for people: the server's own sentence in its language, otherwise by its code. */
export function troubleText(error) {
  const key = `error.${error.code}`;
  const text = language === "en" || !(key in table) ? error.message : t(key);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** A name for how a game ended, where the page has one. */
export function endingText(ending) {
  return `ending.${ending}` in table ? t(`ending.${ending}`) : ending;
}

/** A game's own text by the game's own table: as it stands there, or by a pattern whose {} are kept. */
export function translated(texts, text) {
  if (!texts || !text) return text;
  if (texts[text] !== undefined) return texts[text];
  for (const [pattern, other] of Object.entries(texts)) {
    if (!pattern.includes("{}")) continue;
    const parts = pattern.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const found = text.match(new RegExp(`^${parts.join("(.+?)")}$`));
    if (found) {
      const values = found.slice(1).map((value) => texts[value] ?? value);
      return other.replace(/\{\}/g, () => values.shift());
    }
  }
  return text;
}
