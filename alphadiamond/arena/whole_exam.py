"""The exam of everything: a player's move and expected result in every position of a game that is solved as a table.

Where the exam is a sample, this counts: by the beads or men of both sides, by the exact value, and by how many moves
keep it. Each position counts once up to the symmetries of the board.
"""

import contextlib
import functools
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import Agent, make_agent
from alphadiamond.arena.exam import ExamError
from alphadiamond.base.game import ILLEGAL, Game, TableSolution
from alphadiamond.base.process_pool import ProcessPool
from alphadiamond.console import progress
from alphadiamond.files import replacing
from alphadiamond.games import solution_of

PART: Final = 1 << 15
"""Entries of the table that a worker is given at once."""
_TOGETHER: Final = 4096  # positions that a player is asked about at once
_SAVED: Final = 256  # parts between two notes of what is done
MOST: Final = 24
"""More good moves than this are counted as so many."""
SHAPE: Final = (7, 7, 3, MOST + 1, 2, 2, 2)
"""Own pieces, the other's, value (lost, drawn, won), good moves, whether any is wrong, right, result right."""
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class WholeTask:
    """A part of the table."""

    game: Game
    player: str
    start: int
    stop: int


def count(task: WholeTask) -> Counts:
    """[*SHAPE] how often what came of a player's answers in a part of the table."""
    game, solution = task.game, solution_of(task.game)
    states = cast(TableSolution, solution).states_between(task.start, task.stop)
    counts = np.zeros(SHAPE, dtype=np.int64)
    agent = _agent(game, task.player)
    for start in range(0, len(states), _TOGETHER):
        part = states[start : start + _TOGETHER]
        found = agent.answer_states(part)
        if found is None:
            raise ExamError(f"{task.player}: answers no arrays of positions, take neural by simulations")
        actions, chances = found
        rows, values = np.arange(len(part)), solution.action_values(part)[0]
        legal = values != ILLEGAL
        best = np.where(legal, values, -2).max(axis=1)
        keeping = legal & (values == best[:, None])
        good, named = keeping.sum(axis=1), 1 - np.argmax(chances, axis=1)
        own, opp = (np.bitwise_count(part[:, side]).astype(np.int64) for side in (0, 1))
        columns = (
            own,
            opp,
            best.astype(np.int64) + 1,
            np.minimum(good, MOST),
            (good < legal.sum(axis=1)).astype(np.int64),
            keeping[rows, actions].astype(np.int64),
            (named == best).astype(np.int64),
        )
        flat = np.ravel_multi_index(columns, SHAPE)
        counts += np.bincount(flat, minlength=int(np.prod(SHAPE))).reshape(SHAPE)
    return counts


def count_everything(game: Game, player: str, *, workers: int, progress_file: Path) -> Counts:
    """[*SHAPE] over the whole table, going on with what the file holds."""
    solution = solution_of(game)
    if not hasattr(solution, "states_between"):
        raise ExamError(f"{game.title}: its solution is no table of all positions")
    agent = _agent(game, player)
    size = cast(TableSolution, solution).entries
    done, counts = _restored(progress_file, [game.name, player, agent.digest], size)
    tasks = (
        WholeTask(game, player, start, min(start + PART, size))
        for number, start in enumerate(range(0, size, PART))
        if not done[number]
    )
    pool = ProcessPool(count, workers, name="exam of everything", of=lambda task: task.player, error=ExamError)
    with contextlib.closing(pool), progress(f"every position, {player}", len(done)) as update:
        update(int(done.sum()), "")
        for number, (task, found) in enumerate(pool.run(tasks), start=1):
            counts += found
            done[task.start // PART] = True
            if number % _SAVED == 0 or done.all():
                _save(progress_file, [game.name, player, agent.digest], done, counts)
            update(int(done.sum()), f"{int(counts.sum()):,} positions")
    return counts


@functools.cache
def _agent(game: Game, player: str) -> Agent:
    return make_agent(player, game=game, seed=0)


def _save(path: Path, who: list[str], done: npt.NDArray[np.bool_], counts: Counts) -> None:
    with replacing(path) as file:
        np.savez_compressed(file, who=np.array(who), done=done, counts=counts)


def _restored(path: Path, who: list[str], size: int) -> tuple[npt.NDArray[np.bool_], Counts]:
    nothing = np.zeros(-(-size // PART), dtype=np.bool_), np.zeros(SHAPE, dtype=np.int64)
    if not path.exists():
        return nothing
    try:
        with np.load(path, allow_pickle=False) as file:
            if file["who"].tolist() != who or file["done"].shape != nothing[0].shape:
                return nothing
            return file["done"], file["counts"]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return nothing


# Tables

VALUES: Final = ("lost", "drawn", "won")


def whole_tables(counts: Counts) -> str:
    """Markdown: by value, by pieces, and by the number of good moves."""
    by_value = counts.sum(axis=(0, 1, 3))
    pieces = [(own, opp) for own in range(SHAPE[0]) for opp in range(SHAPE[1]) if counts[own, opp].any()]
    totals = sorted({own + opp for own, opp in pieces}, reverse=True)
    parts = [
        f"{int(counts.sum()):,} positions; in {int(counts[..., 1, :, :].sum()):,} of them a move can go wrong.",
        _table("value", [(VALUES[value], by_value[value]) for value in (2, 1, 0)] + [("all", by_value.sum(axis=0))]),
        _table("pieces", [(str(n), _of(counts, [one for one in pieces if sum(one) == n])) for n in totals]),
        _table("own and opposing", [(f"{own} and {opp}", _of(counts, [(own, opp)])) for own, opp in pieces]),
        _table("good moves, won", _by_good(counts[:, :, 2].sum(axis=(0, 1)))),
        _table("good moves, drawn", _by_good(counts[:, :, 1].sum(axis=(0, 1)))),
    ]
    return "\n\n".join(parts)


def _of(counts: Counts, pieces: Iterable[tuple[int, int]]) -> Counts:
    """[2, 2, 2] of some numbers of pieces."""
    total = np.zeros(SHAPE[4:], dtype=np.int64)
    for own, opp in pieces:
        total += counts[own, opp].sum(axis=(0, 1))
    return total


def _by_good(counts: Counts) -> list[tuple[str, Counts]]:
    """[2, 2, 2] by the number of good moves."""
    few = [(str(good), counts[good]) for good in range(1, 6)]
    return [*few, ("6 or more", counts[6:].sum(axis=0))]


def _table(title: str, rows: Sequence[tuple[str, Counts]]) -> str:
    """Positions, those in which a move can go wrong, the player's wrong moves there, and its results."""
    lines = [
        f"| {title} | positions | a move can be wrong | wrong moves | value kept | result named |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    for name, counts in rows:
        total, risky = int(counts.sum()), int(counts[1].sum())
        wrong, named = int(counts[1, 0].sum()), int(counts[..., 1].sum())
        kept = f"{100 * (1 - wrong / risky):.3f} %" if risky else "-"
        share = f"{100 * named / total:.2f} %" if total else "-"
        lines.append(f"| {name} | {total:,} | {risky:,} | {wrong:,} | {kept} | {share} |")
    return "\n".join(lines)


def as_json(counts: Counts) -> dict[str, Any]:
    """Every count that is not 0, by what it is of."""
    names = ("own", "opp", "value", "good_moves", "can_go_wrong", "right", "result_right")
    rows = [[int(number) for number in place] for place in np.argwhere(counts)]
    return {"columns": [*names, "positions"], "rows": [[*row, int(counts[tuple(row)])] for row in rows]}
