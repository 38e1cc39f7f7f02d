"""Everything that a player can be led into, by sets of positions and nothing else, to compare with."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alphadiamond.agents import Agent
from alphadiamond.base.game import Game


@dataclass
class Listed:
    plies: list[set[Any]] = field(default_factory=list)
    """The positions that first come up after so many own moves, each by the least of its images."""
    ends: Counter[str] = field(default_factory=Counter)


def least_image(game: Game, position: Any) -> tuple[int, ...]:
    """Of all images of a position, history aside."""
    state = game.bare(game.states_of([position]))
    images = (game.images(state, np.array([k])) for k in range(len(game.shape.symmetries)))
    return min(tuple(int(number) for number in image[0]) for image in images)


def listed(game: Game, agent: Agent, start: Any, side: Any, plies: int | None = None) -> Listed:
    found, seen = Listed(), set()

    def bare(position: Any) -> Any:
        return game.position_of(game.bare(game.states_of([position]))[0], position.side)

    def end_of(position: Any) -> str:
        winner = position.outcome.winner
        return "drawn" if winner is None else "won" if winner is side else "lost"

    frontier = [start] if start.side is side else [start.play(move) for move in start.moves()]
    while frontier and (plies is None or len(found.plies) < plies):
        fresh = {least_image(game, position): position for position in frontier}
        fresh = {key: position for key, position in fresh.items() if key not in seen}
        if not fresh:
            break
        seen |= set(fresh)
        found.plies.append(set(fresh))
        frontier = []
        for position in map(bare, fresh.values()):
            after = position.play(agent.choose(position))
            if after.outcome is not None:
                found.ends[end_of(after)] += 1
                continue
            for move in after.moves():
                reply = after.play(move)
                if reply.outcome is not None:
                    found.ends[end_of(reply)] += 1
                else:
                    frontier.append(reply)
    return found
