// A game: playing it, watching it, and going through it again.

import { app } from "../app.js";
import { Board } from "../board/board.js";
import { moveWords, positionWords } from "../board/words.js";
import { button, enable, h, put } from "../dom.js";
import { GameView } from "../game-view.js";
import { notify, setTitle } from "../attention.js";
import { Actions } from "../parts/actions.js";
import { Analysis } from "../parts/analysis.js";
import { gameLayout } from "../parts/game-layout.js";
import { showHelp } from "../parts/help.js";
import { MoveList } from "../parts/moves.js";
import { PlayerBar } from "../parts/player.js";
import { LiveAnalysis } from "../parts/live-analysis.js";
import { go } from "../router.js";
import { say, trouble } from "../notices.js";
import { play } from "../sound.js";
import { t } from "../texts.js";
import { capital, clockTerms, clockWords, resultWords } from "../words.js";

const NOTHING = [];

class GamePage {
  #timer = null;

  constructor(node, code) {
    this.node = node;
    this.view = new GameView(code);
    put(node, h("p", { class: "loading" }, t("game.loading")));
    this.view.on("missing", () =>
      put(
        node,
        h(
          "div",
          { class: "panel stack narrow" },
          h("h1", {}, t("game.none")),
          h("p", {}, t("game.noneWords")),
          h("a", { href: "#play" }, t("frame.toLobby")),
        ),
      ),
    );
    this.view.on("trouble", (error) => this.#trouble(error));
    this.view.on("game", (news) => this.#game(news));
    this.view.on("moved", ({ scene }) => this.#moved(scene));
    this.view.on("ended", () => this.#ended());
    this.view.on("offered", (event) => this.#offered(event));
    this.view.on("presence", (event) => this.#presence(event));
    this.view.on("rematch", (event) => (this.view.seat === undefined ? this.#render() : go("game", event.next)));
    this.#timer = setInterval(() => this.#tick(), 100);
  }

  close() {
    setTitle("AlphaDiamond");
    clearInterval(this.#timer);
    this.view.close();
    this.analysis?.close();
    this.thinking?.close();
  }

  async #game({ first, before }) {
    if (!this.board) {
      if (this.building) return;
      this.building = true;
      this.drawing = await app.drawing(this.view.of);
      this.#build();
      if (this.view.mine) say(t("game.yourMoveSaid"));
      if (this.view.mine) this.#call();
      return;
    }
    const { view } = this;
    if (!first && view.ply < before) say(t("game.takenBack"));
    if (!first && view.ply > before) say(t("game.meanwhile", { n: view.ply - before, last: this.#last() }));
    this.at = view.ply;
    this.#show(view.scenes[this.at]);
    if (view.pending) {
      this.board.allow(view.legal);
      this.board.predict(this.played, view.seat);
    }
    this.#render();
  }

  /** What was refused is taken back at once. */
  #trouble(error) {
    trouble(error);
    if (this.board?.scene.predicted && !this.view.pending) {
      this.board.show(this.view.scenes[this.view.ply]);
      this.#render();
    }
  }

  /** A move of mine: it is seen at once and goes to the server. */
  #play(text) {
    this.played = text;
    this.board.predict(text, this.view.seat);
    this.view.move(text);
    play("move");
    // Nothing else has changed yet, and the next frame should show the move.
    this.board.allow(NOTHING, { premoves: true });
    this.#status();
    setTitle(this.title);
  }

  /** Whoever looks elsewhere is called. */
  #call() {
    const { view } = this;
    const last = view.scenes[view.ply];
    notify(
      t("game.yourMove"),
      last.path?.length ? t("game.played", { who: this.#who(1 - view.seat), move: this.#told(last) }) : this.title,
      view.code,
    );
  }

  #build() {
    const { view, drawing } = this;
    this.at = view.ply;
    this.board = new Board(drawing, { flipped: view.seat === 1 });
    this.board.on("move", (text) => this.#play(text));
    this.board.on("premove", () => this.#status());
    this.board.on("said", say);
    this.board.on("key", (event) => this.#key(event));
    this.bars = [0, 1].map((seat) => new PlayerBar(drawing, seat));
    this.moves = new MoveList(drawing, (ply) => this.#go(ply));
    this.analysis = new Analysis(view, drawing, () => this.#render());
    this.actions = new Actions(view, {
      flip: () => this.#flip(),
      hint: this.analysis.bot && (() => this.#hint()),
      leave: () => this.board.focus(),
    });
    this.thinking = new LiveAnalysis(view, drawing, () => this.board.point(this.#arrows()));
    this.status = h("p", { class: "status" });
    const step = (words, sign, ply) => button(words, () => this.#go(ply()), { sign, quiet: true });
    this.steps = h(
      "div",
      { class: "row steps", role: "group", "aria-label": t("game.through") },
      step(t("game.first"), "first", () => 0),
      step(t("game.back"), "back", () => this.at - 1),
      step(t("game.on"), "on", () => this.at + 1),
      step(t("game.last"), "last", () => view.ply),
    );
    this.places = [h("div"), h("div")];
    this.foggy = h("div", { class: "row" });
    this.fog = false;
    const names = view.players.map((player) => app.called(player.name)).join(" – ");
    this.title = `${names}, ${drawing.title}`;
    put(
      this.node,
      gameLayout(
        names,
        h(
          "p",
          { class: "muted small" },
          app.connection.people
            ? `${drawing.title}, ${clockTerms(view.clock)}, ${t(view.rated ? "word.rated" : "word.unrated")}`
            : drawing.title,
        ),
        h(
          "div",
          { class: "game-board" },
          this.places[0],
          h("div", { class: "board-place" }, this.board.element),
          this.places[1],
          this.thinking.bar,
          this.status,
        ),
        h(
          "div",
          { class: "game-side stack" },
          this.actions.element,
          this.foggy,
          h(
            "section",
            { class: "panel stack" },
            h("div", { class: "row spread" }, h("h2", {}, t("game.moves")), this.actions.tools),
            this.moves.element,
            this.steps,
          ),
          this.thinking.element,
          this.analysis.element,
        ),
      ),
    );
    if (drawing.sight && view.seat !== undefined)
      put(
        this.foggy,
        button(t("game.fog"), () => this.#toggleFog(), {
          sign: "eye",
          title: t("game.fogTip"),
          "aria-pressed": "false",
        }),
      );
    this.#show(view.scenes[this.at]);
    this.#seats();
    this.#render();
  }

  /** What is worth pointing at: what is being thought, or what was asked for. */
  #arrows() {
    return this.thinking.arrows ?? this.analysis.arrows;
  }

  /** Whether the person is to know no more than they see in a fog. */
  get #inFog() {
    return this.fog && !this.view.over && this.view.seat !== undefined;
  }

  /** What is told of a ply: nobody hears what they do not see. */
  #told(scene) {
    return this.#inFog && scene.seat !== this.view.seat ? t("game.unseen") : moveWords(this.drawing, scene);
  }

  /** The squares in sight in a fog: near my piece, where it has been, and the homes; null where everything is. */
  #sight() {
    const { view, drawing } = this;
    if (!this.#inFog) return null;
    const scene = view.scenes[this.at];
    const [x, y] =
      drawing.points[[...scene.pieces].indexOf(String(view.seat))] ?? drawing.points[this.#trails()[view.seat].at(-1)];
    const near = drawing.points
      .map((_, square) => square)
      .filter(
        (square) =>
          Math.max(Math.abs(drawing.points[square][0] - x), Math.abs(drawing.points[square][1] - y)) <=
          drawing.sight + 0.01,
      );
    const homes = [...scene.ground]
      .map((sign, square) => ("01".includes(sign) ? square : -1))
      .filter((square) => square >= 0);
    return new Set([...near, ...homes, ...this.#trails()[view.seat]]);
  }

  /** Of each seat the squares that it has been on. */
  #trails() {
    const past = this.view.scenes.slice(1, this.at + 1);
    return [0, 1].map((seat) =>
      past
        .filter((scene) => scene.seat === seat)
        .flatMap((scene, number) => (number ? scene.path.slice(-1) : [...scene.path])),
    );
  }

  /** A scene on the board, with what has been seen and gone so far. */
  #show(scene, options) {
    if (this.drawing.surface === "maze") this.board.survey(this.#sight(), this.#trails());
    this.board.show(scene, options);
  }

  #toggleFog() {
    this.fog = !this.fog;
    this.foggy.querySelector("button").setAttribute("aria-pressed", String(this.fog));
    this.#show(this.view.scenes[this.at]);
    this.#render();
    say(t(this.fog ? "game.fogSaid" : "game.fogGone"));
  }

  /** Who plays from below is shown below. */
  #seats() {
    const low = this.board.flipped || (this.drawing.columns.length && this.view.seat === 1) ? 1 : 0;
    this.places[0].replaceChildren(this.bars[1 - low].element);
    this.places[1].replaceChildren(this.bars[low].element);
  }

  #flip() {
    this.board.flip();
    this.#seats();
    this.#render();
  }

  #hint() {
    this.#go(this.view.ply);
    this.analysis.hint();
  }

  /** Show the position after so many plies. */
  #go(ply) {
    const to = Math.max(0, Math.min(this.view.ply, ply));
    if (to === this.at) return;
    const moving = to === this.at + 1;
    this.at = to;
    this.board.settle(); // who goes on does not wait for the last move
    this.#show(this.view.scenes[to], { moving });
    this.#render();
    say(to ? t("game.moveSaid", { n: to, move: this.#told(this.view.scenes[to]) }) : t("game.beginning"));
  }

  #moved(scene) {
    if (!this.board) return;
    const following = this.at === this.view.ply - 1;
    if (following) {
      this.at = this.view.ply;
      this.#show(scene, { moving: true });
    }
    const premove = following && this.view.mine ? this.board.takePremove(this.view.legal) : undefined;
    const mine = scene.seat === this.view.seat;
    if (!mine || scene.captured?.length || scene.lost?.length)
      play(scene.captured?.length || scene.lost?.length ? "capture" : "move");
    this.#render();
    if (this.view.mine && !premove) this.#call();
    const who = scene.seat === this.view.seat ? t("word.you") : this.#who(scene.seat);
    const move = this.#told(scene);
    const words = t(this.view.mine && !premove ? "game.playedYourMove" : "game.played", { who, move });
    say(premove === null ? `${words} ${t("board.premoveGone")}` : words);
    if (premove) this.#play(premove);
  }

  #ended() {
    if (!this.board) return;
    if (this.fog && this.at === this.view.ply) this.#show(this.view.scenes[this.at]);
    this.#render();
    const words = resultWords(this.view, this.drawing, (name) => app.called(name));
    say(words);
    notify(this.title, words, this.view.code);
    const winner = { first: 0, second: 1 }[this.view.result];
    if (this.view.result !== "aborted")
      play(winner === undefined ? "draw" : winner === this.view.seat || this.view.seat === undefined ? "won" : "lost");
  }

  #offered(event) {
    if (!this.board) return;
    this.#render();
    if (event.seat !== undefined && event.seat !== this.view.seat)
      say(t("game.offersSaid", { who: this.#who(event.seat), what: t(`offer.${event.what}Word`) }));
    if (event.seat === undefined) say(t("game.noOffer", { what: t(`offer.${event.what}Word`) }));
  }

  #presence(event) {
    if (!this.board) return;
    this.#render();
    if (event.seat !== this.view.seat)
      say(t(event.here ? "game.isBack" : "game.isGone", { who: this.#who(event.seat) }));
  }

  #who(seat) {
    return app.called(this.view.players[seat].name);
  }

  #render() {
    const { view, board } = this;
    if (!board) return;
    const latest = this.at === view.ply;
    board.seat = view.seat;
    const waiting = view.pending || (view.turn !== undefined && !view.mine);
    board.allow(latest && view.mine && !view.pending ? view.legal : NOTHING, {
      premoves: latest && view.seat !== undefined && !view.over && waiting,
    });
    this.analysis.show(this.at, { hidden: this.#inFog });
    this.thinking.show(this.at, { hidden: this.#inFog });
    board.point(this.#arrows());
    for (const bar of this.bars) bar.show(view, view.scenes[this.at]);
    this.moves.show(view, this.at, this.analysis.judged, this.#inFog ? 1 - view.seat : -1);
    this.actions.show();
    const [begin, back, on, end] = this.steps.children;
    for (const step of [begin, back]) enable(step, this.at > 0);
    for (const step of [on, end]) enable(step, !latest);
    this.#status();
    setTitle(this.title, view.mine && !view.pending ? t("game.yourMoveTitle", { title: this.title }) : null);
  }

  #status() {
    const { view } = this;
    const latest = this.at === view.ply;
    put(this.status, latest ? this.#words() : t("game.after", { at: this.at, of: view.ply }));
    this.status.classList.toggle("mine", latest && view.mine && !view.pending);
    this.status.classList.toggle("over", latest && view.over);
  }

  #words() {
    const { view, drawing } = this;
    if (view.over) return [resultWords(view, drawing, (name) => app.called(name)), ...this.#efficiency()].join(" · ");
    if (view.mine && !view.pending)
      return [t("game.yourMove"), drawing.phrase(view.scenes[view.ply].countdown)].filter(Boolean).join(" · ");
    if (this.board.premoved) return t("game.premoved");
    if (view.pending) return t("game.sending");
    if (view.turn === undefined) return t("game.over"); // why is told in a moment
    const side = drawing.side_names[view.turn];
    return view.players[view.turn].bot
      ? t("game.thinking", { who: this.#who(view.turn) })
      : t("game.toMove", { who: this.#who(view.turn), side });
  }

  /** What each has paid beside the cheapest way that there was, where ways are looked for; of a player the own alone.
   */
  #efficiency() {
    const { view, drawing } = this;
    const { efficiency = [], cheapest = [] } = view.scenes[view.ply];
    const seats = efficiency.map((_, seat) => seat).filter((seat) => view.seat === undefined || seat === view.seat);
    return seats.map((seat) =>
      t(efficiency[seat] ? "game.efficiency" : "game.notHome", {
        side: capital(drawing.side_names[seat]),
        share: efficiency[seat],
        least: cheapest[seat],
      }),
    );
  }

  #last() {
    const scene = this.view.scenes[this.view.ply];
    return scene.path?.length
      ? t("game.lastMove", { side: this.drawing.side_names[scene.seat], move: this.#told(scene) })
      : t("game.noMove");
  }

  #clocks() {
    const { view } = this;
    if (!view.left) return t("game.noClocks");
    return [0, 1]
      .map((seat) =>
        t(view.seat === seat ? "game.youHave" : "game.theyHave", {
          who: this.#who(seat),
          time: clockWords(view.timeLeft(seat)),
        }),
      )
      .join(" ");
  }

  /** Keys that ask, wherever on the board one is. */
  #key(event) {
    const { view, drawing } = this;
    const answers = {
      p: () => say(`${positionWords(drawing, view.scenes[this.at], this.#sight())} ${this.#turnWords()}`),
      l: () => say(this.#last()),
      c: () => say(this.#clocks()),
      t: () => say(this.#turnWords()),
      "?": () => showHelp(),
      "[": () => this.#go(this.at - 1),
      "]": () => this.#go(this.at + 1),
    };
    if (!answers[event.key]) return;
    event.preventDefault();
    answers[event.key]();
  }

  #turnWords() {
    return capital(`${this.#words()}${this.view.over ? "" : "."}`);
  }

  #tick() {
    if (!this.board) return;
    for (const bar of this.bars) bar.tick(this.view);
    const wait =
      this.view.claimAt === null || this.view.over
        ? null
        : Math.max(0, Math.ceil((this.view.claimAt - performance.now()) / 1000));
    if (wait !== null && wait !== this.waited) this.actions.show();
    this.waited = wait;
  }
}

export function show(node, code = "") {
  const page = new GamePage(node, code);
  return () => page.close();
}
