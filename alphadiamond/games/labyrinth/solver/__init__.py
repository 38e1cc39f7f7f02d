"""The exact solution of any maze."""

from alphadiamond.games.labyrinth.solver.solution import LabyrinthSolution, SolvedMaze

__all__ = ["LabyrinthSolution", "SolvedMaze"]
