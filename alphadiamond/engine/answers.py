"""What a player thinks, as an object of JSON; what a player does not say is left out."""

import math
from typing import Any, TypeAlias

from alphadiamond.agents import Analysis, MoveAnalysis
from alphadiamond.games.diamond_chase import Position

Answer: TypeAlias = dict[str, Any]


def analysis_json(analysis: Analysis, *, top: int | None = None) -> Answer:
    """The position as a whole and its moves, best first; values are from the side to move."""
    chances = analysis.win_draw_loss
    return _said(
        best=str(analysis.best),
        value=_finite(analysis.value),
        win_draw_loss=[_finite(chance) for chance in chances] if chances is not None else None,
        exact=analysis.exact,
        depth=analysis.depth,
        simulations=analysis.simulations,
        moves=[move_json(one) for one in analysis.moves[:top]],
    )


def move_json(one: MoveAnalysis) -> Answer:
    return _said(
        move=str(one.move),
        score=_finite(one.score),
        value=_finite(one.value),
        visits=one.visits,
        prior=_finite(one.prior),
        distance=one.distance,
        variation=[str(move) for move in one.variation],
    )


def in_words(answer: Answer) -> Answer:
    """An answer with its analysis, if it has one, as JSON knows it."""
    if "analysis" not in answer:
        return answer
    head = {key: value for key, value in answer.items() if key not in ("analysis", "top")}
    return {**head, **analysis_json(answer["analysis"], top=answer["top"])}


def outcome_json(position: Position) -> Answer:
    """A position in which the game is over."""
    outcome = position.outcome
    assert outcome is not None
    value = 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.side else -1.0
    winner = None if outcome.winner is None else str(outcome.winner)
    return {"over": str(outcome), "winner": winner, "value": value, "exact": True, "moves": []}


def _said(**values: Any) -> Answer:
    return {key: value for key, value in values.items() if value is not None}


def _finite(value: float | None) -> float | None:
    """Six digits are enough for reading; JSON knows neither infinity nor NaN."""
    return round(float(value), 6) if value is not None and math.isfinite(value) else None
