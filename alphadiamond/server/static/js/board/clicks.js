// From clicks to moves: each move is a path of spots, and its end alone will do where that is unambiguous.

const starts = (path, picked) => picked.every((spot, number) => path[number] === spot);
const once = (list) => [...new Set(list)].sort((a, b) => a - b);

export class Clicks {
  /** `legal` as the server tells it: [text, [spot, ...]]. */
  constructor(legal) {
    this.moves = legal;
  }

  following(picked) {
    return this.moves.filter(([, path]) => starts(path, picked));
  }

  /** The spots that a move can begin with. */
  get first() {
    return once(this.moves.map(([, path]) => path[0]));
  }

  /** The spots that mean something after these clicks: the next ones, and ends that tell a move by themselves. */
  goals(picked) {
    const paths = this.following(picked).map(([, path]) => path);
    const ends = paths.map((path) => path[path.length - 1]);
    const next = paths.filter((path) => path.length > picked.length).map((path) => path[picked.length]);
    return once([...next, ...ends.filter((end) => ends.filter((other) => other === end).length === 1)]);
  }

  /** What a further click means: {picked, move}, with a move's text once it is whole; null where it means nothing.
   *
   * A click that does not go on from what is picked begins anew, if a move begins there.
   */
  take(picked, spot) {
    const longer = [...picked, spot];
    const whole = this.moves.find(([, path]) => path.length === longer.length && starts(path, longer));
    if (whole) return { picked: [], move: whole[0] };
    if (picked.length) {
      if (this.following(longer).length) return { picked: longer, move: null };
      const ending = this.following(picked).filter(([, path]) => path[path.length - 1] === spot);
      if (ending.length === 1) return { picked: [], move: ending[0][0] };
    }
    return this.following([spot]).length ? { picked: [spot], move: null } : null;
  }
}
