"""What self-play hands to the learner: one row per searched position, as flat arrays."""

import enum
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

LEFT: Final = "left"
"""The reason of a game that was left before its end."""


@dataclass(frozen=True)
class Samples:
    """B positions with what the search and the end of the game say of them, from the side to move."""

    states: npt.NDArray[np.int64]
    """[B, S] the positions."""
    policy: npt.NDArray[np.float16]
    """[B, A] the policy that the search recommends."""
    value: npt.NDArray[np.float32]
    """[B, 3] win, draw, loss: what this search, the later ones and the end of the game say together."""
    outcome: npt.NDArray[np.int8]
    """[B] how the game ended: 1, 0, -1; of one that was left, how it seemed to."""
    reply: npt.NDArray[np.int16]
    """[B] the opponent's next action, -1 if there was none."""
    survivors: npt.NDArray[np.signedinteger[Any]]
    """[B] which of the pieces here were still there at the end, as a mask of nodes: see `Game.survivors`."""
    iteration: npt.NDArray[np.int32]
    """[B] when it was made."""

    def __len__(self) -> int:
        return len(self.outcome)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def rows(self, index: npt.NDArray[np.int64] | slice) -> "Samples":
        return Samples(**{name: array[index] for name, array in self.arrays().items()})

    @classmethod
    def join(cls, parts: list["Samples"]) -> "Samples":
        """All parts, in order; there must be one."""
        names = parts[0].arrays()
        return cls(**{name: np.concatenate([part.arrays()[name] for part in parts]) for name in names})


class Origin(enum.IntEnum):
    """Where a game of self-play began."""

    OPENING = 0
    """A few random moves from the game's start."""
    RANDOM = 1
    STRATEGY = 2
    REGRET = 3

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class GameSummary:
    """What the reports say of one finished game."""

    plies: int
    winner: int
    """1 if the side that moved first in it won, -1 if the other, 0 for a draw."""
    reason: str
    """proof, left, or one of the game's own endings."""
    origin: Origin
    """Where it began."""

    @property
    def from_start(self) -> bool:
        """Whether it began at the start of the game."""
        return self.origin == Origin.OPENING
