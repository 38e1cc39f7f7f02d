"""Dame solved: the exact result of every position that its text can say."""

from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.games.dame.solver.solution import DameSolution, default_directory

__all__ = ["DameSolution", "TablebaseError", "default_directory"]
