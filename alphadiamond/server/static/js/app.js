// What every page shares: who I am, the games and bots of the server, how games are drawn, the lobby.

import { Emitter } from "./emitter.js";
import { language, t, translated } from "./texts.js";

const TOKEN = "alphadiamond.token";

/** A game's drawing with its words in the page's language; `phrase` translates what the game says later. */
function inLanguage(drawing) {
  const phrase = (text) => translated(drawing.texts?.[language], text);
  const { title, tagline, side_names, piece, pieces, place } = drawing;
  return {
    ...drawing,
    title: phrase(title),
    tagline: phrase(tagline),
    side_names: side_names.map(phrase),
    piece: phrase(piece),
    pieces: phrase(pieces),
    place: phrase(place),
    phrase,
  };
}

class App extends Emitter {
  connection = null; // a `Connection`, from `start` on
  me = null; // my name; null for a spectator
  games = [];
  bots = [];
  puzzles = []; // names of the games that have puzzles
  challenges = new Map();
  playing = new Map(); // my games that go on, by code
  lobby = null;
  following = false; // whether the page goes to the next game that begins
  #drawings = new Map();
  #drawn = new Map();
  #naming = null;
  #lobbies = 0;

  get token() {
    return localStorage.getItem(TOKEN);
  }

  /** Begin with this connection behind all pages. */
  start(connection) {
    this.connection = connection;
    this.#listen();
    connection.start(this.token ? { token: this.token } : {});
    window.addEventListener("storage", (event) => {
      if (event.key === TOKEN) this.connection.start(event.newValue ? { token: event.newValue } : {});
    });
  }

  ask(message) {
    return this.connection.ask(message);
  }

  /** Become somebody, by a new name, or by the key or recovery code of somebody known. */
  become(hello) {
    return new Promise((resolve, reject) => {
      this.#naming = { resolve, reject };
      this.connection.start(hello);
      if (hello.token) this.#coming = hello.token;
    });
  }

  #coming = null;

  /** Be nobody here any more; the key is gone from this browser. */
  leave() {
    localStorage.removeItem(TOKEN);
    this.connection.start({});
  }

  info(game) {
    return this.games.find((one) => one.name === game);
  }

  botsOf(game) {
    return this.bots.filter((bot) => bot.game === game);
  }

  /** How people call a bot or a person. */
  called(name) {
    return this.bots.find((bot) => bot.name === name)?.title ?? name;
  }

  /** How a game is drawn; asked for once. */
  drawing(game) {
    if (!this.#drawings.has(game)) {
      const found = this.get(`/api/drawings/${encodeURIComponent(game)}`).then(inLanguage);
      found.then(
        (drawing) => this.#drawn.set(game, drawing),
        () => {},
      );
      found.catch(() => this.#drawings.delete(game));
      this.#drawings.set(game, found);
    }
    return this.#drawings.get(game);
  }

  /** A text of a game in the page's language, as far as its drawing is known. */
  phrase(game, text) {
    return this.#drawn.get(game)?.phrase(text) ?? text;
  }

  get gameNames() {
    return this.games.map((one) => one.name);
  }

  /** What a game is called. */
  titleOf(game) {
    return this.phrase(game, this.info(game)?.title ?? game);
  }

  get(path) {
    return this.connection.read(path);
  }

  /** Hear the lobby while somebody looks at it; the answer ends that. */
  enterLobby() {
    this.#lobbies += 1;
    if (this.connection.open) this.ask({ type: "lobby", on: true }).catch(() => {});
    return () => {
      this.#lobbies -= 1;
      if (!this.#lobbies && this.connection.open) this.ask({ type: "lobby", on: false }).catch(() => {});
    };
  }

  #listen() {
    const { connection } = this;
    connection.on("welcome", (event) => this.#welcome(event));
    connection.on("refused", (refused) => this.#refused(refused));
    connection.on("renewed", () => localStorage.removeItem(TOKEN));
    connection.on("renewed", () => connection.start({}));
    connection.on("token", (event) => {
      localStorage.setItem(TOKEN, event.token);
      connection.start({ token: event.token });
    });
    connection.on("named", ({ name }) => {
      const before = this.me;
      this.me = name;
      this.say("named", { name, before });
    });
    connection.on("state", (state) => {
      if (state === "open" && this.#lobbies) this.ask({ type: "lobby", on: true }).catch(() => {});
      this.say("connection", state);
    });
    connection.on("lobby", (event) => {
      this.lobby = event;
      for (const line of event.games) if (this.playing.has(line.game)) this.playing.set(line.game, line);
      this.say("lobby", event);
    });
    connection.on("challenged", (event) => {
      if (event.challenge.owner !== this.me && event.challenge.to !== this.me) return;
      this.challenges.set(event.challenge.challenge, event.challenge);
      this.say("challenges", event.challenge);
    });
    connection.on("unchallenged", (event) => {
      if (this.challenges.delete(event.challenge)) this.say("challenges");
    });
    connection.on("game", (event) => this.#game(event));
    connection.on("ended", (event) => {
      if (this.playing.delete(event.game)) this.say("playing");
    });
  }

  #welcome(event) {
    if (event.token) localStorage.setItem(TOKEN, event.token);
    else if (this.#coming && event.name) localStorage.setItem(TOKEN, this.#coming);
    this.#coming = null;
    const token = event.token ?? this.token;
    // From now on it comes back as the same person.
    if (event.token) this.connection.remember({ token });
    this.me = event.name ?? null;
    this.games = event.games;
    this.bots = event.bots;
    this.puzzles = event.puzzles ?? [];
    this.challenges = new Map((event.challenges ?? []).map((one) => [one.challenge, one]));
    this.playing = new Map((event.playing ?? []).map((one) => [one.game, one]));
    this.#naming?.resolve(event);
    this.#naming = null;
    this.say("welcome", event);
  }

  #refused(refused) {
    if (this.#naming) {
      this.#naming.reject(refused);
      this.#naming = null;
      this.#coming = null;
      this.connection.start(this.token ? { token: this.token } : {});
    } else if (refused.code === "token") {
      this.leave();
      this.say("trouble", t("error.key"));
    }
  }

  #game(event) {
    if (event.seat === undefined || event.result) return;
    const begun = !this.playing.has(event.game);
    const { game, of, players, rated, clock, turn } = event;
    this.playing.set(game, { game, of, players, rated, clock, turn, plies: event.moves.length });
    if (begun) this.say("begun", event);
    this.say("playing");
  }
}

export const app = new App();
