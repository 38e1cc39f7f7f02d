"""What a player thinks, as an object of JSON; what a player does not say is left out."""

import math
from typing import Any, TypeAlias

from alphadiamond.agents import Analysis, MoveAnalysis
from alphadiamond.engine.faults import fault_of

Answer: TypeAlias = dict[str, Any]


def analysis_json(analysis: Analysis, *, top: int | None = None) -> Answer:
    """The position as a whole and its moves, best first; values are from the side to move."""
    chances = analysis.win_draw_loss
    said: Answer = {
        "best": str(analysis.best),
        "value": _finite(analysis.value),
        "win_draw_loss": [_finite(chance) for chance in chances] if chances is not None else None,
        "exact": analysis.exact,
        "depth": analysis.depth,
        "simulations": analysis.simulations,
        "moves": [move_json(one) for one in analysis.moves[:top]],
    }
    return {key: value for key, value in said.items() if value is not None}


def move_json(one: MoveAnalysis) -> Answer:
    said: Answer = {
        "move": str(one.move),
        "score": _finite(one.score),
        "value": _finite(one.value),
        "visits": one.visits,
        "prior": _finite(one.prior),
        "distance": one.distance,
        "variation": [str(move) for move in one.variation],
    }
    return {key: value for key, value in said.items() if value is not None}


def in_words(answer: Answer) -> Answer:
    """An answer as JSON knows it: with texts for the position and its side and, if something was found, with that; an
    error if that cannot be said."""
    if "position" not in answer:
        return answer
    words = answer | {"position": str(answer["position"]), "side": str(answer["side"])}
    if "finding" not in words:
        return words
    finding, top = words.pop("finding"), words.pop("top")
    try:
        return words | analysis_json(finding(), top=top)
    except Exception as error:  # a player may say anything; the answer is owed all the same
        return {"id": answer["id"], "turn": answer["turn"], "error": fault_of(error)}


def outcome_json(position: Any) -> Answer:
    """A position in which the game is over."""
    outcome = position.outcome
    assert outcome is not None
    value = 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.side else -1.0
    winner = None if outcome.winner is None else str(outcome.winner)
    return {"over": str(outcome), "winner": winner, "value": value, "exact": True, "moves": []}


def _finite(value: float | None) -> float | None:
    """Six digits are enough for reading; JSON knows neither infinity nor NaN."""
    return round(float(value), 6) if value is not None and math.isfinite(value) else None
