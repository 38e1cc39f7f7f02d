"""The exact solution of Connect Four: a search that proves, and an opening book."""

from alphadiamond.games.connect_four.solver.book import Book, BookError
from alphadiamond.games.connect_four.solver.solver import Solver

__all__ = ["Book", "BookError", "Solver"]
