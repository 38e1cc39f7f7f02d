"""Players that misbehave, by import path."""

import dataclasses
import sys

from alphadiamond.agents import Agent, Analysis
from alphadiamond.agents.base import Stop, never
from alphadiamond.agents.random import RandomAgent
from alphadiamond.games.diamond_chase import Position

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
