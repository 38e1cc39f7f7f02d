// What a page is connected to. The pages know this class alone: a server behind a socket is one kind, the browser's own
// worker another. Messages and events are those of docs/reference/online-protocol.md, whoever answers.

import { Emitter } from "../emitter.js";
import { t } from "../texts.js";

/** What was refused: a word for programs in `code`, a sentence for people in `message`. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Says "state"; "welcome" with the answer to a hello, or "refused" with a `Refused`; "renewed" when the key was made
 * void elsewhere; and the type of every other event, with the event. "welcome" comes before the state is "open". */
export class Connection extends Emitter {
  state = "connecting"; // connecting, open, lost (it tries again), stopping (the other end said when it is back)
  returnsAt = 0; // when it tries again, by Date.now()
  lag = 0; // milliseconds that a message and its answer were on their way, lately
  people = true; // whether other people are there too: names, the lobby, challenges, leaders

  get open() {
    return this.state === "open";
  }

  /** Begin, or begin anew: say hello like this ({token}, {name}, {recovery} or nothing), now and whenever it comes
   * back. */
  start(_hello) {
    throw new Error("not implemented");
  }

  /** Come back like this, next time. */
  remember(_hello) {}

  /** Ask something; the answer is a promise of the event that answers, broken with `Refused`. */
  ask(_message) {
    throw new Error("not implemented");
  }

  /** Read something of /api/: a promise of plain data, broken with `Refused`. */
  read(_path) {
    throw new Error("not implemented");
  }

  /** Keep something of /api/ as a file; with a token, what is for its owner alone. */
  download(_path, _name, _options) {
    throw new Error("not implemented");
  }

  /** For those who implement it. */
  change(state, returnsAt = 0) {
    this.state = state;
    this.returnsAt = returnsAt;
    this.say("state", state);
  }

  /** For those who implement it: there is nobody to be asked now. */
  unconnected() {
    return new Refused("connection", t("error.connection"));
  }
}
