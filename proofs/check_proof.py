"""Check a certificate: that a player never loses, or always wins, whatever the opponent replies.

    python check_proof.py FILE [--quiet]

This file is the whole of the checker. It knows the rules of three games and nothing else: no network, no table of
solved positions, and nothing of the program that made the certificate. Read it; that is what it is for.

A certificate is a list of positions with the player to move, and a move for each. It proves the claim if

  1. the position where the game begins is in the list, or, where the opponent moves first, every position after the
     opponent's first move;
  2. after the player's move in any position of the list, and any reply, the game is over and not lost, or goes on in a
     position of the list;
  3. where the claim is a win, no end is a draw either, and every position carries a number of plies that gets smaller
     with every move: so the game ends.

By 1 and 2 every game stays in the list until it ends, and it never ends lost. A game that never ends is a draw (third
occurrence, or 100 plies without a capture, in Diamond Chase; the other two games cannot go on for ever).

Games, with the number of each position. "Own" is the side to move, "opp" the other.

Diamond Chase. 21 nodes, numbered as in the picture, row by row:

                          0
                        1   2
                          3
               4          5          6
             7   8      9 10 11    12  13
              14         15         16
                         17
                       18  19
                         20

  Edges: EDGES below. A bead moves to a neighbouring empty node. Then every opposing bead without an empty neighbour
  that has a neighbour of the other colour comes off; then, on what is left, every such bead of the mover. Fewer than
  four beads lose; the mover's captures count first. Number: own beads as bits 0 to 20, the opponent's as bits 21 to 41.
  Images of a position under the 8 symmetries of the board stand in the list once, by the least number.

Connect Four. Seven columns of seven bits, the lowest cell first, the seventh bit always empty. Number: own discs plus
  all discs. The mirror image counts as the same position; the lesser number stands in the list.

Dame on 6 x 6. The 18 dark squares from the mover's side, three a rank, left to right: bit 0 is the mover's left corner.
  Number: own men as bits 0 to 17, the opponent's as bits 18 to 35, the board turned so that the mover goes up.

A move in the list is the place, from 0, of the position that it leads to among all that can be reached by a move, by
their numbers as seen by the opponent, images not merged. The file's layout is said at `read`.
"""

import hashlib
import json
import struct
import sys
import time
import zlib

import numpy as np
from numba import njit

ONGOING, WON, DRAWN, LOST = 0, 1, 2, 3  # for the side that has just moved

# Diamond Chase

EDGES = [
    (0, 1), (0, 2), (0, 3), (3, 1), (3, 2),  # north: tip, sides, inner
    (7, 4), (7, 14), (7, 8), (8, 4), (8, 14),  # west
    (13, 6), (13, 16), (13, 12), (12, 6), (12, 16),  # east
    (20, 18), (20, 19), (20, 17), (17, 18), (17, 19),  # south
    (1, 4), (2, 6), (18, 14), (19, 16),  # bridges
    (10, 5), (10, 11), (10, 15), (10, 9), (5, 11), (11, 15), (15, 9), (9, 5),  # centre
    (5, 3), (11, 12), (15, 17), (9, 8),  # spokes
]  # fmt: skip
NEAR = np.zeros(21, dtype=np.int64)
for _a, _b in EDGES:
    NEAR[_a] |= 1 << _b
    NEAR[_b] |= 1 << _a
# A quarter turn (n to e to s to w), and the mirror that swaps east and west; together they make all eight.
TURN = [13, 6, 16, 12, 2, 11, 19, 0, 3, 5, 10, 15, 17, 20, 1, 9, 18, 8, 4, 14, 7]
MIRROR = [0, 2, 1, 3, 6, 5, 4, 13, 12, 11, 10, 9, 8, 7, 16, 15, 14, 17, 19, 18, 20]


def _symmetries():
    maps, node = [], list(range(21))
    for _ in range(4):
        maps += [node, [MIRROR[to] for to in node]]
        node = [TURN[to] for to in node]
    edges = {frozenset(edge) for edge in EDGES}
    for one in maps:
        assert {frozenset((one[a], one[b])) for a, b in EDGES} == edges
    assert len({tuple(one) for one in maps}) == 8
    return maps


# A mask is turned seven bits at a time: [symmetry, part, bits].
IMAGES = np.zeros((8, 3, 128), dtype=np.int64)
for _k, _map in enumerate(_symmetries()):
    for _part in range(3):
        for _bits in range(128):
            IMAGES[_k, _part, _bits] = sum(1 << _map[7 * _part + _i] for _i in range(7) if _bits >> _i & 1)


@njit
def bits_of(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit
def trapped(mine, theirs):
    """Those of `mine` without an empty neighbour and with one of `theirs`."""
    found, full = 0, mine | theirs
    for node in range(21):
        if mine >> node & 1 and NEAR[node] & ~full == 0 and NEAR[node] & theirs:
            found |= 1 << node
    return found


@njit
def diamond_chase_moves(number, after, ends):
    own, opp = number & 0x1FFFFF, number >> 21
    count = 0
    for source in range(21):
        if not own >> source & 1:
            continue
        for target in range(21):
            if not NEAR[source] >> target & 1 or (own | opp) >> target & 1:
                continue
            mover = own ^ (1 << source) ^ (1 << target)
            other = opp & ~trapped(opp, mover)
            mover &= ~trapped(mover, other)
            after[count] = other | mover << 21
            ends[count] = WON if bits_of(other) < 4 else LOST if bits_of(mover) < 4 else ONGOING
            count += 1
    return count


@njit
def diamond_chase_image(number):
    own, opp = number & 0x1FFFFF, number >> 21
    least = number
    for k in range(1, 8):
        image = IMAGES[k, 0, own & 127] | IMAGES[k, 1, own >> 7 & 127] | IMAGES[k, 2, own >> 14]
        image |= (IMAGES[k, 0, opp & 127] | IMAGES[k, 1, opp >> 7 & 127] | IMAGES[k, 2, opp >> 14]) << 21
        least = min(least, image)
    return least


@njit
def diamond_chase_valid(number):
    own, opp = number & 0x1FFFFF, number >> 21
    return opp < 1 << 21 and own & opp == 0 and 4 <= bits_of(own) <= 6 and 4 <= bits_of(opp) <= 6


# Connect Four


@njit
def split(number):
    """(own, all) discs of a position's number: a column of height h with own discs x has the number x + 2^h - 1."""
    own = full = 0
    for column in range(7):
        part = (number >> 7 * column & 127) + 1
        height = 0
        while part >> (height + 1):
            height += 1
        own |= (part - (1 << height)) << 7 * column
        full |= ((1 << height) - 1) << 7 * column
    return own, full


@njit
def has_four(discs):
    for step in (1, 6, 7, 8):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@njit
def connect_four_moves(number, after, ends):
    own, full = split(number)
    opp, count = full ^ own, 0
    for column in range(7):
        cell = 1 << 7 * column
        while full & cell:
            cell <<= 1
        if cell >> (7 * column + 6):
            continue  # the column is full
        then = full | cell
        after[count] = opp + then
        ends[count] = WON if has_four(own | cell) else DRAWN if bits_of(then) == 42 else ONGOING
        count += 1
    return count


@njit
def connect_four_image(number):
    mirrored = 0
    for column in range(7):
        mirrored |= (number >> 7 * column & 127) << 7 * (6 - column)
    return min(number, mirrored)


@njit
def connect_four_valid(number):
    own, full = split(number)
    opp = full ^ own
    for column in range(7):
        if full >> (7 * column + 6) & 1:
            return False
    difference = bits_of(opp) - bits_of(own)
    return number >> 49 == 0 and 0 <= difference <= 1 and not has_four(opp) and not has_four(own)


# Dame


@njit
def square_at(file, rank):
    """The dark square there, -1 where there is none: file plus rank is even, both from 0."""
    if file < 0 or file > 5 or rank < 0 or rank > 5 or (file + rank) % 2:
        return -1
    return 3 * rank + file // 2


@njit
def turned(mask):
    image = 0
    for square in range(18):
        if mask >> square & 1:
            image |= 1 << (17 - square)
    return image


@njit
def dame_has_move(own, opp):
    for square in range(18):
        if own >> square & 1:
            rank = square // 3
            file = 2 * (square % 3) + rank % 2
            for side in (-1, 1):
                to, beyond = square_at(file + side, rank + 1), square_at(file + 2 * side, rank + 2)
                if to >= 0 and not (own | opp) >> to & 1:
                    return True
                if to >= 0 and beyond >= 0 and opp >> to & 1 and not (own | opp) >> beyond & 1:
                    return True
    return False


@njit
def dame_end(own, opp):
    """For the mover, who had `own` after the move; `opp` is to move."""
    if own >> 15 or opp == 0:
        return WON
    # The opponent sees the board turned.
    return ONGOING if dame_has_move(turned(opp), turned(own)) else WON


@njit
def dame_moves(number, after, ends):
    own, opp = number & 0x3FFFF, number >> 18
    count = 0
    # Captures: (man's square, own men without it, opposing men) still to go on from, no deeper than the board.
    stack = np.zeros((64, 4), dtype=np.int64)
    size = 0
    for square in range(18):
        if own >> square & 1:
            stack[size, 0], stack[size, 1], stack[size, 2], stack[size, 3] = square, own ^ (1 << square), opp, 0
            size += 1
    while size:
        size -= 1
        square, rest, left, jumps = stack[size]
        rank = square // 3
        file = 2 * (square % 3) + rank % 2
        more = False
        for side in (-1, 1):
            over, to = square_at(file + side, rank + 1), square_at(file + 2 * side, rank + 2)
            if over >= 0 and to >= 0 and left >> over & 1 and not (rest | left) >> to & 1:
                more = True
                stack[size, 0], stack[size, 1], stack[size, 2] = to, rest, left ^ (1 << over)
                stack[size, 3] = jumps + 1
                size += 1
        if jumps and not more:
            mine = rest | 1 << square
            after[count] = turned(left) | turned(mine) << 18
            ends[count] = dame_end(mine, left)
            count += 1
    if count:
        return count  # captures are compulsory
    for square in range(18):
        if own >> square & 1:
            rank = square // 3
            file = 2 * (square % 3) + rank % 2
            for side in (-1, 1):
                to = square_at(file + side, rank + 1)
                if to >= 0 and not (own | opp) >> to & 1:
                    mine = own ^ (1 << square) | 1 << to
                    after[count] = turned(opp) | turned(mine) << 18
                    ends[count] = dame_end(mine, opp)
                    count += 1
    return count


@njit
def same(number):
    return number


@njit
def dame_valid(number):
    own, opp = number & 0x3FFFF, number >> 18
    if opp >> 18 or own & opp or bits_of(own) > 6 or bits_of(opp) > 6 or own == 0 or opp == 0:
        return False
    return own >> 15 == 0 and opp & 7 == 0 and dame_has_move(own, opp)


RULES = {
    "diamond_chase": (diamond_chase_moves, diamond_chase_image, diamond_chase_valid),
    "connect_four": (connect_four_moves, connect_four_image, connect_four_valid),
    "dame": (dame_moves, same, dame_valid),
}


# Texts of positions, for the starts


def diamond_chase_start(text):
    board, side = text.split()[:2]
    cells = board.replace("/", "")
    rows = [len(row) for row in board.split("/")]
    if rows != [1, 2, 1, 3, 7, 3, 1, 2, 1] or set(cells) - set("rg.") or side not in "rg":
        raise ValueError
    masks = {letter: sum(1 << i for i, cell in enumerate(cells) if cell == letter) for letter in "rg"}
    return masks[side] | masks["g" if side == "r" else "r"] << 21, "green" if side == "g" else "red"


def connect_four_start(text):
    board, side = text.split()[:2]
    rows = board.split("/")
    if [len(row) for row in rows] != [7] * 6 or set(board) - set("xo./") or side not in "xo":
        raise ValueError
    masks = {
        letter: sum(
            1 << (7 * column + 5 - row) for row in range(6) for column in range(7) if rows[row][column] == letter
        )
        for letter in "xo"
    }
    return masks[side] + (masks["x"] | masks["o"]), side


def dame_start(text):
    board, side = text.split()[:2]
    rows = board.split("/")[::-1]
    if [len(row) for row in rows] != [6] * 6 or set(board) - set("wb./") or side not in "wb":
        raise ValueError
    masks = {"w": 0, "b": 0}
    for rank in range(6):
        for file in range(6):
            if rows[rank][file] != ".":
                if (file + rank) % 2:
                    raise ValueError
                masks[rows[rank][file]] |= 1 << (3 * rank + file // 2)
    white, black = masks["w"], masks["b"]
    number = white | black << 18 if side == "w" else turned.py_func(black) | turned.py_func(white) << 18
    return number, "white" if side == "w" else "black"


STARTS = {"diamond_chase": diamond_chase_start, "connect_four": connect_four_start, "dame": dame_start}


def shown(game, number):
    """A position for people: the board as the side to move sees it, `o` its own pieces and `x` the other's."""
    if game == "connect_four":
        own, full = split.py_func(number)
        bits = [7 * column + 5 - row for row in range(6) for column in range(7)]
        cells = "".join("." if not full >> bit & 1 else "o" if own >> bit & 1 else "x" for bit in bits)
        return "/".join(cells[i : i + 7] for i in range(0, 42, 7))
    size, lengths = (21, [1, 2, 1, 3, 7, 3, 1, 2, 1]) if game == "diamond_chase" else (18, [3] * 6)
    own, opp = number & (1 << size) - 1, number >> size
    cells = "".join("o" if own >> i & 1 else "x" if opp >> i & 1 else "." for i in range(size))
    rows, place = [], 0
    for length in lengths:
        rows.append(cells[place : place + length])
        place += length
    return "/".join(rows if game == "diamond_chase" else rows[::-1])


# The file


class RefusedError(Exception):
    """Why, and where."""


def read(path):
    """8 bytes ADPROOF and a newline; 4 bytes, the length of the header; the header, JSON; blocks; 32 bytes, the SHA-256
    of all before. A block is 8 bytes, its entries, 4 bytes, its length, 4 bytes, the CRC-32 of what follows, and that:
    for each entry the number of the position less that of the entry before in the block (0 before the first), the place
    of the move, and, where a win is claimed, plies; each as LEB128. Numbers are little-endian."""
    with open(path, "rb") as file:
        content = file.read()
    if content[:8] != b"ADPROOF\n" or len(content) < 44:
        raise RefusedError(f"{path} is no certificate: it does not begin with ADPROOF")
    (length,) = struct.unpack_from("<I", content, 8)
    try:
        header = json.loads(content[12 : 12 + length])
        entries, blocks, claim, game = header["entries"], header["blocks"], header["claim"], header["game"]
    except (ValueError, KeyError, TypeError):
        raise RefusedError(f"the header, bytes 12 to {12 + length}, is damaged") from None
    if header.get("format") != 1 or game not in RULES or claim not in ("never loses", "wins"):
        raise RefusedError(f"format {header.get('format')}, game {game}, claim {claim!r}: not known here")
    columns = 3 if claim == "wins" else 2
    place, found = 12 + length, []
    for block in range(blocks):
        if place + 16 > len(content) - 32:
            raise RefusedError(f"block {block} of {blocks}, byte {place}: the file ends there")
        count, size, checksum = struct.unpack_from("<QII", content, place)
        body = content[place + 16 : place + 16 + size]
        if len(body) != size or place + 16 + size > len(content) - 32 or zlib.crc32(body) != checksum:
            raise RefusedError(
                f"block {block} of {blocks}, bytes {place} to {place + 16 + size}: its checksum is wrong"
            )
        if count * columns > size:
            raise RefusedError(f"block {block} of {blocks}, byte {place}: {size} bytes do not hold {count} entries")
        values, used = decode(np.frombuffer(body, dtype=np.uint8), count * columns)
        if used != size:
            raise RefusedError(f"block {block} of {blocks}, byte {place}: it does not hold {count} entries")
        values = values.reshape(count, columns)
        values[:, 0] = np.cumsum(values[:, 0])
        found.append(values)
        place += 16 + size
    digest = hashlib.sha256(content[:-32]).digest()
    if place != len(content) - 32:
        raise RefusedError(f"byte {place}: {len(content) - 32 - place} bytes that belong to nothing")
    if digest != content[-32:]:
        raise RefusedError(f"the SHA-256 at byte {len(content) - 32} is not that of the file")
    table = np.concatenate(found) if found else np.zeros((0, columns), dtype=np.int64)
    if len(table) != entries:
        raise RefusedError(f"{len(table)} entries, and the header says {entries}")
    if len(table) > 1 and (np.diff(table[:, 0]) <= 0).any():
        raise RefusedError(f"entry {int(np.argmax(np.diff(table[:, 0]) <= 0)) + 1} is not greater than the one before")
    return header, table, digest.hex()


@njit
def decode(body, count):
    values, place = np.zeros(count, dtype=np.int64), 0
    for i in range(count):
        shift = 0
        while True:
            if place >= len(body) or shift > 56:
                return values, -1
            byte = np.int64(body[place])
            place += 1
            values[i] |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
    return values, place


# The check

NOT_A_POSITION, NO_SUCH_MOVE, LOST_END, DRAWN_END, MISSING, NOT_FALLING, NOT_LEAST = range(1, 8)
FAULTS = {
    NOT_A_POSITION: "this is no position of the game with a move to make",
    NO_SUCH_MOVE: "the move's place is beyond the moves that there are",
    LOST_END: "the game is lost after the move or a reply",
    DRAWN_END: "a win is claimed, and the game is drawn after the move or a reply",
    MISSING: "a reply leads to a position that is not in the list",
    NOT_FALLING: "a win is claimed, and the plies to it do not get fewer",
    NOT_LEAST: "an image of this position has a lesser number, which should stand here",
}


@njit
def index_of(numbers, buckets, shift, number):
    """Where a number stands in a sorted list, -1 if nowhere; `buckets` say where those with equal high bits begin."""
    high = number >> shift
    if high + 1 >= len(buckets):
        return -1
    low, top = buckets[high], buckets[high + 1]
    while low < top:
        middle = (low + top) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            top = middle
    return low if low < buckets[high + 1] and numbers[low] == number else -1


@njit
def check(moves, image, valid, numbers, places, plies, buckets, shift, start, stop):
    """(fault, entry, number of the reply or end) of the first entry that proves nothing, or 0s."""
    after, ends = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
    replies, reply_ends = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
    claims_win = len(plies) > 0
    for entry in range(start, stop):
        number = numbers[entry]
        if not valid(number):
            return NOT_A_POSITION, entry, number
        if image(number) != number:
            return NOT_LEAST, entry, number
        count = moves(number, after, ends)
        chosen = -1
        for i in range(count):  # the one with as many different ones below it as the place says
            below = 0
            for j in range(count):
                first = after[j] < after[i]
                for k in range(j):
                    first = first and after[k] != after[j]
                below += first
            if below == places[entry]:
                chosen = i
        if chosen < 0:
            return NO_SUCH_MOVE, entry, number
        if ends[chosen] == LOST:
            return LOST_END, entry, after[chosen]
        if claims_win and (ends[chosen] == DRAWN or plies[entry] < 1):
            return DRAWN_END if ends[chosen] == DRAWN else NOT_FALLING, entry, after[chosen]
        if ends[chosen] != ONGOING:
            continue
        count = moves(after[chosen], replies, reply_ends)
        for i in range(count):
            if reply_ends[i] == WON:  # for the opponent
                return LOST_END, entry, replies[i]
            if claims_win and reply_ends[i] == DRAWN:
                return DRAWN_END, entry, replies[i]
            if reply_ends[i] != ONGOING:
                if claims_win and plies[entry] < 2:
                    return NOT_FALLING, entry, replies[i]
                continue
            found = index_of(numbers, buckets, shift, image(replies[i]))
            if found < 0:
                return MISSING, entry, replies[i]
            if claims_win and plies[found] > plies[entry] - 2:
                return NOT_FALLING, entry, replies[i]
    return 0, 0, 0


def first_positions(header, moves, image):
    """The positions with the player to move that must be in the list."""
    found = []
    for text in header["starts"]:
        try:
            number, side = STARTS[header["game"]](text)
        except (ValueError, KeyError, IndexError):
            raise RefusedError(f"start {text!r}: no position of {header['game']}") from None
        if side == header["side"]:
            found.append(image(number))
            continue
        after, ends = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
        for i in range(moves(number, after, ends)):
            if ends[i] == WON or (ends[i] == DRAWN and header["claim"] == "wins"):
                raise RefusedError(f"start {text!r}: the opponent's first move ends the game")
            if ends[i] == ONGOING:
                found.append(image(after[i]))
    return found


def main(path, *, quiet=False):
    started = time.monotonic()
    header, table, digest = read(path)
    game = header["game"]
    moves, image, valid = RULES[game]
    numbers, places = np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])
    plies = np.ascontiguousarray(table[:, 2]) if header["claim"] == "wins" else np.zeros(0, dtype=np.int64)
    del table
    if not len(numbers):
        raise RefusedError("there is no entry")
    if game == "diamond_chase" and len(plies) and plies.max() >= 100:
        raise RefusedError(
            f"entry {int(plies.argmax())}: a win in 100 plies or more may be a draw by the no-capture rule"
        )
    shift = max(0, int(numbers[-1]).bit_length() - 20)
    buckets = np.searchsorted(numbers, np.arange((int(numbers[-1]) >> shift) + 2) << shift)
    for number in first_positions(header, moves, image):
        if index_of(numbers, buckets, shift, number) < 0:
            raise RefusedError(f"the game begins at {shown(game, number)}, which is not in the list")
    step = 1 << 17
    for start in range(0, len(numbers), step):
        stop = min(start + step, len(numbers))
        fault, entry, there = check(moves, image, valid, numbers, places, plies, buckets, shift, start, stop)
        if fault:
            raise RefusedError(
                f"entry {entry} of {len(numbers)}, position {shown(game, int(numbers[entry]))} ({numbers[entry]}): "
                f"{FAULTS[fault]}" + (f", {shown(game, int(there))}" if fault in (LOST_END, DRAWN_END, MISSING) else "")
            )
        if not quiet and sys.stderr.isatty():
            print(f"\r{stop:,} of {len(numbers):,}", end="", file=sys.stderr)
    if not quiet and sys.stderr.isatty():
        print(file=sys.stderr)
    starts = ", ".join(header["starts"])
    print(f"valid: as {header['side']} the player {header['claim']}, from {starts}")
    print(f"{game}, {len(numbers):,} positions, sha256 {digest}, checked in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--quiet"]
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)
    try:
        main(arguments[0], quiet="--quiet" in sys.argv)
    except RefusedError as fault:
        print(f"refused: {fault}", file=sys.stderr)
        sys.exit(1)
    except OSError as fault:
        print(f"error: {arguments[0]}: {fault.strerror}", file=sys.stderr)
        sys.exit(2)
