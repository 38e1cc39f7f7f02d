"""Solving Diamond Chase by command: it goes on where an interrupted run stopped."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.command import TableSolver
from alphadiamond.base.solver.report import Stakes, best_line
from alphadiamond.console import result_console
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase, default_directory
from alphadiamond.games.diamond_chase.solver.proof import prove
from alphadiamond.games.diamond_chase.solver.report import stakes
from alphadiamond.games.diamond_chase.solver.retrograde import load_table, solve
from alphadiamond.games.diamond_chase.solver.summary import Summary, layer_summary, summarise

_RESULTS: Final = {1: "win", 0: "draw", -1: "loss"}


class DiamondChaseSolver(TableSolver):
    def default_directory(self) -> Path:
        return default_directory()

    def files(self, directory: Path) -> list[Path]:
        return [layer.path(directory) for layer in LAYERS]

    def solve(self, directory: Path, *, threads: int, resume: bool) -> npt.NDArray[np.uint8]:
        return solve(directory, threads=threads, resume=resume)

    def prove(self, directory: Path, *, threads: int) -> int:
        return prove(load_table(directory), threads=threads)

    def summarise(self, table: npt.NDArray[np.uint8], *, threads: int) -> dict[str, Any]:
        summary = summarise(table, threads=threads)
        _show(summary)
        return summary.as_json

    def report(self, directory: Path, *, threads: int) -> None:
        table = load_table(directory)
        layer = max(LAYERS, key=lambda layer: layer_summary(table, layer, quiet=0).longest_win)
        longest = layer_summary(table, layer, quiet=0)
        start = Position.parse(str(longest.longest_win_position))
        print(f"the longest win takes {longest.longest_win} plies, for example\n")
        moves = best_line(GAME, Tablebase.load(directory), start)
        print(GAME.record(start, moves, players=("perfect", "perfect")))
        _show_stakes(table, threads)


SOLVER: Final = DiamondChaseSolver()


def _show(summary: Summary) -> None:
    from rich.table import Table

    table = Table("own", "opp", "positions", "win", "draw", "loss", "longest", "quiet")
    for layer in summary.layers:
        counts = (f"{count:,}" for count in (layer.positions, layer.win, layer.draw, layer.loss))
        table.add_row(str(layer.own), str(layer.opp), *counts, str(layer.longest), str(layer.longest_quiet))
    result_console().print(table)
    print(f"the start is a {_RESULTS[summary.start_value]} for the side to move")
    print(
        f"on the way to a win at most {summary.longest_quiet} quiet plies follow each other, "
        f"and {summary.quiet_limit} make a draw"
    )


def _show_stakes(table: npt.NDArray[np.uint8], threads: int) -> None:
    from rich.table import Table

    found = stakes(table, threads=threads)
    rows = [(layer.name, value, one) for (layer, value), one in found.items()]
    rows += [("all", value, Stakes.over(one for (_, of), one in found.items() if of == value)) for value in (1, 0)]
    shown = Table("layer", "value", "positions", "wrong by chance", "at stake", "only one move")
    for name, value, one in rows:
        shown.add_row(name, _RESULTS[value], f"{one.positions:,}", *(f"{100 * share:.1f} %" for share in one.shares))
    result_console().print(shown)
