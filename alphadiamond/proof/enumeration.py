"""Every position that can come up against every reply, breadth first, each asked once.

A ply here is one move of the player and one of the opponent: the positions of ply n are those with the player to move
after n own moves that have not come up before. Memory: 16 bytes for each position that has come up, while the sets of
two plies are merged, 10 for each of the other side's whose move is known, and `PENDING` numbers of replies on the way.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from alphadiamond.base import game_kernels
from alphadiamond.base.results import ONGOING
from alphadiamond.console import progress
from alphadiamond.proof import kernels
from alphadiamond.proof.kernels import Numbers
from alphadiamond.proof.ply_files import Ply, PlyCounts, PlyFiles
from alphadiamond.proof.tasks import Expansion, ProofError, ProofTask, Subject
from alphadiamond.settings import memory

PENDING: Final = 1 << 24
"""Replies that are gathered before those that are known are taken out, 128 MB."""
_KEPT: Final = 1000  # positions of each kind that are noted by ply
_BASE: Final = 4 * 8 * PENDING  # bytes beside the sets: replies that wait, twice more while they are sorted


class Team(Protocol):
    """Whoever answers tasks: processes here, or actors of Ray."""

    def run(self, tasks: Iterable[ProofTask]) -> Iterator[tuple[ProofTask, Expansion]]:
        """Answers in any order."""


@dataclass(frozen=True, eq=False)
class KnownMoves:
    """What a player plays in positions in which it has been asked for the other side: the same, since it is a function
    of the position."""

    numbers: Numbers
    """[K] sorted"""
    moves: npt.NDArray[np.int16]
    """[K]"""

    def moves_in(self, numbers: Numbers) -> npt.NDArray[np.int16]:
        """[B] -1 where it is not known."""
        if not len(self.numbers):
            return np.full(len(numbers), -1, dtype=np.int16)
        places = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[places] == numbers, self.moves[places], np.int16(-1))


@dataclass(frozen=True, eq=False)
class Found:
    """What an enumeration came to."""

    plies: list[Ply]
    closed: bool
    """Whether nothing is left to ask; without it the enumeration was stopped after so many plies."""

    @property
    def counts(self) -> PlyCounts:
        return sum((ply.counts for ply in self.plies), PlyCounts())


def first_positions(subject: Subject, starts: list[Any], side: Any) -> Numbers:
    """The positions with the player to move that begin its games: the starts themselves, or after the first reply."""
    game = subject.game
    mine = game.states_of([start for start in starts if start.side is side])
    theirs = game.states_of([start for start in starts if start.side is not side])
    _, _, after, statuses = game_kernels.all_replies(game.rules, theirs)
    return np.unique(subject.numbers_of(np.concatenate([mine, after[statuses == ONGOING]])))


def enumerate_positions(
    subject: Subject,
    first: Numbers,
    files: PlyFiles,
    team: Team,
    *,
    title: str,
    part: int,
    plies: int | None = None,
    limit: int | None = None,
    known: KnownMoves | None = None,
    say: Callable[[str], None] = print,
) -> Found:
    """Go on from what the files hold until nothing new comes up, or for so many plies. `limit`: bytes of memory;
    `known`: moves that need not be asked for again."""
    done = files.finished()
    if not files.has_positions(0):
        files.write_positions(0, first)
    seen = np.zeros(0, dtype=np.uint64)
    for ply in done:
        seen = kernels.merged(seen, np.asarray(files.positions(ply.number)))
    total = sum((ply.counts for ply in done), PlyCounts())
    if done:
        say(f"{title}: goes on after {len(done)} own moves and {total.positions:,} positions")
    while plies is None or len(done) < plies:
        numbers = np.asarray(files.positions(len(done)))
        if not len(numbers):
            return Found(done, closed=True)
        seen = kernels.merged(seen, numbers)
        _check_room(len(seen), len(numbers), 0 if known is None else len(known.numbers), files, limit)
        actions = np.full(len(numbers), -1, dtype=np.int16) if known is None else known.moves_in(numbers)
        ply = _ask(subject, numbers, actions, seen, len(done), files, team, part, f"{title}, move {len(done) + 1}")
        done.append(ply)
        total += ply.counts
    return Found(done, closed=not len(files.positions(len(done))))


def _ask(
    subject: Subject,
    numbers: Numbers,
    actions: npt.NDArray[np.int16],
    seen: Numbers,
    number: int,
    files: PlyFiles,
    team: Team,
    size: int,
    title: str,
) -> Ply:
    """One ply: the moves in all its positions, and the new positions that the replies lead to; `actions` [N] are the
    moves that are known, and become all of them."""
    for start, moves in files.journal(number):
        actions[start : start + len(moves)] = moves
    counts, gathered = PlyCounts(), _Gathered(seen)
    noted: dict[str, list[Numbers]] = {"losing": [], "lost": [], "let_go": []}
    parts = (slice(i, i + size) for i in range(0, len(numbers), size))
    tasks = (ProofTask(subject, part.start, numbers[part], actions[part].copy()) for part in parts)
    with progress(title, len(numbers)) as update:
        for task, found in team.run(tasks):
            part = slice(task.start, task.start + len(task.numbers))
            if len(task.unknown):
                files.append(number, task.start, found.actions)
            actions[part] = found.actions
            gathered.add(found.replies)
            counts += PlyCounts(
                len(task.numbers),
                *found.ends,
                losing=len(found.lost_ends),
                lost=len(found.lost),
                let_go=len(found.let_go),
                simulations=found.simulations,
            )
            for name, some in (("losing", found.lost_ends), ("lost", found.lost), ("let_go", found.let_go)):
                noted[name].append(some)
            update(counts.positions, _note(counts))
    lists = {name: np.sort(np.concatenate(parts))[:_KEPT].tolist() for name, parts in noted.items()}
    ply = Ply(number, counts, **lists)
    files.write_positions(number + 1, gathered.new())  # first, so that a ply which is done has a next one
    files.finish(ply, actions)
    return ply


def _note(counts: PlyCounts) -> str:
    return f"{counts.lost_ends:,} lost ends" + (f", {counts.lost:,} held games lost" if counts.lost else "")


class _Gathered:
    """Replies as they come, those that are known taken out whenever there are many."""

    def __init__(self, seen: Numbers) -> None:
        self._seen = seen
        self._new = np.zeros(0, dtype=np.uint64)
        self._parts: list[Numbers] = []
        self._waiting = 0

    def add(self, replies: Numbers) -> None:
        self._parts.append(replies)
        self._waiting += len(replies)
        if self._waiting >= PENDING:
            self._sift()

    def new(self) -> Numbers:
        self._sift()
        return self._new

    def _sift(self) -> None:
        some = np.sort(np.concatenate([np.zeros(0, dtype=np.uint64), *self._parts]))
        fresh = kernels.missing_from(kernels.missing_from(some, self._seen), self._new)
        self._new = kernels.merged(self._new, fresh)
        self._parts, self._waiting = [], 0


def _check_room(seen: int, asked: int, known: int, files: PlyFiles, limit: int | None) -> None:
    """Stop before a ply whose sets would not fit; growth is taken to be as in the last plies, twice at most."""
    have = memory.machine() if limit is None else limit
    need = 16 * (seen + 2 * asked) + 10 * known + _BASE
    if have is not None and need > have:
        raise ProofError(
            f"{seen:,} positions so far: the next ply would take {memory.amount(need)} and there are "
            f"{memory.amount(have)}; what is done stays in {files.directory}, give plies= or memory="
        )
    free = shutil.disk_usage(files.directory).free
    if 20 * (2 * asked) > free:
        raise ProofError(f"{files.directory}: {memory.amount(free)} are free there, too little for the next ply")
