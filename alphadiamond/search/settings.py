"""The numbers of a search."""

from dataclasses import dataclass

from alphadiamond.search.edge_kernels import Rules


@dataclass
class SearchSettings:
    method: str = "puct"
    """puct, or gumbel (sequential halving at the root, policy targets by completed Q-values)."""
    c_puct: float = 1.5
    """PUCT: weight of the prior."""
    c_base: float = 19652.0
    """PUCT: visits at which that weight begins to grow."""
    fpu_reduction: float = 0.25
    """PUCT: how far an unvisited move's value is taken below the node's, times the root of the prior visited."""
    root_fpu_reduction: float = 0.1
    """The same at the root."""
    dirichlet_total: float = 10.0
    """PUCT with noise: sum of the Dirichlet parameters, shared evenly by the legal moves."""
    dirichlet_weight: float = 0.25
    """PUCT with noise: share of the noise in the root's prior."""
    considered: int = 16
    """Gumbel: root moves that sequential halving begins with."""
    c_visit: float = 50.0
    """Gumbel: weight of a completed Q-value before any visit."""
    c_scale: float = 1.0
    """Gumbel: scale of completed Q-values."""
    prove: bool = True
    """Propagate proven wins and losses."""
    leaves: int = 1
    """Leaves of one game that wait for evaluation together; more than 1 suits few games."""

    def __post_init__(self) -> None:
        if self.method not in ("puct", "gumbel"):
            raise ValueError(f"search method {self.method!r}: expected puct or gumbel")
        if self.leaves < 1 or self.considered < 1:
            raise ValueError("leaves and considered must be at least 1")

    def rules(self, repetition_limit: int) -> Rules:
        return Rules(
            gumbel=self.method == "gumbel",
            c_init=self.c_puct,
            c_base=self.c_base,
            fpu_reduction=self.fpu_reduction,
            root_fpu_reduction=self.root_fpu_reduction,
            c_visit=self.c_visit,
            c_scale=self.c_scale,
            prove=self.prove,
            repetition_limit=repetition_limit,
            leaves=self.leaves,
        )
