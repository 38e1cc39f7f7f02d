"""Dame solved: the exact result of every position that its text can say."""

from alphadiamond.games.dame.solver.solution import DameSolution, default_directory
from alphadiamond.games.dame.solver.table_file import SolutionError

__all__ = ["DameSolution", "SolutionError", "default_directory"]
