// A board: an SVG picture for the eye, and over it a button for every place, for fingers, keys and screen readers.

import { h, newId, put, s } from "../dom.js";
import { Emitter } from "../emitter.js";
import { t } from "../texts.js";
import { Clicks } from "./clicks.js";
import { drag } from "./drag.js";
import { Geometry } from "./geometry.js";
import { marks } from "./marks.js";
import { length, still, travel, vanish } from "./motion.js";
import { block, paints, piece } from "./pieces.js";
import { cameTrue, predict } from "./prediction.js";
import { ground, surface } from "./surfaces.js";
import { wayTo } from "./way.js";
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
    ...singles(scene).map(([square, seat]) =>
      placed(piece(drawing, id, seat, geometry.radius), geometry.point(square)),
    ),
  ];
  return s(
    "svg",
    {
      class: `picture surface-${drawing.surface}`,
      viewBox: [-reach, -reach, 2 * reach, 2 * reach].join(" "),
      "aria-hidden": "true",
      focusable: "false",
    },
    s("defs", {}, paints(drawing, id), defs),
    below,
    ground(geometry, scene, id),
    s("g", {}, pieces),
    above,
  );
}

/** Tiles for the pieces that cover several squares. */
function blocks(geometry, id, scene) {
  return (scene.blocks ?? []).map((squares) =>
    block(geometry.drawing, id, Number(scene.pieces[squares[0]]), geometry.cover(squares)),
  );
}

/** [square, seat] of all other pieces. */
function singles(scene) {
  const covered = new Set((scene.blocks ?? []).flat());
  return [...scene.pieces]
    .map((sign, square) => [square, sign])
    .filter(([square, sign]) => sign !== "." && !covered.has(square))
    .map(([square, sign]) => [square, Number(sign)]);
}

function placed(node, [x, y]) {
  node.setAttribute("transform", `translate(${x} ${y})`);
  return node;
}

/** Says "move" with a move's text, "premove" when one is set or let go, "key" with keys that are not its own, "said"
 * with words worth hearing. A move is shown at once; whoever hears of it shows the true scene later, or the old one
 * again.
 *
 * The model is `scene` and what is allowed in it; the picture follows from it. Flights are decoration: they show how
 * the scene came about, nothing waits for them, and `settle` drops them at any time.
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
  #seen = null; // in a fog: the squares in sight
  #trails = [[], []]; // of each seat the squares it has been on
  #sent = null; // where the click was that made the last move
  #dropped = false; // whether the piece of the move that is made now was dragged to its place
  #premove = []; // clicks to be made when it is one's turn
  #premoving = false; // whether they may be chosen now
  #laid = null; // the scene whose pieces lie where they stand, none of them moved since
  #marking = false; // whether the marks are to be made anew before the next frame
  seat; // whose moves are made here; undefined: nobody's

  constructor(drawing, { flipped = false } = {}) {
    super();
    this.editing = false; // whether clicks are about what stands where: "edit" with the spot
    this.drawing = drawing;
    this.scene = drawing.start;
    this.element = h("div", {
      class: `board surface-${drawing.surface}`,
      role: "application",
      "aria-roledescription": t("board.kind"),
      "aria-label": t("board.name", { game: drawing.title }),
      onkeydown: (event) => this.#key(event),
    });
    this.#cursor = drawing.home;
    this.#build(flipped);
  }

  get flipped() {
    return this.geometry.flipped;
  }

  get playable() {
    return this.#clicks.moves.length > 0;
  }

  /** Whether clicks for later are set. */
  get premoved() {
    return this.#premove.length > 0;
  }

  /** Show only these squares, as in a fog (null: all), and where each seat has been; with the next scene. */
  survey(seen, trails) {
    this.#seen = seen;
    this.#trails = trails;
    this.#laid = null;
  }

  /** Turn the board round. */
  flip() {
    this.#build(!this.flipped);
  }

  focus() {
    this.buttons[this.#cursor].focus();
  }

  /** Which moves can be made here now; none: it is only looked at. */
  allow(legal, { premoves = false } = {}) {
    if (legal !== this.#clicks.moves) {
      this.#clicks = new Clicks(legal);
      // What was picked for later stays picked where a move begins; otherwise somebody may be in the middle of a move.
      const stays = this.#premoving && this.#picked.length === 1 && this.#clicks.first.includes(this.#picked[0]);
      if (!stays) this.#picked = [];
    }
    if (this.#premoving && !premoves && !this.playable) this.#picked = [];
    this.#premoving = premoves;
    if (!premoves && !legal.length) this.#premove = [];
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
    this.#clicks = new Clicks([]); // until somebody allows what is possible now
    if (!this.#premoving) this.#picked = [];
    if (cameTrue(before, scene)) {
      this.#confirm();
      return;
    }
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

  /** Show a move of a seat before it is known what else it does: the clicks that mean it. */
  predict(text, seat) {
    const [, spots] = this.#clicks.moves.find(([one]) => one === text) ?? [];
    const scene = spots && predict(this.drawing, this.scene, spots, seat);
    if (scene) this.show(scene, { moving: !this.#dropped });
  }

  /** What was predicted has come true: only what comes off is still to be seen. */
  #confirm() {
    const { captured = [], lost = [] } = this.scene;
    if (this.#flying) {
      this.#flights[this.#flights.length - 1][1] = this.scene; // on arrival the picture is the true one
      this.#mark();
      return;
    }
    const off = [...captured, ...lost].filter((square) => this.#pieces.has(square));
    if (still() || !off.length) {
      this.settle();
      return;
    }
    const flights = [[this.scene, this.scene]];
    this.#flights = flights;
    const next = () => {
      if (flights !== this.#flights) return;
      flights.shift();
      this.#animate(flights);
    };
    this.#laid = null;
    const gone = off.map((square) => vanish(this.#pieces.get(square), this.geometry.point(square), 0));
    this.#mark();
    Promise.allSettled(gone.map((animation) => animation.finished)).then(next);
  }

  get #flying() {
    return this.#flights.length > 0;
  }

  /** One flight after the other, until they have ended or have been dropped for another list. */
  async #animate(flights) {
    while (flights.length) {
      const flight = flights[0];
      const [before, after] = flight;
      if (this.#laid !== before) this.#lay(before);
      await Promise.allSettled(this.#fly(after).map((animation) => animation.finished));
      if (flights !== this.#flights) return;
      if (flight[1] !== after && flights.length === 1) {
        // a prediction that came true on its way
        this.#flights = [];
        this.#lay(after);
        this.#confirm();
        return;
      }
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
    const svg = s(
      "svg",
      { viewBox: [-reach, -reach, 2 * reach, 2 * reach].join(" "), "aria-hidden": "true", focusable: "false" },
      s("defs", {}, paints(drawing, this.#id), defs),
      below,
      this.layers.ground,
      this.layers.last,
      this.layers.pieces,
      above,
      this.layers.front,
    );
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
    Object.assign(made.style, {
      left: percent(left + reach),
      top: percent(top + reach),
      width: percent(width),
      height: percent(height),
    });
    return made;
  }

  /** Put pieces where they stand. */
  #lay(scene) {
    this.#laid = scene;
    this.#pieces.clear();
    put(this.layers.ground, ground(this.geometry, scene, this.#id, this.#seen));
    put(this.layers.pieces, blocks(this.geometry, this.#id, scene));
    for (const [square, seat] of singles(scene)) if (this.#seen?.has(square) ?? true) this.#add(square, seat);
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
    this.#laid = null;
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

  /** In a maze: the cheapest way of whoever moves here to a cell, if it begins with a move that can be made. */
  #way(spot) {
    if (this.drawing.surface !== "maze" || spot === null || this.#flying || !this.playable || this.editing) return null;
    const here = this.#trails[this.seat ?? 0]?.at(-1) ?? this.scene.pieces.indexOf(String(this.seat ?? 0));
    const way = here < 0 ? null : wayTo(this.scene.ground, this.drawing.column_names.length, here, spot, this.#seen);
    return way && this.#clicks.first.includes(way.path[1]) ? way : null;
  }

  /** Once for all that one event changes: the marks are most of the work between a click and the picture. */
  #mark() {
    if (this.#marking) return;
    this.#marking = true;
    queueMicrotask(() => {
      this.#marking = false;
      this.#markNow();
    });
  }

  #markNow() {
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
      trails: this.#trails,
      seen: this.#seen,
      premove: this.#premove,
      way: this.#way(pointed),
    });
    this.buttons.forEach((button, spot) => {
      const name = this.#name(spot, first, goals);
      if (button.ariaLabel !== name) button.ariaLabel = name; // to set the same again costs as much
      const tab = spot === this.#cursor ? 0 : -1;
      if (button.tabIndex !== tab) button.tabIndex = tab;
      button.classList.toggle("can", first.includes(spot) || goals.includes(spot));
      button.classList.toggle("picked", this.#picked.includes(spot));
      button.classList.toggle("held", this.#draggable(spot)); // a finger on it moves it and not the page
    });
  }

  #name(spot, first, goals) {
    if (this.#seen && !this.#seen.has(spot)) return t("board.fog", { place: this.drawing.names[spot] });
    const place = spotWords(this.drawing, this.scene, spot);
    if (this.#picked.includes(spot)) return t("board.picked", { place });
    if (this.#premove.includes(spot)) return t("board.premove", { place });
    if (this.#picked.length && goals.includes(spot)) return t("board.goal", { place });
    return first.includes(spot) && !this.drawing.columns.length ? t("board.can", { place }) : place;
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
    // The rest of a double click is no second move, however fast the answer came.
    if (count > 1 && spot === this.#sent) return;
    this.#sent = null;
    if (this.editing) {
      this.say("edit", spot);
      return;
    }
    if (this.#premoving) {
      this.#takePremove(spot);
      return;
    }
    if (!this.playable) {
      this.say("said", t("board.notYours", { place: this.#name(spot, [], []) }));
      return;
    }
    if (this.#picked.length === 1 && this.#picked[0] === spot) {
      this.cancel();
      return;
    }
    // Far away: the first step there.
    const step = this.#clicks.first.includes(spot) ? spot : (this.#way(spot)?.path[1] ?? spot);
    const meant = this.#clicks.take(this.#picked, step);
    if (!meant) {
      this.say(
        "said",
        this.#picked.length ? t("board.unreachable") : t("board.noMoveHere", { place: this.#name(spot, [], []) }),
      );
      this.#picked = [];
    } else if (meant.move) {
      this.#picked = [];
      this.#sent = spot;
      this.say("move", meant.move);
      this.#dropped = false;
    } else {
      this.#picked = meant.picked;
      const names = this.#goals().map((goal) => this.drawing.names[goal]);
      this.say("said", t("board.nowPicked", { place: this.drawing.names[spot], goals: names.join(", ") }));
    }
    this.#mark();
  }

  /** Clicks for later: a piece of mine and where it is to go, or a column. */
  #takePremove(spot) {
    const { columns, names } = this.drawing;
    const mine = columns.length > 0 || this.scene.pieces[spot] === String(this.seat);
    const again = this.#picked[0] === spot || (columns.length > 0 && this.#premove[0] === spot);
    if (again || (!this.#picked.length && !mine)) {
      if (!again && !this.#premove.length) this.say("said", t("board.notYours", { place: this.#name(spot, [], []) }));
      this.cancel();
      return;
    }
    if (columns.length || this.#picked.length) {
      this.#premove = [...this.#picked, spot];
      this.#picked = [];
      this.say(
        "said",
        t("board.premoveSet", {
          names: this.#premove
            .map((one) => (columns.length ? this.drawing.column_names[one] : names[one]))
            .join(t("board.to")),
        }),
      );
    } else {
      this.#premove = [];
      this.#picked = [spot];
      this.say("said", t("board.premovePicked", { place: names[spot] }));
    }
    this.say("premove");
    this.#mark();
  }

  /** The move that the clicks for later mean now, which are gone by that: a text, null where they mean none, undefined
   * where there are none. */
  takePremove(legal) {
    const spots = this.#premove;
    if (!spots.length) return undefined;
    this.#premove = [];
    const clicks = new Clicks(legal);
    let picked = [];
    for (const spot of spots) {
      const meant = clicks.take(picked, spot);
      if (meant?.move) return spot === spots[spots.length - 1] ? meant.move : null;
      if (!meant || meant.picked.length <= picked.length) return null;
      picked = meant.picked;
    }
    return null;
  }

  #draggable(spot) {
    if (this.drawing.columns.length) return false;
    return this.#premoving
      ? this.scene.pieces[spot] === String(this.seat)
      : this.#clicks.first.includes(spot) && this.scene.pieces[spot] !== ".";
  }

  /** A piece that can move can also be dragged to where it goes. */
  #press(event, spot) {
    if (!this.#draggable(spot)) return;
    if (this.#flying) this.settle();
    const { scene } = this;
    // Meanwhile it may be laid anew, or gone.
    const node = () => (this.scene === scene ? this.#pieces.get(spot) : undefined);
    if (!node()) return; // a piece that comes from outside is clicked
    drag(event, this.element, this.geometry.reach, {
      begin: () => {
        if (!node()) return;
        this.#laid = null;
        this.#picked = [];
        this.#click(spot);
        this.layers.pieces.append(node()); // over the others
      },
      move: (point) => node() && placed(node(), point),
      end: (target) => {
        if (!node()) return;
        const goes = this.#goals().includes(target);
        this.#dropped = goes; // it stays where it was dropped
        if (!goes) placed(node(), this.geometry.point(spot));
        if (goes || (this.#premoving && target !== null && target !== spot)) this.#click(target);
        else if (target !== spot) this.cancel();
        this.#dropped = false;
      },
    });
  }

  /** Let go of what is picked. */
  cancel() {
    if (this.#picked.length || this.#premove.length) this.say("said", t("board.letGo"));
    this.#picked = [];
    this.#premove = [];
    this.say("premove");
    this.#mark();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.#move(this.geometry.towards(this.#cursor, arrow));
    else if (event.key === "Escape" && (this.#picked.length || this.#premove.length)) this.cancel();
    else if (this.#clicks.moves.some(([text]) => text === this.drawing.keys?.[event.key]))
      this.say("move", this.drawing.keys[event.key]);
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
      this.say("said", t("board.nothing"));
      return;
    }
    const beyond =
      step > 0
        ? (useful.find((spot) => spot > this.#cursor) ?? useful[0])
        : ([...useful].reverse().find((spot) => spot < this.#cursor) ?? useful[useful.length - 1]);
    this.#move(beyond);
  }

  movesWords() {
    if (!this.playable) return t("board.notYourMove");
    if (this.#picked.length)
      return t("board.canGo", {
        goals: this.#goals()
          .map((goal) => this.drawing.names[goal])
          .join(", "),
      });
    const names = this.#clicks.first.map((spot) =>
      this.drawing.columns.length ? this.drawing.column_names[spot] : this.drawing.names[spot],
    );
    return t(this.drawing.columns.length ? "board.free" : "board.movable", {
      place: this.drawing.place,
      names: names.join(", "),
    });
  }
}

function nearestHop(points, [x, y]) {
  let best = 0;
  let least = Infinity;
  for (let hop = 0; hop + 1 < points.length; hop += 1) {
    const away = Math.hypot(
      (points[hop][0] + points[hop + 1][0]) / 2 - x,
      (points[hop][1] + points[hop + 1][1]) / 2 - y,
    );
    if (away < least) [best, least] = [hop, away];
  }
  return best;
}
