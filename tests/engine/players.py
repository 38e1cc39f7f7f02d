"""Players that misbehave, by import path."""

import dataclasses
import sys
import time

from alphadiamond.agents import Agent, Analysis
from alphadiamond.agents.base import Stop, never
from alphadiamond.agents.random import RandomAgent
from alphadiamond.games.diamond_chase import Move, Position

HERE = "tests.engine.players"


class Chatty(RandomAgent):
    """Prints where answers go."""

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        print("hello")
        return super().analyse(position, stop=stop)


class Raising(Agent):
    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        raise ZeroDivisionError("on\npurpose")


class Leaving(Agent):
    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        sys.exit(3)


class Speechless(RandomAgent):
    """Says something that has no place in JSON."""

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        found = super().analyse(position, stop=stop)
        return dataclasses.replace(found, value="good")  # type: ignore[arg-type]


class Counting(RandomAgent):
    """Values a position by how often it has been asked since it was reset, and half for a game it was told of."""

    asked = 0

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        self.asked += 1
        return dataclasses.replace(super().analyse(position), value=self.asked / 100)

    def reset(self) -> None:
        self.asked = 0

    def record_result(self, score: float) -> float | None:
        self.asked += round(50 * score)
        return None


class Choosing(RandomAgent):
    """Chooses the last move, whatever it says when it analyses."""

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        return position.moves()[-1]


class Waiting(RandomAgent):
    """Has no limit of its own, and listens."""

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        while not stop():
            time.sleep(0.001)
        return super().choose(position)
