// A connection to nobody: the browser's own rules, its storage, and a worker that thinks. It says what a server says,
// and more: "thinking" with what a player thinks while it does.

import { Connection, Refused } from "../connection/connection.js";
import { load } from "../engine/games/index.js";
import { Position } from "../engine/position.js";
import { NotationError } from "../engine/results.js";
import { t, troubleText } from "../texts.js";
import { keep, keptGames, newCode, recordText } from "./games.js";
import { sharedLink } from "./links.js";
import { localLists } from "./lists.js";
import { EngineWorker, unloaded } from "./engine-worker.js";

const ROOT = new URL("../../", import.meta.url);
const RESULTS = ["first", "second"];
/** Milliseconds until what could not be loaded is asked for again. */
export const AGAIN = 3000;

/** A game that is open here: what is kept of it, and all its positions. */
class LocalGame {
  thought = null; // what is being thought about it now

  constructor(rules, kept) {
    this.rules = rules;
    this.kept = kept;
    this.positions = [Position.parse(rules, kept.start)];
    kept.first = this.positions[0].side;
    this.scenes = [this.positions[0].firstScene()];
    for (const text of kept.moves) this.#add(text);
  }

  get position() {
    return this.positions[this.positions.length - 1];
  }

  get over() {
    return this.kept.result !== undefined;
  }

  get turn() {
    return this.over ? undefined : this.position.side;
  }

  #add(text) {
    const before = this.position;
    const action = before.action(text);
    const after = before.play(action);
    this.positions.push(after);
    this.scenes.push(before.sceneOf(action, after, this.positions[0]));
  }

  play(text) {
    this.#add(text);
    this.kept.moves.push(text);
    if (this.position.over) {
      const { winner } = this.position;
      this.end(winner === null ? "draw" : RESULTS[winner], this.position.reason.ending);
    }
  }

  end(result, ending) {
    Object.assign(this.kept, { result, ending });
  }

  /** Take back plies until it is a seat's move again with one of its own gone. */
  takeBack() {
    const { kept } = this;
    let plies = kept.moves.length;
    const choice = () => this.positions[plies].side === kept.seat && !this.positions[plies].forced;
    do plies -= 1;
    while (plies > 0 && !choice());
    if (plies < 0 || !choice()) return false;
    kept.moves.length = plies;
    this.positions.length = plies + 1;
    this.scenes.length = plies + 1;
    return true;
  }
}

export class LocalConnection extends Connection {
  people = false;
  thinks = true; // whether it says what players think
  #games = new Map();
  #engine = new EngineWorker();
  #welcome = null;
  #analysis = null;

  async start() {
    try {
      this.#welcome ??= await this.#json("site.json");
    } catch {
      this.change("lost", Date.now() + AGAIN);
      setTimeout(() => this.start(), AGAIN);
      return;
    }
    const playing = keptGames()
      .filter((one) => one.result === undefined && this.#playable(one))
      .map((one) => this.#line(one));
    for (const bot of this.#welcome.bots)
      bot.title = bot.iteration
        ? t("childhood.after", { n: bot.iteration })
        : t(`bot.${bot.name.slice(1).replace("-", "_")}`);
    this.say("welcome", { type: "welcome", ...this.#welcome, now: Date.now(), name: t("local.me"), playing });
    this.change("open");
  }

  get puzzles() {
    return this.#welcome?.daily ?? {};
  }

  async ask(message) {
    if (!this.open) throw this.unconnected();
    const answer = ANSWERS[message.type];
    if (!answer) throw new Refused("not_allowed", t("error.not_allowed"));
    try {
      return (await this[answer](message)) ?? { type: "ok" };
    } catch (error) {
      throw error instanceof NotationError ? new Refused("illegal", error.message) : error;
    }
  }

  async read(path) {
    const drawing = path.match(/^\/api\/drawings\/(.+)$/)?.[1];
    if (!drawing) throw new Refused("404", t("error.404"));
    // Nobody here arranges pieces by hand.
    return { ...(await this.#json(`drawings/${drawing}.json`)), editable: false };
  }

  async download(path, name) {
    const game = await this.#open(decodeURIComponent(path.split("/").pop()));
    const names = this.#players(game.kept).map((player) => this.#called(player.name));
    const text = recordText(
      game.kept,
      game.scenes.slice(1).map((scene) => scene.text),
      this.#info(game.kept.of),
      names,
    );
    const file = new Blob([text], { type: "text/plain" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /** A link that holds a game as far as a ply. */
  link(view, ply = view.ply) {
    return sharedLink({ of: view.of, start: view.start, moves: view.moves.slice(0, ply) }, this.#info(view.of).start);
  }

  /** Finished games, the newest first, as lines of a list. */
  finished() {
    return keptGames()
      .filter((one) => one.result !== undefined && this.#playable(one))
      .map((one) => this.#line(one));
  }

  /** Keep a game that came from elsewhere, and go on with it against a bot; its code. */
  async adopt({ of, start, moves, turn, over }, bot) {
    const game = new LocalGame(await load(of), {
      code: newCode(),
      of,
      start,
      moves: [],
      seat: over ? 0 : turn,
      bot,
      at: Date.now(),
    });
    for (const text of moves) game.play(text);
    return this.#begin(game);
  }

  /** For the page of games: what one has played here, and what else there is. */
  lists(section, finishedLines) {
    return localLists(this, section, finishedLines);
  }

  async data(path) {
    return this.#json(path);
  }

  async #json(path) {
    const answer = await fetch(new URL(path, ROOT)).catch(() => null);
    if (!answer) throw unloaded();
    if (!answer.ok) throw new Refused("404", t("error.404"));
    return answer.json();
  }

  #info(of) {
    return this.#welcome.games.find((one) => one.name === of);
  }

  #bot(of, name) {
    return this.#welcome.bots.find((bot) => bot.game === of && bot.name === name);
  }

  #called(name) {
    return this.#welcome.bots.find((bot) => bot.name === name)?.title ?? name;
  }

  #playable({ of, bot }) {
    return Boolean(this.#info(of) && this.#bot(of, bot));
  }

  #players({ seat, bot }) {
    const mine = { name: t("local.me"), rating: 0, deviation: null, here: true };
    const other = { name: bot, rating: 0, deviation: null, bot: true, here: true };
    return seat === 0 ? [mine, other] : [other, mine];
  }

  #line(kept) {
    const { code, of, moves, result, ending, at } = kept;
    const turn = result === undefined ? { turn: this.#turn(kept) } : { result, ending };
    return { game: code, of, players: this.#players(kept), rated: false, plies: moves.length, at, ...turn };
  }

  #turn({ first = 0, moves }) {
    return (first + moves.length) % 2;
  }

  async #open(code) {
    if (!this.#games.has(code)) {
      const kept = keptGames().find((one) => one.code === code);
      if (!kept || !this.#playable(kept)) throw new Refused("unknown", t("error.unknown"));
      try {
        this.#games.set(code, new LocalGame(await load(kept.of), { ...kept, moves: [...kept.moves] }));
      } catch {
        throw new Refused("unknown", t("error.unknown")); // what was kept is no game any more
      }
    }
    return this.#games.get(code);
  }

  #event(game) {
    const { code, of, seat, start, moves, result, ending, rematch } = game.kept;
    const going = game.over ? { result, ending } : { turn: game.turn, legal: game.position.legal };
    return {
      type: "game",
      game: code,
      of,
      players: this.#players(game.kept),
      rated: false,
      moves: [...moves],
      position: String(game.position),
      start,
      left: null,
      seat,
      now: Date.now(),
      scenes: [...game.scenes],
      ...going,
      ...(rematch ? { rematch } : {}),
    };
  }

  #tell(event) {
    this.say(event.type, event);
    return event;
  }

  #begin(game) {
    this.#games.set(game.kept.code, game);
    keep(game.kept);
    const event = this.#tell(this.#event(game));
    this.#reply(game);
    return event;
  }

  #moved(game, move) {
    const { code, moves } = game.kept;
    const going = game.over ? { turn: null } : { turn: game.turn, legal: game.position.legal };
    keep(game.kept);
    this.#tell({
      type: "moved",
      game: code,
      ply: moves.length - 1,
      move,
      position: String(game.position),
      left: null,
      now: Date.now(),
      scene: game.scenes[moves.length],
      ...going,
    });
    if (game.over) this.#ended(game);
  }

  #ended(game) {
    game.thought?.stop();
    keep(game.kept);
    this.#tell({ type: "ended", game: game.kept.code, result: game.kept.result, ending: game.kept.ending });
  }

  /** Go on by a pass where there is nothing else, whosever turn it is; have the bot move, if it is its turn. */
  async #reply(game) {
    const { kept } = game;
    if (game.over || game.thought) return;
    const { forced } = game.position;
    if (forced) {
      game.play(forced);
      this.#moved(game, forced);
      return void this.#reply(game);
    }
    if (game.turn === kept.seat) return;
    const ply = kept.moves.length;
    const question = { game: kept.of, start: kept.start, moves: [...kept.moves], player: this.#bot(kept.of, kept.bot) };
    const thought = this.#engine.ask(
      question,
      (opinion) => game.thought === thought && this.#tell({ type: "thinking", game: kept.code, ply, ...opinion }),
    );
    game.thought = thought;
    try {
      const { answer, move } = await thought;
      if (game.thought !== thought || game.over || kept.moves.length !== ply) return;
      this.#tell({ type: "thinking", game: kept.code, ply, ...answer, done: true });
      game.play(move);
      game.thought = null;
      this.#moved(game, move);
      this.#reply(game);
    } catch (error) {
      if (game.thought !== thought) return;
      this.#tell({ type: "thinking", game: kept.code, ply, fault: troubleText(error) });
      if (error.code === "unloaded") setTimeout(() => this.#reply(game), AGAIN);
    } finally {
      if (game.thought === thought) game.thought = null;
    }
  }

  // What can be asked

  /** On a drawn board, or on that of the game that it `follows`. */
  async playBot({ bot, terms }, follows = null) {
    const { game: of, seat = Math.random() < 0.5 ? 0 : 1 } = terms;
    if (!this.#playable({ of, bot })) throw new Refused("unknown", t("error.unknown"));
    const rules = await load(of);
    // People's own range.
    const seed = (crypto.getRandomValues(new BigUint64Array(1))[0] % (1n << 40n)) + 3n * (1n << 40n);
    const start = follows?.start ?? String(Position.start(rules, seed));
    const returns = Boolean(follows);
    return this.#begin(
      new LocalGame(rules, { code: newCode(), of, start, moves: [], seat, bot, at: Date.now(), returns }),
    );
  }

  async watch({ game }) {
    const found = await this.#open(game);
    const event = this.#tell(this.#event(found));
    this.#reply(found); // it may have been left in the middle of a thought
    return event;
  }

  async move({ game: code, ply, move }) {
    const game = await this.#open(code);
    if (game.over) throw new Refused("over", t("error.over"));
    if (ply !== game.kept.moves.length || game.turn !== game.kept.seat) throw new Refused("late", t("error.late"));
    game.play(move);
    this.#moved(game, move);
    this.#reply(game);
  }

  async resign({ game: code }) {
    const game = await this.#open(code);
    if (game.over) throw new Refused("over", t("error.over"));
    game.end(RESULTS[1 - game.kept.seat], "resignation");
    this.#ended(game);
  }

  async abort({ game: code }) {
    const game = await this.#open(code);
    if (game.over) throw new Refused("over", t("error.over"));
    game.end("aborted", "aborted");
    this.#ended(game);
  }

  async offer({ game: code, what }) {
    const game = await this.#open(code);
    if (what === "takeback") return this.#takeBack(game);
    if (what === "rematch") return this.#rematch(game);
    throw new Refused("not_allowed", t("error.not_allowed"));
  }

  #takeBack(game) {
    game.thought?.stop();
    game.thought = null;
    if (game.over || !game.takeBack()) throw new Refused("not_allowed", t("error.not_allowed"));
    keep(game.kept);
    return this.#tell(this.#event(game));
  }

  async #rematch(game) {
    const { of, seat, bot, returns } = game.kept;
    const again = game.rules.seeded && !returns; // a drawn board is played twice, with seats exchanged
    const next = await this.playBot({ bot, terms: { game: of, seat: 1 - seat } }, again ? game.kept : null);
    game.kept.rematch = next.game;
    keep(game.kept);
    this.#tell({ type: "rematch", game: game.kept.code, next: next.game });
    return next;
  }

  async analyse({ game: code, ply, bot }) {
    const game = await this.#open(code);
    const player = this.#bot(game.kept.of, bot);
    if (!player) throw new Refused("unknown", t("error.unknown"));
    if (ply > game.kept.moves.length || game.positions[ply].over)
      throw new Refused("not_allowed", t("error.not_allowed"));
    this.#analysis?.stop();
    const question = {
      game: game.kept.of,
      start: game.kept.start,
      moves: game.kept.moves.slice(0, ply),
      player: { ...player, slips: 0, temperature: 0 },
    };
    const thought = this.#engine.ask(question, (opinion) =>
      this.#tell({ type: "thinking", game: code, ply, asked: true, ...opinion }),
    );
    this.#analysis = thought;
    const { answer } = await thought;
    this.#tell({ type: "thinking", game: code, ply, asked: true, ...answer, done: true });
    return { type: "opinion", game: code, ply, bot, ...answer };
  }

  /** The scenes and legal moves of a line, for the page of analysis. */
  async explore({ of, start, moves, since = 0 }) {
    if (!this.#info(of)) throw new Refused("unknown", t("error.unknown"));
    const rules = await load(of);
    try {
      const first = start === undefined ? String(Position.start(rules, 0)) : start;
      const line = new LocalGame(rules, { code: "", of, start: first, moves: [...moves], seat: 0 });
      const { position } = line;
      const going = position.over ? {} : { turn: position.side, legal: position.legal };
      return {
        type: "explored",
        of,
        start: String(line.positions[0]),
        position: String(position),
        scenes: line.scenes.slice(since),
        ...going,
      };
    } catch (error) {
      throw new Refused("position", error.message);
    }
  }

  /** What a player thinks of the end of a line. */
  async consider({ of, start, moves, bot }) {
    const player = this.#bot(of, bot);
    if (!player) throw new Refused("unknown", t("error.unknown"));
    this.#analysis?.stop();
    this.#analysis = this.#engine.ask({ game: of, start, moves, player: { ...player, slips: 0, temperature: 0 } });
    const { answer } = await this.#analysis;
    return { type: "opinion", game: "", ply: moves.length, bot, ...answer };
  }

  lobby() {
    this.#tell({ type: "lobby", seeks: [], games: [], people: [], playing: 0, here: 0 });
  }

  nothing() {}
}

const ANSWERS = {
  bot: "playBot",
  watch: "watch",
  unwatch: "nothing",
  move: "move",
  resign: "resign",
  abort: "abort",
  offer: "offer",
  refuse: "nothing",
  analyse: "analyse",
  explore: "explore",
  consider: "consider",
  lobby: "lobby",
  ping: "nothing",
};
