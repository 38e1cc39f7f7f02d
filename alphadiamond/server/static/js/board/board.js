// A board: an SVG picture for the eye, and over it a button for every place, for fingers, keys and screen readers.

import { h, newId, put, s } from "../dom.js";
import { Emitter } from "../emitter.js";
import { Clicks } from "./clicks.js";
import { drag } from "./dragging.js";
import { Geometry } from "./geometry.js";
import { marks } from "./marks.js";
import { length, still, travel, vanish } from "./motion.js";
import { block, paints, piece } from "./pieces.js";
import { ground, surface } from "./surfaces.js";
import { spotWords } from "./words.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Only the picture of a scene, for lists and cards. */
export function picture(drawing, scene) {
  const id = newId("picture");
  const geometry = new Geometry(drawing);
  const { reach } = geometry;
  const { defs, below, above } = surface(geometry, id);
  const pieces = [
    ...blocks(geometry, id, scene),
    ...singles(scene).map(([square, seat]) => placed(piece(drawing, id, seat, geometry.radius), geometry.point(square))),
  ];
  return s("svg", { class: `picture surface-${drawing.surface}`, viewBox: [-reach, -reach, 2 * reach, 2 * reach].join(" "), "aria-hidden": "true", focusable: "false" },
    s("defs", {}, paints(drawing, id), defs), below, ground(geometry, scene), s("g", {}, pieces), above);
}

/** Tiles for the pieces that cover several squares. */
function blocks(geometry, id, scene) {
  return (scene.blocks ?? []).map((squares) => block(geometry.drawing, id, Number(scene.pieces[squares[0]]), geometry.cover(squares)));
}

/** [square, seat] of all other pieces. */
function singles(scene) {
  const covered = new Set((scene.blocks ?? []).flat());
  return [...scene.pieces].map((sign, square) => [square, sign]).filter(([square, sign]) => sign !== "." && !covered.has(square)).map(([square, sign]) => [square, Number(sign)]);
}

function placed(node, [x, y]) {
  node.setAttribute("transform", `translate(${x} ${y})`);
  return node;
}

/** Says "move" with a move's text, "key" with keys that are not its own, "said" with words worth hearing. */
export class Board extends Emitter {
  #id = newId("board");
  #pieces = new Map();
  #flight = 0;
  #picked = [];
  #clicks = new Clicks([]);
  #cursor;
  #pointed = null;
  #arrows = [];
  #flying = false;

  constructor(drawing, { flipped = false } = {}) {
    super();
    this.drawing = drawing;
    this.scene = drawing.start;
    this.element = h("div", { class: `board surface-${drawing.surface}`, role: "application", "aria-roledescription": "board", "aria-label": `${drawing.title} board`, onkeydown: (event) => this.#key(event) });
    this.#cursor = drawing.home;
    this.#build(flipped);
  }

  get flipped() {
    return this.geometry.flipped;
  }

  get playable() {
    return this.#clicks.moves.length > 0;
  }

  /** Turn the board round. */
  flip() {
    this.#build(!this.flipped);
  }

  focus() {
    this.buttons[this.#cursor].focus();
  }

  /** Which moves can be made here now; none: it is only looked at. */
  allow(legal) {
    if (legal !== this.#clicks.moves) {
      this.#clicks = new Clicks(legal);
      this.#picked = []; // otherwise somebody may be in the middle of a move
    }
    this.#mark();
  }

  /** Moves to point out: [{path, weight, look, label}], the best first. */
  point(arrows) {
    this.#arrows = arrows;
    this.#mark();
  }

  /** Show a scene; `moving` shows how it came about. */
  async show(scene, { moving = false } = {}) {
    const before = this.scene;
    this.scene = scene;
    this.#picked = [];
    this.#clicks = new Clicks([]); // until somebody allows what is possible now
    this.#flight += 1;
    this.#flying = false;
    if (!moving || still() || !scene.path?.length) {
      this.#lay(scene);
      return;
    }
    const flight = this.#flight;
    this.#flying = true;
    this.#lay(before);
    await this.#fly(scene);
    if (flight !== this.#flight) return;
    this.#flying = false;
    this.#lay(scene);
  }

  #build(flipped) {
    const { drawing } = this;
    this.geometry = new Geometry(drawing, flipped);
    const { reach } = this.geometry;
    const { defs, below, above } = surface(this.geometry, this.#id);
    this.layers = { ground: s("g"), last: s("g"), pieces: s("g"), front: s("g") };
    const svg = s("svg", { viewBox: [-reach, -reach, 2 * reach, 2 * reach].join(" "), "aria-hidden": "true", focusable: "false" },
      s("defs", {}, paints(drawing, this.#id), defs), below, this.layers.ground, this.layers.last, this.layers.pieces, above, this.layers.front);
    this.buttons = Array.from({ length: this.geometry.spots }, (_, spot) => this.#button(spot));
    put(this.element, svg, h("div", { class: "spots" }, this.buttons));
    this.#lay(this.scene);
  }

  #button(spot) {
    const { reach } = this.geometry;
    const [left, top, width, height] = this.geometry.box(spot);
    const percent = (length) => `${(100 * length) / (2 * reach)}%`;
    const made = h("button", {
      type: "button",
      class: "spot",
      "data-spot": spot,
      onclick: () => this.#click(spot),
      onfocus: () => this.#go(spot),
      onblur: () => this.#mark(),
      onpointerdown: (event) => this.#press(event, spot),
      onpointerenter: () => this.#hover(spot),
      onpointerleave: () => this.#hover(null),
    });
    Object.assign(made.style, { left: percent(left + reach), top: percent(top + reach), width: percent(width), height: percent(height) });
    return made;
  }

  /** Put pieces where they stand. */
  #lay(scene) {
    this.#pieces.clear();
    put(this.layers.ground, ground(this.geometry, scene));
    put(this.layers.pieces, blocks(this.geometry, this.#id, scene));
    for (const [square, seat] of singles(scene)) this.#add(square, seat);
    this.#mark();
  }

  #add(square, seat) {
    const made = placed(piece(this.drawing, this.#id, seat, this.geometry.radius), this.geometry.point(square));
    this.#pieces.set(square, made);
    this.layers.pieces.append(made);
    return made;
  }

  async #fly(scene) {
    const { geometry } = this;
    const { path, how, captured = [], lost = [] } = scene;
    const outside = path.length === 1;
    const mover = outside ? this.#add(path[0], scene.seat) : this.#pieces.get(path[0]);
    if (!mover) return;
    const points = outside ? [geometry.above(geometry.spotOf(path[0])), geometry.point(path[0])] : path.map((square) => geometry.point(square));
    const way = outside && !this.drawing.columns.length ? "slide" : how;
    this.layers.pieces.append(mover); // over the others
    const time = length(way, points);
    const going = captured.map((square) => {
      const point = geometry.point(square);
      const hop = way === "jump" ? nearestHop(points, point) : points.length - 1.55;
      const node = this.#pieces.get(square);
      return node && vanish(node, point, way === "jump" ? (time * (hop + 0.55)) / (points.length - 1) : time);
    });
    await travel(mover, way, points);
    placed(mover, points[points.length - 1]);
    const own = lost.map((square) => {
      const node = square === path[path.length - 1] ? mover : this.#pieces.get(square);
      return node && vanish(node, geometry.point(square), 0);
    });
    await Promise.all([...going, ...own]);
  }

  /** What can be clicked now. */
  #goals() {
    return this.#picked.length ? this.#clicks.goals(this.#picked) : [];
  }

  #mark() {
    const goals = this.#goals();
    const first = this.#clicks.first;
    const focused = this.element.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
    const pointed = this.#pointed ?? (focused ? this.#cursor : null);
    marks(this.layers, this.geometry, {
      id: this.#id,
      scene: this.scene,
      flying: this.#flying,
      picked: this.#picked,
      goals,
      first,
      pointed,
      seat: this.seat ?? 0,
      arrows: this.#arrows,
    });
    this.buttons.forEach((button, spot) => {
      button.setAttribute("aria-label", this.#name(spot, first, goals));
      button.tabIndex = spot === this.#cursor ? 0 : -1;
      button.classList.toggle("can", first.includes(spot) || goals.includes(spot));
      button.classList.toggle("picked", this.#picked.includes(spot));
    });
  }

  #name(spot, first, goals) {
    const can = this.#picked.length
      ? this.#picked.includes(spot) ? ", picked" : goals.includes(spot) ? ", can go here" : first.includes(spot) ? ", can move" : ""
      : first.includes(spot) && !this.drawing.columns.length ? ", can move" : "";
    return spotWords(this.drawing, this.scene, spot) + can;
  }

  #hover(spot) {
    this.#pointed = spot;
    this.#mark();
  }

  #go(spot) {
    this.#cursor = spot;
    this.#mark();
  }

  #click(spot) {
    this.#cursor = spot;
    if (!this.playable) {
      this.say("said", `${this.#name(spot, [], [])}. It is not your move.`);
      return;
    }
    if (this.#picked.length === 1 && this.#picked[0] === spot) {
      this.cancel();
      return;
    }
    const meant = this.#clicks.take(this.#picked, spot);
    if (!meant) {
      this.say("said", this.#picked.length ? "That cannot be reached; nothing is picked now." : `${this.#name(spot, [], [])}: no move begins here.`);
      this.#picked = [];
    } else if (meant.move) {
      this.#picked = [];
      this.say("move", meant.move);
    } else {
      this.#picked = meant.picked;
      const names = this.#goals().map((goal) => this.drawing.names[goal]);
      this.say("said", `${this.drawing.names[spot]} picked; it can go to ${names.join(", ")}.`);
    }
    this.#mark();
  }

  /** A piece that can move can also be dragged to where it goes. */
  #press(event, spot) {
    if (this.drawing.columns.length || !this.#clicks.first.includes(spot)) return;
    const node = this.#pieces.get(spot);
    if (!node) return; // a piece that comes from outside is clicked
    drag(event, this.element, this.geometry.reach, {
      begin: () => {
        this.#picked = [];
        this.#click(spot);
        this.layers.pieces.append(node); // over the others
      },
      move: (point) => placed(node, point),
      end: (target) => {
        placed(node, this.geometry.point(spot));
        if (this.#goals().includes(target)) this.#click(target);
        else if (target !== spot) this.cancel();
      },
    });
  }

  /** Let go of what is picked. */
  cancel() {
    if (this.#picked.length) this.say("said", "Nothing is picked now.");
    this.#picked = [];
    this.#mark();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.#move(this.geometry.towards(this.#cursor, arrow));
    else if (event.key === "Escape" && this.#picked.length) this.cancel();
    else if (event.key === "n" || event.key === "N") this.#next(event.key === "N" ? -1 : 1);
    else if (event.key === "m") this.say("said", this.movesWords());
    else {
      this.say("key", event);
      return;
    }
    event.preventDefault();
  }

  #move(spot) {
    this.#cursor = spot;
    this.buttons[spot].focus();
  }

  /** To the next place where a click means something. */
  #next(step) {
    const useful = this.#picked.length ? this.#goals() : this.#clicks.first;
    if (!useful.length) {
      this.say("said", "There is nothing to click just now.");
      return;
    }
    const beyond = step > 0 ? useful.find((spot) => spot > this.#cursor) ?? useful[0] : [...useful].reverse().find((spot) => spot < this.#cursor) ?? useful[useful.length - 1];
    this.#move(beyond);
  }

  movesWords() {
    if (!this.playable) return "It is not your move.";
    if (this.#picked.length) return `It can go to ${this.#goals().map((goal) => this.drawing.names[goal]).join(", ")}.`;
    const names = this.#clicks.first.map((spot) => (this.drawing.columns.length ? this.drawing.column_names[spot] : this.drawing.names[spot]));
    return `${this.drawing.columns.length ? `Free ${this.drawing.place}s` : "What can move"}: ${names.join(", ")}.`;
  }
}

function nearestHop(points, [x, y]) {
  let best = 0;
  let least = Infinity;
  for (let hop = 0; hop + 1 < points.length; hop += 1) {
    const away = Math.hypot((points[hop][0] + points[hop + 1][0]) / 2 - x, (points[hop][1] + points[hop + 1][1]) / 2 - y);
    if (away < least) [best, least] = [hop, away];
  }
  return best;
}

