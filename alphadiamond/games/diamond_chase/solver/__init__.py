"""The game solved: retrograde analysis, and the tablebase that it fills."""

from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer, TablebaseError
from alphadiamond.games.diamond_chase.solver.lookup_kernels import ILLEGAL
from alphadiamond.games.diamond_chase.solver.tablebase import Probe, Tablebase, default_directory

__all__ = ["ILLEGAL", "LAYERS", "Layer", "Probe", "Tablebase", "TablebaseError", "default_directory"]
