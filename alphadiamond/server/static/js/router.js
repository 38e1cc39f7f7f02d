// Which page the address names: #page/first/second.

const PAGES = {
  play: () => import("./pages/play.js"),
  game: () => import("./pages/game.js"),
  leaders: () => import("./pages/leaders.js"),
  person: () => import("./pages/person.js"),
  challenge: () => import("./pages/challenge.js"),
  puzzles: () => import("./pages/puzzles.js"),
  analysis: () => import("./pages/analysis.js"),
};

const LINKED = ["play"]; // pages that the frame has links to

/** Another page, for whoever begins with other pages; `linked`: the frame has a link to it. */
export function addPage(name, load, { linked = false } = {}) {
  PAGES[name] = load;
  if (linked) LINKED.push(name);
}

export const linkedPages = () => [...LINKED];

let leave = null;
let visit = 0;

export function address(...parts) {
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

export function go(...parts) {
  location.hash = address(...parts);
}

/** The page's name, and what follows it. */
export function place() {
  const parts = location.hash
    .slice(1)
    .split("/")
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  return parts[0] in PAGES ? parts : ["play"];
}

/** Show the page of the address in a node; `shown` hears its name. */
export async function route(node, shown) {
  const [name, ...rest] = place();
  visit += 1;
  const mine = visit;
  const first = leave === null;
  const page = await PAGES[name]();
  if (mine !== visit) return;
  leave?.();
  node.replaceChildren();
  leave = page.show(node, ...rest) ?? (() => {});
  shown(name);
  if (!first) {
    window.scrollTo(0, 0);
    node.focus({ preventScroll: true });
  }
}
