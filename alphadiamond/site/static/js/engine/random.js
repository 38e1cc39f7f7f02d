// splitmix64, as `base/random_kernels.py` has it: the same seed gives the same maze.

const MASK = (1n << 64n) - 1n;
const GAMMA = 0x9e3779b97f4a7c15n;

export class Stream {
  #state;

  constructor(seed) {
    this.#state = BigInt(seed) & MASK;
  }

  #bits() {
    let z = (this.#state + GAMMA) & MASK;
    this.#state = z;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  }

  /** A whole number from 0 to bound - 1. */
  below(bound) {
    return Number(((this.#bits() >> 33n) * BigInt(bound)) >> 31n);
  }

  /** A number in [0, 1). */
  unit() {
    return Number(this.#bits() >> 11n) / 9007199254740992;
  }
}
