"""The game solved: retrograde analysis, and the tablebase that it fills."""

from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer
from alphadiamond.games.diamond_chase.solver.tablebase import Probe, Tablebase, default_directory

__all__ = ["LAYERS", "Layer", "Probe", "Tablebase", "TablebaseError", "default_directory"]
