// The worker behind the page: questions go to it, and what it thinks comes back while it thinks.

import { Refused } from "../connection/connection.js";
import { t } from "../texts.js";

/** What is wanted of the host does not come. */
export const unloaded = () => new Refused("unloaded", t("error.unloaded"));

export class EngineWorker {
  #worker = null;
  #questions = new Map();
  #number = 0;

  /** What a player thinks and would play: a promise of {answer, move}; `report` hears opinions meanwhile, and
   * its `stop()` has it answer with what it has.
   * @param {(opinion) => void} report
   */
  ask(question, report = () => {}) {
    this.#number += 1;
    const id = this.#number;
    const found = new Promise((resolve, reject) => this.#questions.set(id, { resolve, reject, report }));
    this.#running().postMessage({ id, ...question });
    const stop = () => this.#questions.has(id) && this.#worker?.postMessage({ id, stop: true });
    return Object.assign(found, { stop });
  }

  #running() {
    if (!this.#worker) {
      this.#worker = new Worker(new URL("../engine/worker.js", import.meta.url), { type: "module" });
      this.#worker.onmessage = ({ data }) => this.#hear(data);
      this.#worker.onerror = () => this.#fail();
    }
    return this.#worker;
  }

  #hear({ id, report, answer, move, fault, code = "thinking" }) {
    const question = this.#questions.get(id);
    if (!question) return;
    if (report) {
      question.report(report);
      return;
    }
    this.#questions.delete(id);
    if (fault === undefined) question.resolve({ answer, move });
    else question.reject(code === "unloaded" ? unloaded() : new Refused(code, fault));
  }

  /** A worker that has come to grief is replaced with the next question. */
  #fail() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#questions.values())
      reject(new Refused("thinking", "this browser could not start thinking"));
    this.#questions.clear();
  }
}
