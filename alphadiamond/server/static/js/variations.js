// Moves as a tree: a line from a start, and other lines beside it. Plain data; it asks nobody.

/** A node is {move, scene, legal, turn, parent, children}; the first child is how its line goes on. */
export class Variations {
  constructor(scene, legal, turn) {
    this.root = { move: null, scene, legal, turn, parent: null, children: [] };
    this.at = this.root;
  }

  /** The nodes from the start to one of them, both included. */
  path(node = this.at) {
    const found = [];
    for (let one = node; one; one = one.parent) found.unshift(one);
    return found;
  }

  moves(node = this.at) {
    return this.path(node)
      .slice(1)
      .map((one) => one.move);
  }

  /** The line through a node to its end. */
  line(node = this.at) {
    const found = this.path(node);
    for (let one = node; one.children.length; one = one.children[0]) found.push(one.children[0]);
    return found;
  }

  child(move, node = this.at) {
    return node.children.find((one) => one.move === move);
  }

  add(parent, move, scene, legal, turn) {
    const node = { move, scene, legal, turn, parent, children: [] };
    parent.children.push(node);
    return node;
  }

  /** How many moves there are in all. */
  get size() {
    const count = (node) => node.children.reduce((sum, one) => sum + 1 + count(one), 0);
    return count(this.root);
  }

  /** Without this move and all that follows it. */
  remove(node) {
    if (!node.parent) return;
    if (this.path().includes(node)) this.at = node.parent;
    node.parent.children = node.parent.children.filter((one) => one !== node);
  }

  /** Make the line to a node the main one. */
  promote(node = this.at) {
    for (const one of this.path(node)) {
      if (!one.parent) continue;
      one.parent.children = [one, ...one.parent.children.filter((other) => other !== one)];
    }
  }

  /** As text: "a b (c d) e": other lines stand in brackets after the move that they replace. */
  toString() {
    const written = (node) => {
      if (!node.children.length) return "";
      const [main, ...others] = node.children;
      const beside = others.map((one) => ` (${one.move}${written(one) && ` ${written(one)}`})`).join("");
      const rest = written(main);
      return `${main.move}${beside}${rest && ` ${rest}`}`;
    };
    return written(this.root);
  }
}

/** The lines of such a text: [{after: moves before, moves}], each after those that it needs; null where it is none. */
export function parseVariations(text) {
  const tokens = text.replace(/[()]/g, " $& ").split(" ").filter(Boolean);
  const lines = [{ after: [], moves: [] }];
  const open = [lines[0]];
  for (const token of tokens) {
    const line = open[open.length - 1];
    if (token === "(") {
      const before = [...line.after, ...line.moves].slice(0, -1);
      if (!line.moves.length) return null;
      open.push({ after: before, moves: [] });
    } else if (token === ")") {
      if (open.length === 1 || !line.moves.length) return null;
      open.pop();
    } else {
      if (!line.moves.length && open.length > 1) lines.push(line);
      line.moves.push(token);
    }
  }
  return open.length === 1 ? lines : null;
}
