"""A proof as a file: every position that can come up, with the move that is played there.

    8 bytes     ADPROOF and a newline
    4 bytes     how long the header is
    header      JSON: game, claim, side, starts, symmetries, how many entries and blocks, who plays
    blocks      each 16 bytes, entries, bytes, and the CRC-32 of what follows; then that many bytes
    32 bytes    SHA-256 of everything before

Whole numbers are little-endian, unsigned. In a block every entry is a number of a position less the number before it
(of the first entry of a block: less 0), then the place of the move, then, where a win is claimed, the plies in which it
comes at the latest; each as LEB128: seven bits a byte, lowest first, the eighth set where more follow. Positions are
sorted by number; the number of a position, what its images are, and the order of moves are said in
`proofs/check_proof.py`, which is all that is needed to check a certificate and knows nothing of this package.

A move is the place of the position that it leads to among all that the moves of a position lead to, by their numbers,
from 0. Two moves that lead to the same position are one.
"""

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.base.results import LOSS, ONGOING, WIN
from alphadiamond.console import progress
from alphadiamond.files import replacing
from alphadiamond.proof import kernels
from alphadiamond.proof.kernels import Numbers
from alphadiamond.proof.ply_files import PlyFiles
from alphadiamond.proof.tasks import ProofError, Subject

MAGIC: Final = b"ADPROOF\n"
FORMAT: Final = 1
BLOCK: Final = 1 << 16
"""Entries of a block."""
CLAIMS: Final = ("never loses", "wins")
GAMES: Final = ("diamond_chase", "connect_four", "dame")
"""The games that the checker knows."""
_TOGETHER: Final = 1 << 14


def entries_of(files: PlyFiles, plies: int) -> tuple[Numbers, npt.NDArray[np.int16]]:
    """(positions [N], moves [N]) of all plies, sorted by position."""
    numbers = np.concatenate([np.asarray(files.positions(ply)) for ply in range(plies)])
    moves = np.concatenate([np.asarray(files.moves(ply)) for ply in range(plies)])
    order = np.argsort(numbers)
    return numbers[order], moves[order]


def write_certificate(
    path: Path,
    subject: Subject,
    numbers: Numbers,
    actions: npt.NDArray[np.int16],
    header: dict[str, Any],
    *,
    claim: str,
) -> dict[str, Any]:
    """Write a closed set of positions [N], sorted, with a move [N] in each; returns a summary for people."""
    if subject.game.name not in GAMES:
        raise ProofError(f"{subject.game.title}: no checker knows its rules, so that there are no certificates")
    distances = win_distances(subject, numbers, actions) if claim == "wins" else None
    if distances is not None and (distances < 0).any():
        state = subject.states_of(numbers[np.argmax(distances < 0)][None])[0]
        raise ProofError(f"claim=wins: from {subject.game.position_of(state)} the player does not win by force")
    places = move_places(subject, numbers, actions)
    blocks = -(-len(numbers) // BLOCK)
    said = {"format": FORMAT, "claim": claim, **header, "entries": len(numbers), "blocks": blocks}
    text = json.dumps(said, indent=1).encode()
    digest = hashlib.sha256()
    with replacing(path) as file:

        def put(content: bytes) -> None:
            digest.update(content)
            file.write(content)

        put(MAGIC + struct.pack("<I", len(text)) + text)
        for start in range(0, len(numbers), BLOCK):
            part = slice(start, start + BLOCK)
            columns = [np.diff(numbers[part], prepend=np.uint64(0)), places[part].astype(np.uint64)]
            if distances is not None:
                columns.append(distances[part].astype(np.uint64))
            body = kernels.leb128(np.stack(columns, axis=1).reshape(-1)).tobytes()
            put(struct.pack("<QII", len(numbers[part]), len(body), zlib.crc32(body)) + body)
        file.write(digest.digest())
    size = path.stat().st_size
    longest = None if distances is None else int(distances.max(initial=0))
    return {**said, "longest_win": longest, "bytes": size, "sha256": digest.hexdigest()}


def move_places(subject: Subject, numbers: Numbers, actions: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """[N] the place of each move among what the moves of its position lead to, by number."""
    game, places = subject.game, np.zeros(len(numbers), dtype=np.uint8)
    with progress("moves of the certificate", len(numbers)) as update:
        for part in _parts(len(numbers)):
            states = subject.states_of(numbers[part])
            rows, _, after, _ = game_kernels.all_replies(game.rules, states)
            reached = game.pack_positions(game.bare(after), subject.board)
            chosen, _ = game_kernels.after_moves(game.rules, states, actions[part])
            mine = game.pack_positions(game.bare(chosen), subject.board)
            places[part] = kernels.distinct_below(rows, reached, mine)
            update(part.stop, "")
    return places


def win_distances(subject: Subject, numbers: Numbers, actions: npt.NDArray[np.int16]) -> npt.NDArray[np.int32]:
    """[N] in how many plies the player has won at the latest, whatever the replies; -1 where it cannot force it.

    Backward from the ends: round after round, positions all of whose replies are settled are settled.
    """
    game, count = subject.game, len(numbers)
    distances = np.full(count, -1, dtype=np.int32)
    rows_of, columns_of = [], []
    open_end = np.zeros(count, dtype=np.bool_)
    for part in _parts(count):
        after, own = game_kernels.after_moves(game.rules, subject.states_of(numbers[part]), actions[part])
        rows, _, positions, statuses = game_kernels.all_replies(game.rules, after)
        distances[part][own == LOSS] = 1
        open_end[part] |= (own != LOSS) & (own != ONGOING)
        bad = (statuses != ONGOING) & (statuses != WIN)
        open_end[part.start + rows[bad]] = True
        goes_on = statuses == ONGOING
        columns = np.searchsorted(numbers, subject.numbers_of(positions[goes_on]))
        rows_of.append(part.start + rows[goes_on])
        columns_of.append(columns)
        settled = (own == ONGOING) & ~np.isin(np.arange(part.stop - part.start), rows[goes_on])
        distances[part][settled] = 2  # every reply ends the game, won
    distances[open_end] = -1
    rows, columns = np.concatenate(rows_of), np.concatenate(columns_of)
    while True:
        waits = np.zeros(count, dtype=np.bool_)
        waits[rows[distances[columns] < 0]] = True
        ready = (distances < 0) & ~waits & ~open_end
        if not ready.any():
            return distances
        furthest = np.zeros(count, dtype=np.int32)
        np.maximum.at(furthest, rows, distances[columns])
        distances[ready] = furthest[ready] + 2


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, _TOGETHER):
        yield slice(start, min(start + _TOGETHER, count))
