"""One game between two players in this process, with the time each move took."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alphadiamond.agents import Agent, AgentError
from alphadiamond.agents.answers import IllegalChoiceError
from alphadiamond.agents.base import Stop, never
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError

WARNING_SHARE = 0.9
"""The share of a move's time after which a player who listens is asked to answer."""


class ArenaError(AlphaDiamondError, ValueError):
    """A match that cannot be played like this."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game and how long its moves took."""

    record: Any
    seconds: tuple[float, ...] = ()
    """Thinking time turn by turn; the turn that lost by forfeit is the last."""

    def seconds_of(self, side: Any) -> tuple[float, ...]:
        first = 0 if self.record.start.side == side else 1
        return self.seconds[first::2]


def play_game(
    first: Agent,
    second: Agent,
    start: Any,
    *,
    names: tuple[str, str] | None = None,
    move_seconds: float | None = None,
    on_turn: Callable[[Any, tuple[Any, ...]], None] | None = None,
    stop: Stop = never,
    date: str = "",
    tags: dict[str, str] | None = None,
    game: Game,
) -> PlayedGame:
    """Play to the end by the rules, or until a player forfeits; the first named has the side that moves first.

    A player who raises, plays an illegal move or takes longer than `move_seconds` loses, and so does another program
    that hangs, dies or answers nonsense; the record's ending is `error: ...`, `illegal move: ...` or `time`. A player
    who listens to its `stop` is told to answer when nine tenths of the time are gone. `on_turn` is called before each
    move with the position and the moves so far. When `stop` says so, the game ends unfinished.
    """
    game.check_position(start)
    for agent in (first, second):
        if getattr(agent, "game", game) != game:  # a player of any game has none of its own
            raise ArenaError(f"{agent.spec or type(agent).__name__} plays {agent.game.title}, not {game.title}")
    position = start
    moves: list[Any] = []
    seconds: list[float] = []
    result = ending = None
    while position.outcome is None and not stop():
        if on_turn is not None:
            on_turn(position, tuple(moves))
        agent = (first, second)[int(position.side)]
        began = time.perf_counter()
        move, fault = _ask(agent, position, move_seconds, stop)
        seconds.append(time.perf_counter() - began)
        if stop():  # the answer, if any, is a hurried one
            break
        if fault is None and move_seconds is not None and seconds[-1] > move_seconds:
            fault = "time"
        if fault is None and move not in position.moves():
            fault = f"illegal move: {_one_line(move)}"
        if fault is not None:
            result, ending = str(position.side.other), fault
            break
        moves.append(move)
        position = position.play(move)
    names = names or (first.spec or type(first).__name__, second.spec or type(second).__name__)
    record = game.record(start, moves, players=names, result=result, ending=ending, date=date, tags=tags)
    return PlayedGame(record, tuple(seconds))


def _ask(agent: Agent, position: Any, move_seconds: float | None, stop: Stop) -> tuple[object, str | None]:
    """What the player answers, or how it failed."""
    listen = stop
    if move_seconds is not None:
        warning = time.perf_counter() + WARNING_SHARE * move_seconds

        def listen() -> bool:
            return stop() or time.perf_counter() >= warning

    try:
        return agent.choose(position, stop=listen), None
    except IllegalChoiceError as error:
        return None, f"illegal move: {error.move}"
    except AgentError as error:
        return None, f"error: {_one_line(error.reason)}"
    except Exception as error:  # whatever a player does, the match goes on
        return None, f"error: {_one_line(f'{type(error).__name__}: {error}')}"


def _one_line(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:197]}..."
