"""One position: what each player thinks of it, and what is true of it where the game is solved."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.agents import Agent, Analysis, MoveAnalysis, make_agent, players_of
from alphadiamond.agents.base import Game, Move, Position
from alphadiamond.errors import AlphaDiamondError

SOLVED: Final = "perfect"
"""The player who knows the exact value of every position, where there is one."""
_LONGEST: Final = 200  # plies of a best line; drawn ones would go round until the rules end them


@dataclass(frozen=True)
class Exact:
    """A proven value for the side to move."""

    value: int
    """1, 0 or -1."""
    distance: int | None = None
    """Plies to the end under best play; None for draws."""
    margin: int | None = None
    """By how much, where games are won by a margin."""

    def __str__(self) -> str:
        if self.value == 0:
            return "draw"
        word = "win" if self.value > 0 else "loss"
        return f"{word} in {self.distance}" if self.margin is None else f"{word} by {abs(self.margin)}"


@dataclass(frozen=True)
class Opinion:
    """What one player says, or why it says nothing."""

    player: str
    analysis: Analysis | None = None
    seconds: float = 0.0
    fault: str = ""


def ask_players(
    position: Position, players: Sequence[str] = (), *, game: Game, seed: int | None = None
) -> Iterator[Opinion]:
    """Each player's opinion, as soon as it has one; without names, that of every player of the game."""
    for spec in players or players_of(game):
        try:
            agent = make_agent(spec, game=game, seed=seed)
        except AlphaDiamondError as error:
            if players and spec != SOLVED:
                raise  # a name that somebody wrote is to be right
            yield Opinion(spec, fault=str(error).removeprefix(f"player {spec!r}: "))
            continue
        began = time.perf_counter()
        analysis = agent.analyse(position)
        yield Opinion(spec, analysis, time.perf_counter() - began)


class Solution:
    """Exact values, from the player who knows them; where there is none, everything is unknown."""

    def __init__(self, player: Agent | None) -> None:
        self._player = player

    @classmethod
    def find(cls, game: Game) -> "Solution":
        try:
            return cls(make_agent(SOLVED, game=game, seed=0))
        except AlphaDiamondError:
            return cls(None)

    @property
    def known(self) -> bool:
        return self._player is not None

    def exact(self, position: Position) -> Exact | None:
        """The value of a position for its side to move; of a finished game it is the result."""
        outcome = position.outcome
        if outcome is not None:
            if outcome.winner is None:
                return Exact(0)
            return Exact(1 if outcome.winner is position.side else -1, 0)
        if self._player is None:
            return None
        return _exact(self._player.analyse(position).moves[0])

    def moves(self, position: Position) -> dict[Move, Exact]:
        """Every legal move with its exact value, best first; empty where nothing is known."""
        if self._player is None or position.outcome is not None:
            return {}
        found = self._player.analyse(position).moves
        return {one.move: _exact(one) for one in found}

    def line(self, position: Position, first: Move | None = None) -> tuple[Move, ...]:
        """Best play to the end of a decided game, after `first` where it is given; a draw has no such end."""
        exact = self.exact(position)
        line: list[Move] = []
        if exact is None or exact.value == 0 or self._player is None:
            return ()
        while position.outcome is None and len(line) < _LONGEST:
            line.append(first if first is not None and not line else self._player.choose(position))
            position = position.play(line[-1])
        return tuple(line)


def _exact(one: MoveAnalysis) -> Exact:
    return Exact(round(one.value or 0.0), one.distance, one.margin)


def best_line(opinions: Sequence[Opinion], solution: Solution, position: Position) -> tuple[str, tuple[Move, ...]]:
    """The best line that is known and who says so: the exact one, or the longest of the first player with one."""
    # Several moves may be best: the line goes on from the one that the table beside it names.
    named = next((one.analysis.best for one in opinions if one.player == SOLVED and one.analysis is not None), None)
    if line := solution.line(position, named):
        return SOLVED, line
    for opinion in opinions:
        if opinion.analysis is not None and len(opinion.analysis.moves[0].variation) > 1:
            return opinion.player, opinion.analysis.moves[0].variation
    return "", ()


def line_text(position: Position, line: Sequence[Move], *, limit: int | None = None) -> str:
    """A line as a record writes it, without its numbers."""
    shown = [str(move) for move in line[:limit]]
    return " ".join(shown) + (" ..." if limit is not None and len(line) > limit else "")


def exact_json(exact: Exact | None) -> dict[str, Any] | None:
    return None if exact is None else {"value": exact.value, "distance": exact.distance, "margin": exact.margin}
