"""The solution as players ask it: a mapped table, made on the first use."""

import functools
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import ILLEGAL, States
from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.files import data_directory
from alphadiamond.games.dame.position import Position
from alphadiamond.games.dame.solver import kernels
from alphadiamond.games.dame.solver.kernels import Table
from alphadiamond.games.dame.solver.table_builder import solve
from alphadiamond.games.dame.solver.table_file import NAME, map_table, write_table


def default_directory() -> Path:
    """Where the solution is kept."""
    return data_directory() / "dame"


class DameSolution:
    """The exact result of every position; `alphadiamond.base.game.Solution` says how it is asked."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @classmethod
    def load(cls, directory: Path | None = None) -> "DameSolution":
        """Map the file, by default the one in the user's data directory."""
        return cls(map_table((directory or default_directory()) / NAME))

    @classmethod
    def load_or_solve(cls, directory: Path | None = None, *, threads: int = 0) -> "DameSolution":
        """Map the file; where there is none, or a damaged one, solve the game, which takes seconds, and keep it."""
        path = (directory or default_directory()) / NAME
        found = map_whole(path)
        if found is not None:
            return cls(found)
        table = solve(threads=threads)
        try:
            write_table(path, table)
        except TablebaseError as error:
            print(f"{error}, so it is made anew each time", file=sys.stderr, flush=True)
            table.flags.writeable = False
            return cls(table)
        return cls(map_table(path))

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, plies, wrong = kernels.look_up(self.table, states)
        _require_positions(states, wrong)
        return values, plies

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, plies, wrong = kernels.look_up_actions(self.table, states, ILLEGAL)
        _require_positions(states, wrong)
        return values, plies

    def result(self, position: Position) -> tuple[int, int]:
        """(1 won or -1 lost for the side to move, plies to the end)."""
        values, plies = self.values(np.array([[position.own, position.opp, 1]], dtype=np.int64))
        return int(values[0]), int(plies[0])


def map_whole(path: Path) -> Table | None:
    """Like `map_table`; None where there is no file, or a damaged one, of which the person is told."""
    if not path.exists():
        return None
    try:
        return map_table(path)
    except TablebaseError as error:
        print(f"{error.reason}; so it is made anew now", file=sys.stderr, flush=True)
        return None


@functools.cache
def shared() -> DameSolution:
    """The one that all players of this process ask."""
    return DameSolution.load_or_solve()


def _require_positions(states: States, wrong: int) -> None:
    if wrong >= 0:
        raise TablebaseError(f"own {states[wrong, 0]}, opp {states[wrong, 1]}: no position of Dame")
