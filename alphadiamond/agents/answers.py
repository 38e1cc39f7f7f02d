"""What a player thinks as an object of JSON, and back; what a player does not say is left out.

See docs/reference/engine.md.
"""

import functools
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from alphadiamond.agents.base import AgentError, Analysis, Game, Move, MoveAnalysis, Position
from alphadiamond.base.game import played_line
from alphadiamond.errors import AlphaDiamondError

Answer: TypeAlias = dict[str, Any]


class IllegalChoiceError(AgentError):
    """An answer that names a move which cannot be played."""

    def __init__(self, move: str, *, player: str = "") -> None:
        self.move = move if len(move) <= 60 else f"{move[:57]}..."
        super().__init__(f"it has tried an illegal move, {self.move}", player=player)


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
        "margin": one.margin,
        "variation": [str(move) for move in one.variation],
    }
    return {key: value for key, value in said.items() if value is not None}


def _finite(value: float | None) -> float | None:
    """Six digits are enough for reading; JSON knows neither infinity nor NaN."""
    return round(float(value), 6) if value is not None and math.isfinite(value) else None


def position_json(position: Position) -> Answer:
    """Where a game began and what has been played since: the keys by which a query names a position."""
    start, moves = played_line(position)
    return {"position": str(start), "moves": [str(move) for move in moves]}


def best_of(answer: Mapping[str, Any], position: Position) -> Move:
    """The move that an answer names; an AgentError if it names none that is legal."""
    text = answer.get("best")
    for move in position.moves():
        if str(move) == text:
            return move
    if not isinstance(text, str):
        raise AgentError("it has named no move")
    raise IllegalChoiceError(" ".join(text.split()))


def read_analysis(answer: Mapping[str, Any], position: Position, game: Game) -> Analysis:
    """What an answer says of a position. Legal moves that it leaves out come last; an AgentError tells of what cannot
    be read."""
    best = best_of(answer, position)
    legal = {str(move): move for move in position.moves()}
    described = answer.get("moves", [])
    if not isinstance(described, list) or not all(isinstance(one, dict) for one in described):
        raise AgentError("it has described moves by something else than objects")
    found = [_move(one, legal, game) for one in described]
    said = {one.move for one in found}
    if len(said) < len(found):
        raise AgentError("it has described a move twice")
    worst = min((one.score for one in found), default=0.0)
    rest = [move for move in legal.values() if move not in said]
    rest.sort(key=lambda move: move is not best)
    found += [MoveAnalysis(move, score=worst, variation=(move,)) for move in rest]
    return Analysis(
        position,
        best,
        tuple(found),
        _number(answer, "value", most=1.0),
        _chances(answer.get("win_draw_loss")),
        exact=answer.get("exact") is True,
        depth=_count(answer, "depth"),
        simulations=_count(answer, "simulations"),
    )


def _move(one: Mapping[str, Any], legal: Mapping[str, Move], game: Game) -> MoveAnalysis:
    move = legal.get(str(one.get("move")))
    if move is None:
        raise AgentError(f"it has described a move that is not legal, {str(one.get('move'))[:60]!r}")
    value, score = _number(one, "value", most=1.0), _number(one, "score")
    line = one.get("variation")
    texts = line if isinstance(line, list) and line[:1] == [str(move)] else []
    return MoveAnalysis(
        move,
        score=score if score is not None else value or 0.0,
        value=value,
        visits=_count(one, "visits"),
        prior=_number(one, "prior", most=1.0),
        distance=_count(one, "distance"),
        margin=_count(one, "margin"),
        variation=(move, *_line(texts[1:], game)),
    )


def _line(texts: list[Any], game: Game) -> list[Move]:
    """As far as they are moves; whether they are legal is of no matter to anybody but the reader."""
    moves = []
    for text in texts:
        move = _parsed(game, str(text))
        if move is None:
            break
        moves.append(move)
    return moves


@functools.lru_cache(maxsize=4096)
def _parsed(game: Game, text: str) -> Move | None:
    try:
        return game.parse_move(text)
    except AlphaDiamondError:
        return None


def _number(said: Mapping[str, Any], key: str, *, most: float = math.inf) -> float | None:
    value = said.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or abs(value) > most:
        raise AgentError(f"it has said {str(value)[:60]!r} for {key}, which is no such number")
    return float(value)


def _count(said: Mapping[str, Any], key: str) -> int | None:
    value = _number(said, key)
    return None if value is None else int(value)


def _chances(said: Any) -> tuple[float, float, float] | None:
    if said is None:
        return None
    if not isinstance(said, list) or len(said) != 3:
        raise AgentError("it has given chances that are not three numbers")
    win, draw, loss = (_number({"win_draw_loss": one}, "win_draw_loss", most=1.0) or 0.0 for one in said)
    return win, draw, loss
