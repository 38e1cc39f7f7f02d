"""The numbers of a search."""

from dataclasses import dataclass, field
from typing import Final

from alphadiamond.settings.ranges import at_least, between, one_of, setting
from alphadiamond.settings.renames import FORMERLY

METHODS: Final = ("puct", "gumbel")


@dataclass
class SearchSettings:
    method: str = setting("puct", one_of(*METHODS))
    """puct, or gumbel (sequential halving at the root, policy targets by completed Q-values)."""
    c_puct: float = setting(1.5, between(0, 100))
    """PUCT: weight of the prior."""
    c_base: float = setting(19652.0, between(1, 1e15))
    """PUCT: visits at which that weight begins to grow."""
    fpu_reduction: float = setting(0.25, between(0, 2))
    """PUCT: how far an unvisited move's value is taken below the node's, times the root of the prior visited."""
    root_fpu_reduction: float = setting(0.1, between(0, 2))
    """The same at the root."""
    dirichlet_total: float = setting(10.0, between(0.001, 1e6))
    """PUCT with noise: sum of the Dirichlet parameters, shared evenly by the legal moves."""
    dirichlet_weight: float = setting(0.25, between(0, 1))
    """PUCT with noise: share of the noise in the root's prior."""
    considered: int = setting(16, at_least(1))
    """Gumbel: root moves that sequential halving begins with, as far as there are so many."""
    c_visit: float = setting(50.0, between(0, 1e6))
    """Gumbel: weight of a completed Q-value before any visit."""
    c_scale: float = setting(1.0, between(0, 1e3))
    """Gumbel: scale of completed Q-values."""
    widening: float = setting(0.0, between(0, 1e3))
    """Gumbel: below the root, moves that are tried at least, as a multiple of the square root of a node's visits."""
    prove: bool = True
    """Propagate proven wins and losses."""
    two_ply_lookahead: bool = field(default=True, metadata={FORMERLY: "foresee"})
    """With `prove`: look two plies ahead at every leaf, so that a win at once, or a loss to one, is known there."""
    leaves: int = setting(1, between(1, 1024))
    """Leaves of one game that wait for evaluation together; more than 1 suits few games."""
