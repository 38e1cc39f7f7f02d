"""Players of proofs: functions of the position that need no network, and one that is none."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from alphadiamond.agents import Agent, Analysis
from alphadiamond.agents.base import Stop, never
from alphadiamond.agents.positional import answers_on_canonical_boards
from alphadiamond.base.game import States

HERE = "tests.proof.players"


class Ranked(Agent):
    """Plays the legal move that a fixed shuffle of all moves has first; symmetric positions get symmetric moves."""

    positional = True

    def __init__(self, *, shuffle: int = 1) -> None:
        self._shuffle = shuffle

    def analyse(self, position: Any, *, stop: Stop = never) -> Analysis:
        found = self.answer_states(self.game.states_of([position]))
        return Analysis(position, self.game.move_of(int(found[0][0]), position.side), ())

    def answer_states(self, states: States) -> Any:
        return answers_on_canonical_boards(self.game, states, self._answers)

    def _answers(self, states: States) -> Any:
        ranks = np.random.default_rng(self._shuffle).permutation(self.game.actions)
        legal = self.game.legal(states)
        return np.where(legal, ranks, self.game.actions).argmin(axis=1), np.full((len(states), 3), 1 / 3)


class Noted(Ranked):
    """The same, and notes in a file whatever it is asked."""

    def __init__(self, *, file: str) -> None:
        super().__init__(shuffle=1)
        self._file = Path(file)

    def answer_states(self, states: States) -> Any:
        with self._file.open("a") as file:
            for state in states:
                file.write(f"{os.getpid()} {' '.join(map(str, state))}\n")
        return super().answer_states(states)


class Moody(Ranked):
    """Says that it is a function of the position, and is none."""

    def answer_states(self, states: States) -> Any:
        self._shuffle += 1
        return super().answer_states(states)
