// A board without a game: any position, lines of play as a tree, what any bot thinks, and a link that holds it all.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { Refused } from "../connection/connection.js";
import { Board } from "../board/board.js";
import { moveWords, positionWords } from "../board/words.js";
import { button, enable, h, newId, put } from "../dom.js";
import { Analysis } from "../parts/analysis.js";
import { gameChoices } from "../parts/choices.js";
import { confirm, open } from "../parts/dialogs.js";
import { Editor } from "../parts/editor.js";
import { gameLayout } from "../parts/game-layout.js";
import { helpButton, showHelp } from "../parts/help.js";
import { MoveTree } from "../parts/tree.js";
import { address, go } from "../router.js";
import { copyLink, say, trouble } from "../notices.js";
import { play } from "../sound.js";
import { t, troubleText } from "../texts.js";
import { parseVariations, Variations } from "../variations.js";
import { capital } from "../words.js";

const KEY = "alphadiamond.game";
const LONGEST_TEXT = 6000;
const MOST_LINES = 40;
const LONGEST_LINE = 300;

/** What the analysis asks for of a game, for the line that is shown. */
class Line {
  over = true;
  rated = false;
  constructor(page) {
    this.page = page;
    this.of = page.game;
  }

  get nodes() {
    return this.page.variations.line();
  }

  get moves() {
    return this.nodes.slice(1).map((node) => node.move);
  }

  get scenes() {
    return this.nodes.map((node) => node.scene);
  }

  get ply() {
    return this.nodes.length - 1;
  }

  get firstTurn() {
    const { root } = this.page.variations;
    return root.turn ?? root.children[0]?.scene.seat ?? 0;
  }

  analyse(ply, bot) {
    return app.ask({ type: "consider", of: this.of, start: this.page.start, moves: this.moves.slice(0, ply), bot });
  }
}

class AnalysisPage {
  constructor(node, game, start, text) {
    this.node = node;
    this.game = game;
    this.here = true;
    setTitle(t("board.analysis", { game: app.titleOf(game) }));
    put(node, h("p", { class: "loading" }, t("frame.loading")));
    this.#load(start || null, text).catch((error) => this.here && this.#fail(error));
  }

  close() {
    this.here = false;
    this.analysis?.close();
  }

  #fail(error) {
    put(
      this.node,
      h(
        "div",
        { class: "panel stack narrow" },
        h("h1", {}, t("analysis.none")),
        h("p", {}, troubleText(error)),
        h("a", { href: address("analysis", this.game) }, t("analysis.anew")),
      ),
    );
  }

  #explore(more) {
    return app.ask({ type: "explore", of: this.game, ...more });
  }

  /** A position and lines from it, as a link holds them. */
  async #load(start, text) {
    const lines = text.length + (start?.length ?? 0) > LONGEST_TEXT ? null : parseVariations(text);
    if (!lines || lines.length > MOST_LINES) throw new Refused("link", t("error.link"));
    const drawing = await app.drawing(this.game);
    for (const { after, moves } of lines) {
      const found = await this.#explore({
        ...(start ? { start } : {}),
        moves: [...after, ...moves],
        since: after.length,
      });
      if (!this.here) return;
      start = found.start;
      if (!this.variations) this.#begin(found.start, new Variations(found.scenes[0], null, null));
      this.#take(after, moves, found);
    }
    this.variations.at = this.variations.line(this.variations.root).at(-1);
    this.#build(drawing);
  }

  #begin(start, variations) {
    this.start = start;
    this.variations = variations;
  }

  /** Put a line into the tree. What can be played on the way is asked for when somebody goes there. */
  #take(after, moves, found) {
    let node = after.reduce((one, move) => this.variations.child(move, one), this.variations.root);
    moves.forEach((move, number) => {
      node = this.variations.child(move, node) ?? this.variations.add(node, move, found.scenes[number + 1], null, null);
    });
    Object.assign(node, { legal: found.legal ?? [], turn: found.turn });
  }

  #build(drawing) {
    this.drawing = drawing;
    if (this.board) this.analysis.close();
    this.board = new Board(drawing);
    this.board.on("move", (text) => this.#play(text));
    this.board.on("said", say);
    this.board.on("key", (event) => this.#key(event));
    this.tree = new MoveTree(drawing, (node) => this.#go(node));
    this.line = new Line(this);
    this.analysis = new Analysis(this.line, drawing, () => this.#render());
    this.status = h("p", { class: "status" });
    this.text = h("p", { class: "mono small link-text muted" });
    this.side = h("div", { class: "game-side stack" });
    const step = (words, sign, to) => button(words, () => this.#go(to()), { sign, quiet: true });
    const { variations } = this;
    this.steps = h(
      "div",
      { class: "row steps", role: "group", "aria-label": t("game.through") },
      step(t("game.first"), "first", () => this.variations.root),
      step(t("game.back"), "back", () => this.variations.at.parent),
      step(t("game.on"), "on", () => this.variations.at.children[0]),
      step(t("game.last"), "last", () => this.variations.line().at(-1)),
    );
    this.promote = button(
      t("tree.promote"),
      () => {
        this.variations.promote();
        this.#changed();
      },
      { sign: "up", quiet: true },
    );
    this.remove = button(
      t("tree.remove"),
      () => {
        this.variations.remove(this.variations.at);
        this.#changed();
        this.board.show(this.variations.at.scene);
        this.#render();
      },
      { sign: "bin", quiet: true },
    );
    const tools = h(
      "div",
      { class: "row tools" },
      button(
        t("action.turn"),
        () => {
          this.board.flip();
          this.#render();
        },
        { sign: "turn", quiet: true },
      ),
      drawing.editable && button(t("editor.open"), () => this.#edit(), { sign: "edit", quiet: true }),
      button(t("analysis.paste"), () => this.#paste(), { sign: "paste", quiet: true }),
      button(t("analysis.fromStart"), () => this.#anew(), { sign: "start", quiet: true }),
      button(t("link.copy"), () => copyLink(), { sign: "link", quiet: true }),
      helpButton(),
    );
    this.panel = h(
      "section",
      { class: "panel stack" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, t("game.moves")),
        h("div", { class: "row tools" }, this.promote, this.remove),
      ),
      this.tree.element,
      this.steps,
    );
    put(
      this.side,
      h("section", { class: "panel stack" }, h("h2", {}, t("analysis.position")), tools, this.text),
      this.panel,
      this.analysis.element,
    );
    put(
      this.node,
      gameLayout(
        t("board.analysis", { game: drawing.title }),
        gameChoices(app.gameNames, this.game, (name) => go("analysis", name)),
        h("div", { class: "game-board" }, h("div", { class: "board-place" }, this.board.element), this.status),
        this.side,
      ),
    );
    this.board.show(variations.at.scene);
    this.#changed();
  }

  async #play(text) {
    const { variations } = this;
    const parent = variations.at;
    const seat = parent.turn;
    const known = variations.child(text);
    play("move");
    if (known) {
      this.#go(known, true);
      return;
    }
    const moves = [...variations.moves(), text];
    this.board.predict(text, seat);
    this.board.allow([]);
    try {
      if (moves.length > LONGEST_LINE) throw new Refused("link", t("error.link"));
      const found = await this.#explore({ start: this.start, moves, since: moves.length });
      if (variations !== this.variations || !this.here) return;
      const node =
        variations.child(text, parent) ?? variations.add(parent, text, found.scenes[0], found.legal ?? [], found.turn);
      if (variations.at !== parent) return;
      variations.at = node;
      this.board.show(node.scene, { moving: true });
      this.#changed();
      say(`${moveWords(this.drawing, node.scene)}. ${this.#words()}`);
    } catch (error) {
      trouble(error);
      if (variations.at === parent) this.board.show(parent.scene);
      this.#render();
    }
  }

  /** To another place of the tree. */
  #go(node, moving = node?.parent === this.variations.at) {
    if (!node || node === this.variations.at) return;
    this.board.settle();
    this.variations.at = node;
    this.board.show(node.scene, { moving });
    this.#changed();
    say(
      node.move
        ? t("game.moveSaid", { n: this.variations.moves().length, move: moveWords(this.drawing, node.scene) })
        : t("game.beginning"),
    );
  }

  /** The address always holds what is shown. */
  #changed() {
    history.replaceState(null, "", address("analysis", this.game, this.start, this.variations.toString()));
    this.#render();
    this.#know(this.variations.at);
  }

  /** What can be played at a node that came by a link. */
  async #know(node) {
    if (node.legal !== null) return;
    const moves = this.variations.moves(node);
    const found = await this.#explore({ start: this.start, moves, since: moves.length }).catch(() => null);
    if (!found || !this.here) return;
    Object.assign(node, { legal: found.legal ?? [], turn: found.turn });
    if (node === this.variations.at) this.#render();
  }

  #render() {
    const { board, variations } = this;
    const { at } = variations;
    if (!board || this.editor) return;
    board.seat = at.turn ?? 0;
    board.allow(at.legal ?? []);
    this.analysis.show(variations.moves().length);
    board.point(this.analysis.arrows);
    this.tree.show(variations);
    const [begin, back, on, end] = this.steps.children;
    for (const step of [begin, back]) enable(step, at.parent !== null);
    for (const step of [on, end]) enable(step, at.children.length > 0);
    enable(
      this.promote,
      variations.path().some((one) => one.parent && one.parent.children[0] !== one),
    );
    enable(this.remove, at.parent !== null);
    this.panel.hidden = variations.size === 0;
    put(this.status, this.#words());
    put(this.text, this.start);
  }

  #words() {
    const { at } = this.variations;
    if (at.scene.outcome) return `${capital(this.drawing.phrase(at.scene.outcome))}.`;
    if (at.turn === undefined) return t("game.over");
    return at.turn === null ? "…" : t("analysis.toMove", { side: capital(this.drawing.side_names[at.turn]) });
  }

  #edit() {
    if (this.editor) return;
    this.board.settle();
    this.board.point([]);
    put(this.status, t("editor.title"));
    this.editor = new Editor(this.board, { done: (made) => this.#edited(made) });
    this.side.prepend(this.editor.element);
    this.panel.hidden = true;
    this.analysis.element.hidden = true;
    this.editor.element.querySelector("input").focus();
  }

  async #edited(made) {
    try {
      if (made) await this.#open({ pieces: made.pieces, turn: made.turn });
    } catch (error) {
      trouble(error);
      return; // it can be mended
    }
    this.editor.close();
    this.editor = null;
    this.board.show(this.variations.at.scene);
    this.#changed();
    this.board.focus();
  }

  /** Begin at another position. */
  async #open(more) {
    const found = await this.#explore(more);
    this.#begin(found.start, new Variations(found.scenes[0], found.legal ?? [], found.turn));
  }

  async #anew() {
    if (
      this.variations.size &&
      !(await confirm(t("analysis.fromStart"), t("analysis.forget"), t("analysis.fromStart")))
    )
      return;
    await this.#open({}).then(() => {
      this.board.show(this.variations.at.scene);
      this.#changed();
    }, trouble);
  }

  #paste() {
    const [id, fault] = [newId("position"), newId("fault")];
    const input = h("input", {
      type: "text",
      id,
      required: true,
      maxlength: 2048,
      class: "mono",
      autocomplete: "off",
      spellcheck: "false",
      value: this.start,
      "aria-describedby": fault,
    });
    const wrong = h("p", { id: fault, class: "bad", role: "alert" });
    const submit = async (event) => {
      event.preventDefault();
      try {
        await this.#open({ start: input.value.trim() });
        made.close();
        this.board.show(this.variations.at.scene);
        this.#changed();
      } catch (error) {
        wrong.textContent = troubleText(error);
        input.focus();
      }
    };
    const made = open(
      t("analysis.paste"),
      h(
        "form",
        { onsubmit: submit },
        h("div", {}, h("label", { for: id }, t("analysis.pasteLabel")), input),
        wrong,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "button main" }, t("editor.done")),
          button(t("word.cancel"), () => made.close()),
        ),
      ),
    );
    input.select();
  }

  #key(event) {
    const { drawing } = this;
    const answers = {
      p: () => say(`${positionWords(drawing, this.variations.at.scene)} ${this.#words()}`),
      t: () => say(this.#words()),
      "?": () => showHelp(),
      "[": () => this.#go(this.variations.at.parent),
      "]": () => this.#go(this.variations.at.children[0]),
    };
    if (!answers[event.key] || this.editor) return;
    event.preventDefault();
    answers[event.key]();
  }
}

export function show(node, game = localStorage.getItem(KEY), start = "", text = "") {
  const known = app.info(game)?.name;
  if (!known && start) {
    put(
      node,
      h(
        "div",
        { class: "panel stack narrow" },
        h("h1", {}, t("analysis.none")),
        h("p", {}, t("error.unknown")),
        h("a", { href: "#analysis" }, t("analysis.anew")),
      ),
    );
    return () => {};
  }
  const page = new AnalysisPage(node, known ?? app.games[0].name, start, text);
  return () => page.close();
}
