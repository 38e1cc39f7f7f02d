// A server behind a WebSocket: it comes back by itself, answers find their questions.

import { t } from "../texts.js";
import { Connection, Refused } from "./connection.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 15000;
const PING_EVERY = 20000;
const PING_PATIENCE = 10000;
const LONGEST_LAG = 10000; // more the protocol does not take
const RENEWED = 4001;

export class SocketConnection extends Connection {
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
    window.addEventListener("online", () => this.#now());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#now());
  }

  start(hello) {
    this.#hello = hello;
    this.#failures = 0;
    this.#backAt = 0;
    this.#connect();
  }

  remember(hello) {
    this.#hello = hello;
  }

  ask(message) {
    if (!this.open) return Promise.reject(this.unconnected());
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...message, id }));
    });
  }

  async read(path) {
    return (await this.#fetch(path)).json();
  }

  async download(path, name, /** @type {{ token?: string }} */ { token } = {}) {
    // A link cannot say who asks.
    const own =
      token &&
      URL.createObjectURL(await (await this.#fetch(path, { headers: { authorization: `Bearer ${token}` } })).blob());
    Object.assign(document.createElement("a"), { href: own || path, download: name }).click();
    if (own) setTimeout(() => URL.revokeObjectURL(own), 60000);
  }

  /** End this connection as if it were lost; it comes back. */
  drop() {
    this.#socket?.close();
  }

  async #fetch(path, options) {
    const answer = await fetch(path, options).catch(() => null);
    if (!answer?.ok)
      throw new Refused(
        answer?.status === 404 ? "404" : "unanswered",
        t(answer?.status === 404 ? "error.404" : "error.unanswered"),
      );
    return answer;
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
    for (const { reject } of this.#answers.values()) reject(new Refused("connection", t("error.lost")));
    this.#answers.clear();
  }

  #lost(event) {
    this.#forget();
    if (event.code === RENEWED) this.say("renewed");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.#failures) * (0.7 + 0.6 * Math.random());
    this.#failures += 1;
    const stopping = this.#backAt > Date.now();
    const until = stopping ? this.#backAt - Date.now() + 400 * Math.random() : wait;
    this.change(stopping ? "stopping" : "lost", Date.now() + until);
    this.#retry = setTimeout(() => this.#connect(), until);
  }

  /** The net is back, or somebody looks again: no reason to wait. */
  #now() {
    if (this.state === "lost") this.#connect();
  }

  #hear(event) {
    if (event.type === "welcome") {
      this.#failures = 0;
      this.#backAt = 0;
      this.say("welcome", event);
      this.change("open");
      this.#ping = setInterval(() => this.#check(), PING_EVERY);
      this.#check();
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
    const sent = performance.now();
    this.ask({ type: "ping" }).then(
      () => {
        clearTimeout(patience);
        this.lag = Math.min(LONGEST_LAG, Math.round(performance.now() - sent));
      },
      () => clearTimeout(patience),
    );
  }
}
