// Somebody says a word, others hear it.

export class Emitter {
  #ears = new Map();

  /** Hear of something; the answer ends it. */
  on(word, ear) {
    const ears = this.#ears.get(word) ?? new Set();
    this.#ears.set(word, ears);
    ears.add(ear);
    return () => ears.delete(ear);
  }

  say(word, detail) {
    for (const ear of [...(this.#ears.get(word) ?? [])]) ear(detail);
  }
}
