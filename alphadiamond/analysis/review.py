"""A whole game: the value after every ply, and the moves that gave value away."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from alphadiamond.agents import Agent, Analysis
from alphadiamond.agents.base import Move, Position
from alphadiamond.analysis.opinions import Exact, Solution
from alphadiamond.base.record import GameRecord

MISTAKE: Final = 0.25
"""Points given away by a move that is marked `?`: half a point always is."""
BLUNDER: Final = 0.75
"""And by one that is marked `??`: a won game turned into a lost one always is."""


@dataclass(frozen=True)
class PlyReview:
    """One move as it was played."""

    number: int
    """Plies before it."""
    before: Position
    move: Move
    after: Position
    best: Move
    """What the judge would have played; what the solution would have, where that tells them apart."""
    value: float
    """The expected result for the mover after the move, by the judge."""
    exact_before: Exact | None
    """For the mover, before the move."""
    exact_after: Exact | None
    """For the mover, after the move."""
    given_away: float
    """Points, 0 to 1: exact where the game is solved, else by the judge's values before and after."""

    @property
    def mark(self) -> str:
        return "??" if self.given_away >= BLUNDER else "?" if self.given_away >= MISTAKE else ""


@dataclass(frozen=True)
class Review:
    record: GameRecord
    judge: str
    solved: bool
    """Whether mistakes are exact."""
    plies: tuple[PlyReview, ...]
    curve: tuple[float, ...]
    """The judge's expected result for the side that moves first in the game, in each position, the last included."""
    exact_curve: tuple[int, ...] | None
    """The same, exactly."""

    @property
    def mistakes(self) -> list[PlyReview]:
        return [ply for ply in self.plies if ply.mark]


def record_title(record: GameRecord) -> str:
    """Who played whom, and how it ended: `Ada (green) – neural (red): draw by repetition`."""
    names = " – ".join(f"{record.player(side)} ({side})" for side in record.game.sides)
    words = {"*": "unfinished", "draw": f"draw by {record.ending}"}
    return f"{names}: {words.get(record.result, f'{record.result} wins by {record.ending}')}"


def review(
    record: GameRecord,
    judge: Agent,
    solution: Solution,
    *,
    update: Callable[[int, str], None] | None = None,
) -> Review:
    """Go through a game; positions are judged in batches where the judge can."""
    positions = list(record.positions())
    going = [position for position in positions if position.outcome is None]
    analyses: list[Analysis] = []
    for first in range(0, len(going), 64):
        analyses += judge.analyse_many(going[first : first + 64])
        if update is not None:
            update(len(analyses), "")
    values = [_value(one.value) for one in analyses] + [_result(one) for one in positions[len(going) :]]
    exacts = [solution.exact(position) for position in positions]
    plies = []
    for number, (before, move, after) in enumerate(zip(positions, record.moves, positions[1:], strict=False)):
        was, now = exacts[number], _turned(exacts[number + 1])
        if solution.known and was is not None and now is not None:
            given_away = max(0, was.value - now.value) / 2
        else:
            given_away = max(0.0, values[number] + values[number + 1]) / 2
        best = analyses[number].best
        if solution.known and given_away:
            best = _keeping(solution, before, analyses[number])
        plies.append(PlyReview(number, before, move, after, best, -values[number + 1], was, now, given_away))
    first_side = record.game.sides[0]
    signs = [1 if position.side is first_side else -1 for position in positions]
    exact_curve = tuple(sign * one.value for sign, one in zip(signs, exacts, strict=True) if one is not None)
    return Review(
        record,
        judge.spec,
        solution.known,
        tuple(plies),
        tuple(sign * value for sign, value in zip(signs, values, strict=True)),
        exact_curve if solution.known else None,
    )


def _keeping(solution: Solution, position: Position, analysis: Analysis) -> Move:
    """The judge's best move among those that keep the exact value."""
    exact = solution.moves(position)
    best = max(one.value for one in exact.values())
    return next(one.move for one in analysis.moves if exact[one.move].value == best)


def _turned(exact: Exact | None) -> Exact | None:
    """The other side's value."""
    return None if exact is None else Exact(-exact.value, exact.distance)


def _result(position: Position) -> float:
    outcome = position.outcome
    assert outcome is not None
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.side else -1.0


def _value(value: float | None) -> float:
    return 0.0 if value is None else value
