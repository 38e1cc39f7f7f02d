// The WebSocket: it comes back by itself, answers find their questions, and its state can be shown.

import { Emitter } from "./emitter.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 15000;
const PING_EVERY = 20000;
const PING_PATIENCE = 10000;
const RENEWED = 4001;

/** What the server refused: a word for programs in `code`, a sentence for people in `message`. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Says "state", "welcome", "refused" (of a hello) and the type of every event of the server. */
export class Connection extends Emitter {
  #socket = null;
  #hello = {};
  #answers = new Map();
  #number = 0;
  #failures = 0;
  #retry = null;
  #backAt = 0;
  #ping = null;

  constructor(address) {
    super();
    this.address = address;
    this.state = "connecting"; // connecting, open, lost, stopping
    this.returnsAt = 0; // when it tries again, by this machine's clock
    window.addEventListener("online", () => this.#now());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#now());
  }

  get open() {
    return this.state === "open";
  }

  /** Say hello like this, now and whenever it comes back. */
  start(hello) {
    this.#hello = hello;
    this.#failures = 0;
    this.#backAt = 0;
    this.#connect();
  }

  /** Come back like this, next time. */
  remember(hello) {
    this.#hello = hello;
  }

  /** Ask something; the answer is a promise, broken with `Refused`. */
  ask(message) {
    if (!this.open) return Promise.reject(new Refused("connection", "There is no connection to the server just now."));
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...message, id }));
    });
  }

  /** End this connection as if it were lost; it comes back. */
  drop() {
    this.#socket?.close();
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#forget();
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", scenes: true, ...this.#hello }));
    socket.onmessage = (event) => this.#socket === socket && this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => this.#socket === socket && this.#lost(event);
  }

  #forget() {
    clearInterval(this.#ping);
    const old = this.#socket;
    this.#socket = null;
    if (old && old.readyState < WebSocket.CLOSING) old.close();
    for (const { reject } of this.#answers.values()) reject(new Refused("connection", "The connection was lost."));
    this.#answers.clear();
  }

  #lost(event) {
    this.#forget();
    if (event.code === RENEWED) this.say("renewed");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.#failures) * (0.7 + 0.6 * Math.random());
    this.#failures += 1;
    const stopping = this.#backAt > Date.now();
    const until = stopping ? this.#backAt - Date.now() + 400 * Math.random() : wait;
    this.#state(stopping ? "stopping" : "lost", Date.now() + until);
    this.#retry = setTimeout(() => this.#connect(), until);
  }

  /** The net is back, or somebody looks again: no reason to wait. */
  #now() {
    if (this.state === "lost") this.#connect();
  }

  #state(state, returnsAt = 0) {
    this.state = state;
    this.returnsAt = returnsAt;
    this.say("state", state);
  }

  #hear(event) {
    if (event.type === "welcome") {
      this.#failures = 0;
      this.#backAt = 0;
      this.say("welcome", event);
      this.#state("open");
      this.#ping = setInterval(() => this.#check(), PING_EVERY);
      return;
    }
    if (event.type === "stopping") this.#backAt = Date.now() + event.back_in;
    const asked = event.id === undefined ? undefined : this.#answers.get(event.id);
    if (asked) this.#answers.delete(event.id);
    if (event.type === "error") {
      const refused = new Refused(event.code, event.message);
      if (asked) asked.reject(refused);
      else if (!this.open) this.say("refused", refused);
      return;
    }
    if (event.type !== "ok") this.say(event.type, event);
    asked?.resolve(event);
  }

  /** A connection that is gone without a word is noticed too. */
  #check() {
    const socket = this.#socket;
    const patience = setTimeout(() => this.#socket === socket && socket?.close(), PING_PATIENCE);
    this.ask({ type: "ping" }).then(() => clearTimeout(patience), () => clearTimeout(patience));
  }
}
