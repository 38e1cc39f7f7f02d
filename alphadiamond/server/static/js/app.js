// What every page shares: who I am, the games and bots of the server, how games are drawn, the lobby.

import { Connection, Refused } from "./connection.js";
import { Emitter } from "./emitter.js";

const TOKEN = "alphadiamond.token";

class App extends Emitter {
  constructor() {
    super();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.connection = new Connection(`${scheme}//${location.host}/ws`);
    this.me = null; // my name; null for a spectator
    this.games = [];
    this.bots = [];
    this.challenges = new Map();
    this.playing = new Map(); // my games that go on, by code
    this.lobby = null;
    this.#listen();
  }

  #drawings = new Map();
  #naming = null;
  #lobbies = 0;

  get token() {
    return localStorage.getItem(TOKEN);
  }

  start() {
    this.connection.start(this.token ? { token: this.token } : {});
    window.addEventListener("storage", (event) => {
      if (event.key === TOKEN) this.connection.start(event.newValue ? { token: event.newValue } : {});
    });
  }

  ask(message) {
    return this.connection.ask(message);
  }

  /** Become somebody, by a new name or by the key of somebody known. */
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
      const found = this.get(`/api/drawings/${encodeURIComponent(game)}`);
      found.catch(() => this.#drawings.delete(game));
      this.#drawings.set(game, found);
    }
    return this.#drawings.get(game);
  }

  /** Read something over HTTP. */
  async get(path) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Refused(String(answer.status), answer.status === 404 ? "There is nothing of that name." : "The server does not answer.");
    return answer.json();
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
      this.say("trouble", "Your key is not known here any more.");
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
