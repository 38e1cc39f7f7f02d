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

/** Says "move" with a move's text, "key" with keys that are not its own, "said" with words worth hearing.
 *
 * The model is `scene` and what is allowed in it; the picture follows from it. Flights are decoration: they show how the
 * scene came about, nothing waits for them, and `settle` drops them at any time.
 */
export class Board extends Emitter {
  #id = newId("board");
  #pieces = new Map();
  #flights = []; // [scene before, scene after] of the plies on their way, the first of them in the air
  #picked = [];
  #clicks = new Clicks([]);
  #cursor;
  #pointed = null;
  #arrows = [];
  #sent = null; // where the click was that made the last move

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

  /** Be in a scene, at once; `moving` shows how it came about, after what is still on its way. */
  show(scene, { moving = false } = {}) {
    const before = this.scene;
    this.scene = scene;
    this.#picked = [];
    this.#clicks = new Clicks([]); // until somebody allows what is possible now
    const flies = moving && !still() && scene.path?.length > 0;
    if (!flies || this.#flights.length > 1) this.settle(); // who is far behind sees the last ply alone
    if (!flies) return;
    this.#flights.push([before, scene]);
    if (this.#flights.length === 1) this.#animate(this.#flights);
    else this.#mark();
  }

  /** Drop what is on its way: the picture is that of the scene. */
  settle() {
    this.#flights = [];
    this.#lay(this.scene);
  }

  get #flying() {
    return this.#flights.length > 0;
  }

  /** One flight after the other, until they have ended or have been dropped for another list. */
  async #animate(flights) {
    while (flights.length) {
      const [before, after] = flights[0];
      this.#lay(before);
      await Promise.allSettled(this.#fly(after).map((animation) => animation.finished));
      if (flights !== this.#flights) return;
      flights.shift();
    }
    this.#lay(this.scene);
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
    this.settle();
  }

  #button(spot) {
    const { reach } = this.geometry;
    const [left, top, width, height] = this.geometry.box(spot);
    const percent = (length) => `${(100 * length) / (2 * reach)}%`;
    const made = h("button", {
      type: "button",
      class: "spot",
      "data-spot": spot,
      onclick: (event) => this.#click(spot, event.detail),
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

  /** Set the pieces of the ply that leads to a scene in motion; the answer is their animations.
   *
   * All begin now, with delays: nothing is left to be done to pieces that may have been laid anew meanwhile.
   */
  #fly(scene) {
    const { geometry } = this;
    const { path, how, captured = [], lost = [] } = scene;
    const outside = path.length === 1;
    const mover = outside ? this.#add(path[0], scene.seat) : this.#pieces.get(path[0]);
    if (!mover) return [];
    const falls = outside && this.drawing.columns.length > 0;
    const points = path.map((square) => geometry.point(square));
    if (falls) points.unshift(geometry.above(geometry.spotOf(path[0])));
    const way = outside && !falls ? "appear" : how;
    const time = length(way, points);
    const arrival = path[path.length - 1];
    const going = captured.map((square) => {
      const hop = nearestHop(points, geometry.point(square));
      return [square, way === "jump" ? (time * (hop + 0.55)) / (points.length - 1) : time];
    });
    this.layers.pieces.append(mover); // over the others
    placed(mover, points[points.length - 1]); // where it is once it has arrived
    const gone = [...going, ...lost.map((square) => [square, time])].map(([square, delay]) => {
      const node = square === arrival ? mover : this.#pieces.get(square);
      return node && vanish(node, geometry.point(square), delay);
    });
    return [travel(mover, way, points), ...gone.filter(Boolean)];
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

  #click(spot, count = 1) {
    this.#cursor = spot;
    if (this.#flying) this.settle();
    if (count > 1 && spot === this.#sent) return; // the rest of a double click is no second move, however fast the answer came
    this.#sent = null;
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
      this.#sent = spot;
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
    if (this.#flying) this.settle();
    const { scene } = this;
    const node = () => (this.scene === scene ? this.#pieces.get(spot) : undefined); // meanwhile it may be laid anew, or gone
    if (!node()) return; // a piece that comes from outside is clicked
    drag(event, this.element, this.geometry.reach, {
      begin: () => {
        if (!node()) return;
        this.#picked = [];
        this.#click(spot);
        this.layers.pieces.append(node()); // over the others
      },
      move: (point) => node() && placed(node(), point),
      end: (target) => {
        if (!node()) return;
        placed(node(), this.geometry.point(spot));
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

