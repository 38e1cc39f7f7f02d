// Connect Four by alpha-beta from the middle of a game on. A score counts how early the game is won: 22 less the discs
// that the winner needs in all; 0 for a draw; negative for a loss. It is from the side to move. Every search asks
// whether the score is at least so much. Masks are cut into 28 and 21 bits, as `games/connect_four.js` has them.

import { popcount } from "../results.js";

export const FIRST_DISCS = 14; // with fewer a search takes too long here
const LIMIT = 25_000_000; // nodes of one question
const LOW = (1 << 28) - 1;
const column = (c) => (c < 4 ? [63 << (7 * c), 0] : [0, 63 << (7 * (c - 4))]);
const COLUMNS = [0, 1, 2, 3, 4, 5, 6].map(column);
const BOARD_LOW = COLUMNS.reduce((mask, [low]) => mask | low, 0);
const BOARD_HIGH = COLUMNS.reduce((mask, [, high]) => mask | high, 0);
const BOTTOM_LOW = 1 | (1 << 7) | (1 << 14) | (1 << 21);
const BOTTOM_HIGH = 1 | (1 << 7) | (1 << 14);
const CENTRE_FIRST = [3, 2, 4, 1, 5, 0, 6];
const SLOTS = 1 << 20;

let [cellsLow, cellsHigh] = [0, 0]; // what `winningCells` has found

/** The empty cells, reachable or not, where a disc of a side would complete a four. */
function winningCells(low, high, maskLow, maskHigh) {
  // In a column: three below.
  let foundLow = (low << 1) & (low << 2) & (low << 3);
  let foundHigh = (high << 1) & (high << 2) & (high << 3); // a column never crosses the cut
  for (let step = 6; step <= 8; step += 1) {
    const two = 2 * step;
    const three = 3 * step;
    const up1 = (low << step) & LOW;
    const up1High = (high << step) | (low >>> (28 - step));
    const up2 = (low << two) & LOW;
    const up2High = (high << two) | (low >>> (28 - two));
    const up3 = (low << three) & LOW;
    const up3High = (three < 21 ? high << three : 0) | (low >>> (28 - three));
    const down1 = (low >>> step) | ((high << (28 - step)) & LOW);
    const down1High = high >>> step;
    const down2 = (low >>> two) | ((high << (28 - two)) & LOW);
    const down2High = high >>> two;
    const down3 = (low >>> three) | ((high << (28 - three)) & LOW);
    const down3High = three < 21 ? high >>> three : 0;
    foundLow |= (up1 & up2 & (up3 | down1)) | (down1 & down2 & (down3 | up1));
    foundHigh |= (up1High & up2High & (up3High | down1High)) | (down1High & down2High & (down3High | up1High));
  }
  cellsLow = foundLow & BOARD_LOW & ~maskLow;
  cellsHigh = foundHigh & BOARD_HIGH & ~maskHigh;
}

export class ConnectFourSolver {
  #keys = new Float64Array(SLOTS);
  #bounds = new Int8Array(SLOTS); // 1 + upper bound + 22
  #nodes = 0;

  /** At least `alpha + 1`, or at most `alpha`: a bound on that side. */
  #atLeast(low, high, maskLow, maskHigh, alpha, beta) {
    this.#nodes += 1;
    if (this.#nodes > LIMIT) throw new RangeError("that takes too long");
    const discs = popcount(maskLow) + popcount(maskHigh);
    const freeLow = (maskLow + BOTTOM_LOW) & BOARD_LOW;
    const freeHigh = (maskHigh + BOTTOM_HIGH) & BOARD_HIGH;
    // What the opponent threatens: one such cell must be taken, two lose; below one no disc may be put.
    winningCells(maskLow ^ low, maskHigh ^ high, maskLow, maskHigh);
    const [threatLow, threatHigh] = [cellsLow, cellsHigh];
    let [possibleLow, possibleHigh] = [freeLow, freeHigh];
    const [forcedLow, forcedHigh] = [freeLow & threatLow, freeHigh & threatHigh];
    if (forcedLow | forcedHigh) {
      if (popcount(forcedLow) + popcount(forcedHigh) > 1) return -((42 - discs) >> 1);
      [possibleLow, possibleHigh] = [forcedLow, forcedHigh];
    }
    possibleLow &= ~(threatLow >>> 1);
    possibleHigh &= ~(threatHigh >>> 1);
    if (!(possibleLow | possibleHigh)) return -((42 - discs) >> 1);
    if (discs >= 40) return 0;
    const least = -((40 - discs) >> 1);
    if (alpha < least) {
      alpha = least;
      if (alpha >= beta) return alpha;
    }
    let most = (41 - discs) >> 1;
    const key = low + maskLow + (high + maskHigh) * 268435456;
    const slot = key % 1048573;
    if (this.#keys[slot] === key) most = Math.min(most, this.#bounds[slot] - 23);
    if (beta > most) {
      beta = most;
      if (alpha >= beta) return beta;
    }
    // Moves that make the most cells for a four come first.
    const moves = [];
    for (const c of CENTRE_FIRST) {
      const [columnLow, columnHigh] = COLUMNS[c];
      const [moveLow, moveHigh] = [possibleLow & columnLow, possibleHigh & columnHigh];
      if (!(moveLow | moveHigh)) continue;
      winningCells(low | moveLow, high | moveHigh, maskLow | moveLow, maskHigh | moveHigh);
      const promise = popcount(cellsLow) + popcount(cellsHigh);
      let at = moves.length;
      while (at > 0 && moves[at - 1][2] < promise) at -= 1;
      moves.splice(at, 0, [moveLow, moveHigh, promise]);
    }
    for (const [moveLow, moveHigh] of moves) {
      const score = -this.#atLeast(
        maskLow ^ low,
        maskHigh ^ high,
        maskLow | moveLow,
        maskHigh | moveHigh,
        -beta,
        -alpha,
      );
      if (score >= beta) return score;
      if (score > alpha) alpha = score;
    }
    this.#keys[slot] = key;
    this.#bounds[slot] = alpha + 23;
    return alpha;
  }

  /** The score of a position whose game goes on. */
  score(low, high, maskLow, maskHigh) {
    const discs = popcount(maskLow) + popcount(maskHigh);
    winningCells(low, high, maskLow, maskHigh);
    if ((cellsLow & (maskLow + BOTTOM_LOW)) | (cellsHigh & (maskHigh + BOTTOM_HIGH))) return (43 - discs) >> 1;
    let [least, most] = [-((42 - discs) >> 1), (41 - discs) >> 1];
    while (least < most) {
      const middle = least <= 0 && most > 0 ? 0 : most === 0 ? -1 : (least + most) >> 1;
      const found = this.#atLeast(low, high, maskLow, maskHigh, middle, middle + 1);
      if (found <= middle) most = found;
      else least = found;
    }
    return least;
  }

  solve(position) {
    const {
      game: { rules },
      state,
      actions,
    } = position;
    const mask = [state[0] | state[2], state[1] | state[3]];
    const discs = popcount(mask[0]) + popcount(mask[1]);
    if (discs < FIRST_DISCS) throw new RangeError(`exact values begin with ${FIRST_DISCS} discs`);
    this.#nodes = 0;
    return actions.map((action) => {
      const after = new Int32Array(rules.stateSize);
      rules.play(state, action, after);
      const status = rules.status(after);
      if (status !== 2) return { action, value: -status, distance: 1 };
      const score = -this.score(after[0], after[1], after[0] | after[2], after[1] | after[3]);
      const [own, opp] = [discs >> 1, discs - (discs >> 1)]; // discs of who plays, of the other
      const distance = score > 0 ? 2 * (22 - score - own) - 1 : score < 0 ? 2 * (22 + score - opp) : 0;
      return { action, value: Math.sign(score), distance };
    });
  }
}
