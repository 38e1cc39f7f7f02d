"""Solving Dame by command: once, in seconds."""

from pathlib import Path
from typing import Any, Final

from alphadiamond.base.solver.command import TableSolver
from alphadiamond.base.solver.report import best_line
from alphadiamond.games.dame.game import GAME
from alphadiamond.games.dame.position import Position
from alphadiamond.games.dame.solver.kernels import Table
from alphadiamond.games.dame.solver.solution import DameSolution, default_directory, map_whole
from alphadiamond.games.dame.solver.summary import Summary, longest_game, stakes, summarise
from alphadiamond.games.dame.solver.table_builder import prove, solve
from alphadiamond.games.dame.solver.table_file import NAME, map_table, write_table


class DameSolver(TableSolver):
    def default_directory(self) -> Path:
        return default_directory()

    def files(self, directory: Path) -> list[Path]:
        return [directory / NAME]

    def solve(self, directory: Path, *, threads: int, resume: bool) -> Table:
        path = directory / NAME
        found = map_whole(path) if resume else None
        if found is not None:
            print(f"{path} is there and whole; resume=false solves it again")
            return found
        write_table(path, solve(threads=threads))
        return map_table(path)

    def prove(self, directory: Path, *, threads: int) -> int:
        return prove(map_table(directory / NAME), threads=threads)

    def summarise(self, table: Table, *, threads: int) -> dict[str, Any]:
        summary = summarise(table)
        _show(summary)
        return summary.as_json

    def report(self, directory: Path, *, threads: int) -> None:
        solution = DameSolution.load(directory)
        start = Position.start()
        print(f"best play from the start: {' '.join(str(move) for move in best_line(GAME, solution, start))}")
        for move in start.moves():
            value, plies = solution.result(start.play(move))
            print(f"{move}: {'wins' if value < 0 else 'loses'} in {plies + 1} plies")
        found = stakes(solution.table, threads=threads)
        print(
            f"of {found.positions:,} won positions that can occur some move throws the win away in "
            f"{100 * found.at_stake:.1f} %, all but one of several in {100 * found.only_move:.1f} %; "
            f"a random move does in {100 * found.wrong:.1f} %"
        )
        print(f"the longest game from the start has {longest_game(threads=threads)} plies")


SOLVER: Final = DameSolver()


def _show(summary: Summary) -> None:
    winner = "white" if summary.start_value > 0 else "black"
    print(f"{winner} wins from the start, in {summary.start_plies} plies if both sides play best")
    print(
        f"{summary.occurring:,} positions can occur: in {summary.going_on:,} the game goes on, "
        f"in {summary.finished:,} it is over"
    )
    print(
        f"{summary.entries:,} positions solved, all that the rules allow: {summary.won:,} won and "
        f"{summary.lost:,} lost for the side to move, the longest win in {summary.longest_win} plies"
    )
