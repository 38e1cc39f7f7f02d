"""Retrograde analysis and its proof, compiled, on one array of bytes that holds all layers.

A layer and its mirror (as many beads, other side to move) are settled together, by distance to the end. What a capture
leads to lies in layers with fewer beads and is known before; what is left are quiet moves, and these are taken back by
moving a bead of the side that is not to move, since a move into a stable position took nothing.

At distance d, in this order:
1. `spread_losses`: before each loss in d - 1 stands a win in d.
2. `mark_candidates`: before each win in d may stand a loss.
3. `settle_candidates`: a candidate all of whose moves lead to wins of the opponent is lost, one ply later than the
   longest of them.

Several threads work on one array. In each of the three steps every byte that is written by more than one of them gets
the same value from all, and no step reads what it writes, so the result does not depend on who comes first.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import lowest_bit, njit, popcount
from alphadiamond.games.diamond_chase.kernels import MIN_BEADS, apply, image_of, moves_of, trapped
from alphadiamond.games.diamond_chase.solver.index_kernels import (
    BASE,
    CLASS_KEPT,
    CLASS_MASKS,
    FIRST_CLASS,
    WIDTH,
    class_index,
    index_of,
    position_at,
    rank_of,
    squeeze,
)

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

# A byte of the table: 0 a draw, d a win in d plies, LOST + d a loss in d plies, UNSTABLE no position.
DRAWN: Final = 0
LOST: Final = 128
UNSTABLE: Final = 255
LONGEST: Final = 125
"""The longest distance a byte can hold."""

# While a layer is being settled: DRAWN means that nothing is known yet, a win in more plies than the distance that has
# been reached may still become shorter, and
SAFE: Final = 126  # not lost, since a capture leads to a draw
CANDIDATE: Final = 127  # to be looked at: a move leads to a win of the opponent


@njit
def settle_captures(table: Bytes, a: int, b: int, start: int, stop: int) -> int:
    """Set each entry to what captures alone say of it, and return the longest distance written."""
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    longest = 0
    for index in range(start, stop):
        own, opp = position_at(a, b, index)
        if trapped(own, opp) | trapped(opp, own):
            table[base + index] = UNSTABLE
            continue
        fastest, slowest, quiet, safe = LONGEST + 1, 0, False, False
        for source, target in moves_of(own, opp):
            moved, other, captured, lost = apply(own, opp, source, target)
            if captured | lost == 0:
                quiet = True
            elif popcount(other) < MIN_BEADS:
                fastest = 1
            elif popcount(moved) >= MIN_BEADS:
                code = np.int64(table[index_of(other, moved)])
                if code == DRAWN:
                    safe = True
                elif code < LOST:
                    slowest = max(slowest, code)
                else:
                    fastest = min(fastest, code - LOST + 1)
        if fastest <= LONGEST:
            code = fastest
            longest = max(longest, fastest)
        elif safe:
            code = SAFE
        elif quiet:
            code = DRAWN
        else:
            code = LOST + slowest + 1
            longest = max(longest, slowest + 1)
        table[base + index] = code
    return longest


@njit
def _holds(word: Any, pattern: Any) -> bool:
    """Whether one of the 8 bytes of a word equals that of the pattern."""
    same = word ^ pattern
    return (same - np.uint64(0x0101010101010101)) & ~same & np.uint64(0x8080808080808080) != np.uint64(0)


@njit
def _pattern(code: int) -> Any:
    return np.uint64(code) * np.uint64(0x0101010101010101)


@njit
def _set_before(table: Bytes, own: int, opp: int, code: int, from_losses: bool) -> None:
    """Write `code` to the positions that a quiet move leads from to this one, where it is better than what is there."""
    a, b = popcount(own), popcount(opp)
    base = BASE[b - MIN_BEADS, a - MIN_BEADS]
    width = WIDTH[b - MIN_BEADS, a - MIN_BEADS]
    for target, source in moves_of(opp, own):  # what leads back is a move of the other side
        number, symmetry = class_index(opp ^ (1 << source) ^ (1 << target))
        mask = np.int64(CLASS_MASKS[FIRST_CLASS[b - MIN_BEADS] + number])
        other = image_of(own, symmetry)
        row = base + number * width
        index = row + rank_of(squeeze(other, mask))
        known = np.int64(table[index])
        if known == DRAWN or (from_losses and (known < LOST and known > code)):
            table[index] = code
        else:
            continue
        kept = np.int64(CLASS_KEPT[FIRST_CLASS[b - MIN_BEADS] + number]) & ~1
        while kept:  # the entries that are images of this one
            table[row + rank_of(squeeze(image_of(other, lowest_bit(kept)), mask))] = code
            kept &= kept - 1


@njit
def spread_losses(table: Bytes, words: Words, a: int, b: int, start: int, stop: int, distance: int) -> int:
    """Step 1 for the losses in `distance` - 1 among entries `start` to `stop`; returns how many there are."""
    return _spread(table, words, a, b, start, stop, LOST + distance - 1, distance, True)


@njit
def mark_candidates(table: Bytes, words: Words, a: int, b: int, start: int, stop: int, distance: int) -> int:
    """Step 2 for the wins in `distance` among entries `start` to `stop`; returns how many there are."""
    return _spread(table, words, a, b, start, stop, distance, CANDIDATE, False)


@njit
def _spread(
    table: Bytes, words: Words, a: int, b: int, start: int, stop: int, wanted: int, code: int, from_losses: bool
) -> int:
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    pattern = _pattern(wanted)
    found = 0
    for word in range((base + start) >> 3, (base + stop + 7) >> 3):
        if not _holds(words[word], pattern):
            continue
        for index in range(word << 3, (word << 3) + 8):
            if table[index] == wanted:
                own, opp = position_at(a, b, index - base)
                _set_before(table, own, opp, code, from_losses)
                found += 1
    return found


@njit
def _loss_distance(table: Bytes, own: int, opp: int, distance: int) -> int:
    """The distance of a position all of whose moves lead to wins, quiet ones to wins in at most `distance`; else 0."""
    slowest = 0
    for source, target in moves_of(own, opp):
        moved, other, captured, lost = apply(own, opp, source, target)
        if popcount(moved) < MIN_BEADS:  # and not the opponent, or it would be a win
            continue
        code = np.int64(table[index_of(other, moved)])
        if code == DRAWN or code >= SAFE or (captured | lost == 0 and code > distance):
            return 0
        slowest = max(slowest, code)
    return slowest + 1


@njit
def settle_candidates(
    table: Bytes, words: Words, a: int, b: int, start: int, stop: int, distance: int
) -> tuple[int, int]:
    """Step 3 for the candidates among entries `start` to `stop`; returns how many, and the longest distance written."""
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    pattern = _pattern(CANDIDATE)
    longest = settled = 0
    for word in range((base + start) >> 3, (base + stop + 7) >> 3):
        if not _holds(words[word], pattern):
            continue
        for index in range(word << 3, (word << 3) + 8):
            if table[index] == CANDIDATE:
                own, opp = position_at(a, b, index - base)
                slowest = _loss_distance(table, own, opp, distance)
                table[index] = LOST + slowest if slowest else DRAWN
                longest = max(longest, slowest)
                settled += slowest > 0
    return settled, longest


@njit
def settle_rest(table: Bytes, a: int, b: int, start: int, stop: int) -> None:
    """What is neither won nor lost is drawn."""
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    for index in range(base + start, base + stop):
        if table[index] == SAFE:
            table[index] = DRAWN


# The proof


@njit
def expected_code(table: Bytes, own: int, opp: int) -> int:
    """What an entry must be, given those it can move to."""
    if trapped(own, opp) | trapped(opp, own):
        return UNSTABLE
    fastest, slowest, drawn = LONGEST + 1, 0, False
    for source, target in moves_of(own, opp):
        moved, other, _, _ = apply(own, opp, source, target)
        if popcount(other) < MIN_BEADS:
            return 1
        if popcount(moved) < MIN_BEADS:
            continue
        code = np.int64(table[index_of(other, moved)])
        if code == UNSTABLE:
            return -1
        if code == DRAWN:
            drawn = True
        elif code > LOST:
            fastest = min(fastest, code - LOST + 1)
        else:
            slowest = max(slowest, code)
    if fastest <= LONGEST:
        return fastest
    return DRAWN if drawn else LOST + slowest + 1


@njit
def first_disagreement(table: Bytes, a: int, b: int, start: int, stop: int) -> int:
    """The first of entries `start` to `stop` that disagrees with those it can move to, or -1."""
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    for index in range(start, stop):
        own, opp = position_at(a, b, index)
        if expected_code(table, own, opp) != np.int64(table[base + index]):
            return index
    return -1


@njit
def count_codes(table: Bytes, a: int, b: int, start: int, stop: int) -> npt.NDArray[np.int64]:
    """[256] how many placements, not classes, have each code; `start` and `stop` are classes."""
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    width = WIDTH[a - MIN_BEADS, b - MIN_BEADS]
    counts = np.zeros(256, dtype=np.int64)
    for number in range(start, stop):
        images = 8 // popcount(np.int64(CLASS_KEPT[FIRST_CLASS[a - MIN_BEADS] + number]))
        for index in range(base + number * width, base + (number + 1) * width):
            counts[table[index]] += images
    return counts


@njit
def _quiet_run(table: Bytes, runs: Bytes, own: int, opp: int, code: int) -> int:
    won = code < LOST
    run = 0
    for source, target in moves_of(own, opp):
        moved, other, captured, lost = apply(own, opp, source, target)
        if captured | lost:
            after = LOST if popcount(other) < MIN_BEADS else DRAWN
            if popcount(other) >= MIN_BEADS and popcount(moved) >= MIN_BEADS:
                after = np.int64(table[index_of(other, moved)])
            here = 0
        else:
            index = index_of(other, moved)
            after = np.int64(table[index])
            here = 1 + np.int64(runs[index])
        if not won or after == LOST + code - 1:
            run = max(run, here)
    return run


@njit
def quiet_runs(table: Bytes, words: Words, runs: Bytes, a: int, b: int, start: int, stop: int, distance: int) -> int:
    """Fill in, for what is decided in `distance`, how many quiet plies can come before the next capture.

    The winner plays any of the fastest wins, the loser plays anything.
    Shorter distances are filled in before. Returns the longest run.
    """
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    wins, losses = _pattern(distance), _pattern(LOST + distance)
    longest = 0
    for word in range((base + start) >> 3, (base + stop + 7) >> 3):
        if not (_holds(words[word], wins) or _holds(words[word], losses)):
            continue
        for index in range(word << 3, (word << 3) + 8):
            code = np.int64(table[index])
            if code == distance or code == LOST + distance:
                own, opp = position_at(a, b, index - base)
                run = _quiet_run(table, runs, own, opp, code)
                runs[index] = run
                longest = max(longest, run)
    return longest


@njit
def count_stakes(table: Bytes, a: int, b: int, start: int, stop: int) -> npt.NDArray[np.float64]:
    """[2, 4] for drawn and for won positions, over all placements: how many there are, the sum of their shares of moves
    that give the value away, how many have such a move, and in how many only one of several moves keeps the value.

    `start` and `stop` are classes.
    """
    base = BASE[a - MIN_BEADS, b - MIN_BEADS]
    width = WIDTH[a - MIN_BEADS, b - MIN_BEADS]
    counts = np.zeros((2, 4))
    for number in range(start, stop):
        images = 8 // popcount(np.int64(CLASS_KEPT[FIRST_CLASS[a - MIN_BEADS] + number]))
        for index in range(number * width, (number + 1) * width):
            code = np.int64(table[base + index])
            if code >= LOST:
                continue
            own, opp = position_at(a, b, index)
            legal = keeping = 0
            for source, target in moves_of(own, opp):
                moved, other, _, _ = apply(own, opp, source, target)
                legal += 1
                if popcount(other) < MIN_BEADS:
                    keeping += 1
                elif popcount(moved) >= MIN_BEADS:
                    after = np.int64(table[index_of(other, moved)])
                    keeping += after > LOST if code != DRAWN else after == DRAWN
            row = counts[1 if code != DRAWN else 0]
            row[0] += images
            row[1] += images * (legal - keeping) / legal
            row[2] += images * (keeping < legal)
            row[3] += images * (keeping == 1 and legal > 1)
    return counts
