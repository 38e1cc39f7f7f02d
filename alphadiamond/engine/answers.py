"""Answers as they are written: positions, sides and what a player has found put into words."""

from typing import Any

from alphadiamond.agents.answers import Answer, analysis_json
from alphadiamond.agents.faults import fault_of


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
