"""The exam: positions in which a move can go wrong, with exact answers, so that any player is measured by the truth.

The positions were chosen once by the solver (`alphadiamond make-exam`) and are part of their game; an exam needs no
tablebase. They are played as positions without history. In each at least one legal move keeps the value and at least
one does not, so the value is a win or a draw: in a lost position no move is wrong.

An exam is an npz: `format` 2, `game`, `states` [N, S] int64, `values` [N] int8, `distances` [N] int16, `keeping` [N, A]
packed into bits, `origins` [N] with `origin_names`, `phases` [N] with `phase_names`. Format 1, which is of Diamond
Chase alone, has `own` and `opp` [N] in place of the states, and its phases are the beads on the board.
"""

import functools
import math
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from alphadiamond.agents import Agent, Analysis
from alphadiamond.base.game import Game
from alphadiamond.console import Update, progress
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.games import UNNAMED, GameError, load

FORMAT: Final = 2
STAKES: Final = {1: "win thrown away", 0: "draw lost"}
"""What a wrong move costs, by the value of the position."""
DIFFICULTIES: Final = ("up to 1/4 good", "up to 1/2 good", "up to 3/4 good", "more good")
"""Classes of the share of legal moves that keep the value, hardest first."""
_DECIDED: Final = 1 / 3  # a player that gives one value says win above this and loss below its negative
_Z: Final = 1.959964  # 95 %
_TOGETHER: Final = 64  # positions that a player is asked about at once
NO_RESULT: Final = 2
"""The result of a position for which a player names none."""
Answers: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Actions [B], and the results that the player expects [B]."""


class ExamError(AlphaDiamondError):
    """An exam that cannot be read, or answers that do not fit it."""


@dataclass(frozen=True)
class Exam:
    """N positions in random order, so that the first n are a fair sample of them all."""

    game: Game
    states: npt.NDArray[np.int64]
    """[N, S]"""
    values: npt.NDArray[np.int8]
    """[N] 1 won, 0 drawn for the side to move."""
    distances: npt.NDArray[np.int16]
    """[N] plies to the end of a won position, 0 for a draw."""
    keeping: npt.NDArray[np.bool_]
    """[N, A] the actions that keep the value."""
    origins: npt.NDArray[np.uint8]
    """[N] the kind of play each comes from, an index into `origin_names`."""
    origin_names: tuple[str, ...]
    phases: npt.NDArray[np.uint8]
    """[N] the phase of the game, an index into `phase_names`."""
    phase_names: tuple[str, ...]
    """From the beginning of a game to its end: `12 beads`, `11 beads`."""

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def load(cls, path: Path | None = None, *, game: Game) -> "Exam":
        """Read an exam of a game, by default the one that is part of it."""
        if path is None:
            if game.exam is None:
                raise ExamError(f"{game.title} has no exam; where it is solved, `alphadiamond make-exam` makes one")
            path = game.exam
        exam = _load(path)
        if exam.game.name != game.name:
            raise ExamError(f"{path}: an exam of {exam.game.title}, not of {game.title}")
        return exam

    def save(self, path: Path) -> None:
        with replacing(path) as file:
            np.savez_compressed(
                file,
                format=np.array(FORMAT),
                game=np.array(self.game.name),
                states=self.states,
                values=self.values,
                distances=self.distances,
                keeping=np.packbits(self.keeping, axis=1),
                origins=self.origins,
                origin_names=np.array(self.origin_names),
                phases=self.phases,
                phase_names=np.array(self.phase_names),
            )

    def first(self, count: int | None) -> "Exam":
        """The first positions, or all of them."""
        if count is None:
            return self
        if not 1 <= count <= len(self):
            raise ExamError(f"{count} positions: the exam has 1 to {len(self)}")
        return self.at(np.arange(count))

    def at(self, indices: npt.NDArray[np.integer[Any]]) -> "Exam":
        """These positions, in this order."""
        return replace(
            self,
            states=self.states[indices],
            values=self.values[indices],
            distances=self.distances[indices],
            keeping=self.keeping[indices],
            origins=self.origins[indices],
            phases=self.phases[indices],
        )

    def position(self, index: int) -> Any:
        return self.game.position_of(self.states[index])

    @functools.cached_property
    def good_shares(self) -> npt.NDArray[np.float64]:
        """[N] the share of legal moves that keep the value: how often a random move is right."""
        good: npt.NDArray[np.float64] = self.keeping.sum(axis=1) / self.game.legal(self.states).sum(axis=1)
        return good

    @property
    def difficulties(self) -> npt.NDArray[np.int64]:
        """[N] indices into DIFFICULTIES."""
        return np.ceil(self.good_shares * 4).astype(np.int64) - 1


@functools.cache
def _load(path: Path) -> Exam:
    try:
        with open(path, "rb") as raw:
            if raw.read(2) != b"PK":  # numpy would advise to load pickles
                raise ExamError(f"{path}: not an exam, which `alphadiamond make-exam` makes")
        with np.load(path, allow_pickle=False) as file:
            number = int(file["format"])
            if number not in (1, FORMAT):
                raise ExamError(f"{path}: format {number}, expected {FORMAT}")
            game = load(UNNAMED if number == 1 else str(file["game"]))
            if number == 1:
                states, phases, phase_names = _first_format(file["own"], file["opp"])
            else:
                states, phases, phase_names = file["states"], file["phases"], tuple(map(str, file["phase_names"]))
            if states.shape[1:] != (game.state_size,):
                raise ValueError(f"states {states.shape}")
            return Exam(
                game=game,
                states=np.ascontiguousarray(states, dtype=np.int64),
                values=file["values"],
                distances=file["distances"].astype(np.int16),
                keeping=np.unpackbits(file["keeping"], axis=1, count=game.actions).astype(bool),
                origins=file["origins"],
                origin_names=tuple(str(name) for name in file["origin_names"]),
                phases=phases,
                phase_names=phase_names,
            )
    except GameError as error:
        raise ExamError(f"{path}: {error}") from None
    except FileNotFoundError:
        raise ExamError(f"{path}: missing; `alphadiamond make-exam` makes it") from None
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ExamError(f"{path}: damaged ({error}); `alphadiamond make-exam` makes it again") from None


def _first_format(
    own: npt.NDArray[np.int32], opp: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], tuple[str, ...]]:
    """States, phases and their names from the masks of either side's beads."""
    ones = np.ones(len(own), dtype=np.int64)
    beads = np.bitwise_count(own | opp)
    counts, phases = np.unique(-beads.astype(np.int64), return_inverse=True)
    states = np.stack([own, opp, 0 * ones, ones], axis=1).astype(np.int64)
    return states, phases.astype(np.uint8), tuple(f"{-count} beads" for count in counts)


@dataclass(frozen=True)
class Share:
    """How many of how many were right."""

    right: int
    count: int

    @property
    def value(self) -> float:
        return self.right / self.count if self.count else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % confidence (Wilson)."""
        if not self.count:
            return 0.0, 1.0
        n, p = self.count, self.value
        middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z / (1 + _Z * _Z / n) * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    @property
    def as_json(self) -> dict[str, Any]:
        return {"right": self.right, "count": self.count, "share": self.value, "interval": list(self.interval)}

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


@dataclass(frozen=True)
class ExamResult:
    """How a player did."""

    player: str
    kept: Share
    """Positions in which its move kept the value."""
    by_phase: dict[str, Share]
    """The same by the phase of the game; in Diamond Chase, the beads on the board."""
    by_stake: dict[str, Share]
    """The same by what a wrong move costs."""
    by_difficulty: dict[str, Share]
    """The same by the share of legal moves that are right."""
    by_origin: dict[str, Share]
    """The same by the kind of play the position comes from."""
    result_right: Share | None
    """How often it named win or draw rightly, for players that give values."""

    @property
    def as_json(self) -> dict[str, Any]:
        parts = {
            name: {key: share.as_json for key, share in getattr(self, name).items()}
            for name in ("by_phase", "by_stake", "by_difficulty", "by_origin")
        }
        result = self.result_right.as_json if self.result_right else None
        return {"player": self.player, "kept": self.kept.as_json, **parts, "result_right": result}


def exam_batch(
    actions: npt.NDArray[np.integer[Any]],
    win_draw_loss: npt.NDArray[np.floating[Any]] | None = None,
    *,
    exam: Exam,
    player: str = "",
) -> ExamResult:
    """Grade answers given all at once: an action [N] for each position and, where there are any, chances [N, 3]."""
    results = None
    if win_draw_loss is not None:
        if np.shape(win_draw_loss) != (len(exam), 3):
            raise ExamError(f"chances of shape {np.shape(win_draw_loss)}, expected {(len(exam), 3)}")
        results = 1 - np.argmax(win_draw_loss, axis=1)
    return grade(exam, np.asarray(actions), results, player)


def run_exam(agent: Agent, *, exam: Exam, positions: int | None = None, values: bool = True) -> ExamResult:
    """Ask a player about the first `positions` positions, or all; without `values` only for its move, which can be
    quicker.

    A player says a result by its chances, or, where it gives one value only, by whether that is beyond a third.
    """
    exam = exam.first(positions)
    with progress(f"exam of {agent.spec or type(agent).__name__}", len(exam)) as update:
        actions, results = answers_to(agent, exam.states, game=exam.game, values=values, update=update)
    return grade(exam, actions, named_results(results), agent.spec)


def answers_to(
    agent: Agent, states: npt.NDArray[np.int64], *, game: Game, values: bool = True, update: Update | None = None
) -> Answers:
    """What a player answers to positions [B, S], ungraded."""
    actions = np.empty(len(states), dtype=np.int64)
    results = np.full(len(states), NO_RESULT)
    for start in range(0, len(states), _TOGETHER):
        part = slice(start, min(start + _TOGETHER, len(states)))
        at_once = agent.answer_states(states[part]) if values else None
        if at_once is not None:
            actions[part], results[part] = at_once[0], 1 - np.argmax(at_once[1], axis=1)
        else:
            positions = [game.position_of(state) for state in states[part]]
            actions[part], results[part] = _one_by_one(agent, positions, values=values)
        if update is not None:
            update(part.stop, "")
    return actions, results


def _one_by_one(agent: Agent, positions: Sequence[Any], *, values: bool) -> tuple[list[int], list[int]]:
    """(actions, results) of a player who thinks about positions, not arrays."""
    if values:
        analyses = agent.analyse_many(positions)
        return [one.best.action for one in analyses], [_result(one) for one in analyses]
    actions = []
    for position in positions:
        agent.reset()
        actions.append(agent.choose(position).action)
    return actions, [NO_RESULT] * len(actions)


def _result(analysis: Analysis) -> int:
    """1, 0, -1 as the player sees it, or NO_RESULT."""
    if analysis.win_draw_loss is not None:
        return 1 - int(np.argmax(analysis.win_draw_loss))
    if analysis.value is not None:
        return (analysis.value > _DECIDED) - (analysis.value < -_DECIDED)
    return NO_RESULT


def named_results(results: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """The results that a player names, None if it does not name all."""
    return results if (results != NO_RESULT).all() else None


def grade(
    exam: Exam, actions: npt.NDArray[np.integer[Any]], results: npt.NDArray[np.integer[Any]] | None, player: str
) -> ExamResult:
    """How good answers are; an `ExamError` for one that is none."""
    if actions.shape != (len(exam),):
        raise ExamError(f"answers of shape {actions.shape}, expected {(len(exam),)}")
    if ((actions < 0) | (actions >= exam.game.actions)).any():
        raise ExamError(f"an answer is no action: actions are 0 to {exam.game.actions - 1}")
    rows = np.arange(len(exam))
    illegal = ~exam.game.legal(exam.states)[rows, actions]
    if illegal.any():
        first = int(np.argmax(illegal))
        raise ExamError(f"position {first} ({exam.position(first)}): action {actions[first]} is not legal")
    right = exam.keeping[rows, actions]

    def share(where: npt.NDArray[np.bool_]) -> Share:
        return Share(int(right[where].sum()), int(where.sum()))

    return ExamResult(
        player=player,
        kept=Share(int(right.sum()), len(exam)),
        by_phase={name: share(exam.phases == i) for i, name in enumerate(exam.phase_names) if (exam.phases == i).any()},
        by_stake={name: share(exam.values == value) for value, name in STAKES.items()},
        by_difficulty={name: share(exam.difficulties == i) for i, name in enumerate(DIFFICULTIES)},
        by_origin={name: share(exam.origins == i) for i, name in enumerate(exam.origin_names)},
        result_right=None if results is None else Share(int((results == exam.values).sum()), len(exam)),
    )


def exam_table(results: Sequence[ExamResult]) -> str:
    """Players in rows, per cent right in columns: Markdown tables that also read well as they are, each with a line
    that says what it shows."""
    phases = list(dict.fromkeys(name for one in results for name in one.by_phase))
    unit = phases[0].rpartition(" ")[2] if phases else ""
    shared = unit if all(name.endswith(f" {unit}") for name in phases) else ""  # `12 beads` is shown as 12
    whole = [["player", "kept", "95 %", "win", "draw", "result"]]
    by_phase = [["player", *(name.removesuffix(f" {shared}") for name in phases)]]
    by_difficulty = [["player", "up to 1/4", "1/2", "3/4", "more"]]
    for one in results:
        low, high = one.kept.interval
        stakes = [_percent(one.by_stake.get(name)) for name in STAKES.values()]
        interval = f"{100 * low:.1f} to {100 * high:.1f}"
        whole.append([one.player, _percent(one.kept), interval, *stakes, _percent(one.result_right)])
        by_phase.append([one.player, *(_percent(one.by_phase.get(name)) for name in phases)])
        by_difficulty.append([one.player, *(_percent(one.by_difficulty.get(name)) for name in DIFFICULTIES)])
    tables = {
        "Per cent of positions in which the move keeps the exact value: of all, and where\n"
        "a win or a draw is at stake. Last: how often the player names the result.": whole,
        f"The same by phase{f', in {shared}' if shared else ''}.": by_phase,
        "The same by how many of the legal moves keep the value.": by_difficulty,
    }
    return "\n\n".join(f"{words}\n\n{_markdown(rows)}" for words, rows in tables.items() if len(rows[0]) > 1)


def _markdown(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "| "
        + " | ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(pairs))
        + " |"
        for pairs in (list(zip(row, widths, strict=True)) for row in rows)
    ]
    lines.insert(1, "| " + " | ".join("-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)) + " |")
    return "\n".join(lines)


def _percent(share: Share | None) -> str:
    return f"{100 * share.value:.1f}" if share is not None and share.count else "-"
