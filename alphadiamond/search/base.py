"""The types of the search: what evaluates positions, the numbers that compiled code takes, and what a search finds."""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import States
from alphadiamond.settings.search import SearchSettings


class EvaluateFn(Protocol):
    """Whatever values positions for the search: a network, a tablebase, a rollout."""

    def __call__(self, states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Policy [B, actions] over the legal moves and win, draw, loss [B, 3] for the side to move."""


class SearchParams(NamedTuple):
    """The numbers of a search, for compiled code; `SearchSettings` documents those that it has."""

    gumbel: bool
    c_init: float
    c_base: float
    fpu_reduction: float
    root_fpu_reduction: float
    c_visit: float
    c_scale: float
    widening: float
    prove: bool
    draws: bool
    """Whether a draw can be proven: in games where nothing recurs, so that a value does not depend on the way there."""
    lookahead: bool
    leaves: int


def params_of(settings: SearchSettings, *, recurs: bool) -> SearchParams:
    """`recurs`: whether positions of the game can come back."""
    return SearchParams(
        gumbel=settings.method == "gumbel",
        c_init=settings.c_puct,
        c_base=settings.c_base,
        fpu_reduction=settings.fpu_reduction,
        root_fpu_reduction=settings.root_fpu_reduction,
        c_visit=settings.c_visit,
        c_scale=settings.c_scale,
        widening=settings.widening,
        prove=settings.prove,
        draws=settings.prove and not recurs,
        lookahead=settings.prove and settings.two_ply_lookahead,
        leaves=settings.leaves,
    )


@dataclass
class Statistics:
    """Where the work went since the search was made."""

    simulations: int = 0
    evaluations: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: {"walk": 0.0, "evaluate": 0.0, "back up": 0.0})


@dataclass(frozen=True)
class Roots:
    """What the search says of each game's root; edges beyond the number of legal moves are zero."""

    moves: npt.NDArray[np.int16]
    """[G] legal moves."""
    actions: npt.NDArray[np.int16]
    """[G, M]"""
    priors: npt.NDArray[np.float32]
    """[G, M]"""
    visits: npt.NDArray[np.int32]
    """[G, M]"""
    values: npt.NDArray[np.float64]
    """[G, M] of each move, for the side to move."""
    policy: npt.NDArray[np.float64]
    """[G, M] what the search recommends, and what a network learns."""
    choice: npt.NDArray[np.int32]
    """[G] the edge to play."""
    value: npt.NDArray[np.float64]
    """[G] of the root: the mean over its simulations, exact where it is proven."""
    draw: npt.NDArray[np.float64]
    """[G] chance of a draw."""
    result: npt.NDArray[np.int8]
    """[G] 1, -1 or, where nothing recurs, 0 where the root is proven, else UNKNOWN."""

    def dense_policy(self, actions: int) -> npt.NDArray[np.float32]:
        """[G, actions] the recommended policy by action."""
        games, moves = self.actions.shape
        dense = np.zeros((games, actions), dtype=np.float32)
        legal = np.arange(moves) < self.moves[:, None]
        rows = np.broadcast_to(np.arange(games)[:, None], legal.shape)
        dense[rows[legal], self.actions[legal]] = self.policy[legal]
        return dense

    @property
    def chosen_actions(self) -> npt.NDArray[np.int16]:
        """[G] the action to play, -1 where there is no root."""
        chosen: npt.NDArray[np.int16] = self.actions[np.arange(len(self.choice)), self.choice]
        return np.where(self.choice >= 0, chosen, np.int16(-1))
