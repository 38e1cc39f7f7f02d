// Elements without markup: whatever comes from the server becomes text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  add(node, children);
  return node;
}

/** Append nodes and texts; lists are flattened, nothing stands for nothing. */
export function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An element: h("p", {class: "big"}, "text", other). */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same of SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Put these in the place of what a node holds. */
export function put(node, ...children) {
  node.replaceChildren();
  return add(node, children);
}

const sign = (node) => node.dataset?.act ?? node.getAttribute?.("href");

/** Draw a part of the page anew without taking the focus from whoever is in it: it goes to what has the same
 * `data-act` or address, or else to `otherwise`. */
export function keepFocus(node, draw, otherwise = () => {}) {
  const before = document.activeElement;
  const inside = node.contains(before) && before !== node;
  const wanted = inside ? sign(before) : null;
  draw();
  if (!inside || node.contains(document.activeElement)) return;
  const found = [...node.querySelectorAll("a, button")].find((other) => wanted && sign(other) === wanted);
  if (found) found.focus({ preventScroll: true });
  else otherwise();
}

/** Whether a button can be used, without throwing out who stands on it. */
export function enable(node, yes) {
  node.setAttribute("aria-disabled", String(!yes));
}

let made = 0;
/** An id that nothing else has. */
export function newId(word) {
  made += 1;
  return `${word}-${made}`;
}

const ICONS = {
  flag: "M5 21V4h11l-2 4 2 4H5",
  half: "M7 12h10M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  undo: "M9 4 4 9l5 5M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  again: "M20 12a8 8 0 1 1-2.4-5.7M20 3v5h-5",
  turn: "M7 4v14m0 0-3-3m3 3 3-3M17 20V6m0 0-3 3m3-3 3 3",
  save: "M12 4v11m0 0-4-4m4 4 4-4M5 20h14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-8 7 8 7",
  on: "M9 5l8 7-8 7",
  last: "M6 5l8 7-8 7M18 5v14",
  moon: "M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10Z",
  sun:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2" +
    "M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19",
  auto: "M12 3a9 9 0 1 0 0 18Z M12 3a9 9 0 0 1 0 18",
  help: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.8v.5M12 17.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  close: "M6 6l12 12M18 6 6 18",
  sound: "M4 9v6h4l5 4V5L8 9H4M16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  silent: "M4 9v6h4l5 4V5L8 9H4M16.5 9.5l5 5M21.5 9.5l-5 5",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15L6 17M10.5 21h3",
  bellOff: "M6 17V11a6 6 0 0 1 9.5-4.9M18 11v6l1.5 1.5h-15L6 17M10.5 21h3M4 4l16 16",
  tree: "M6 4v16M6 9h6a4 4 0 0 1 4 4v7M3 17l3 3 3-3M13 17l3 3 3-3",
  edit: "M4 20l1-4L16 5l3 3L8 19l-4 1M14 7l3 3",
  paste: "M9 4h6v3H9zM15 5h3v15H6V5h3M9 12h6M9 16h6",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6",
  up: "M12 20V5m0 0-6 6m6-6 6 6",
  start: "M4 11l8-7 8 7M6 10v10h12V10",
  next: "M13 5l7 7-7 7M4 12h15",
  swords: "M4 4l11 11M9 20l-5-5M4 20l4-4M20 4 9 15M20 20l-4-4M15 20l5-5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  lamp: "M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.7-1 1.3-1 2H9c0-.7-.2-1.3-1-2",
};

/** A line drawing beside words; it is never the only name of a thing. */
export function icon(name) {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: ICONS[name] }),
  );
}

/** A button with words, and perhaps an icon before them; `quiet` ones show the icon alone and are named by the words.
 * @param words
 * @param onclick
 * @param {{ look?: string, sign?: string, quiet?: boolean, [attribute: string]: unknown }} [options]
 */
export function button(words, onclick, { look = "", sign, quiet = false, ...more } = {}) {
  const act = (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && onclick(event);
  return h(
    "button",
    {
      type: "button",
      class: `button ${look} ${quiet ? "quiet" : ""}`,
      onclick: act,
      ...(quiet ? { "aria-label": words, title: words } : {}),
      ...more,
    },
    sign && icon(sign),
    !quiet && h("span", {}, words),
  );
}

/** A button that shows how something stands: `state` says its sign and its words, a click has it changed.
 * {made, show}: the button, and what to call when it stands otherwise.
 * @param {() => string[]} state
 * @param {() => unknown} change
 */
export function switchButton(state, change) {
  const made = button("", () => Promise.resolve(change()).then(show), { quiet: true });
  function show() {
    const [sign, words] = state();
    put(made, icon(sign));
    made.title = words;
    made.setAttribute("aria-label", words);
  }
  show();
  return { made, show };
}
