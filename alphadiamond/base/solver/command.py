"""The command that solves a game, proves its solution or reports on it."""

import abc
import importlib
import importlib.util
import time
from pathlib import Path
from typing import Any

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.base.game import Game
from alphadiamond.base.solver.settings import SolveSettings
from alphadiamond.console import duration, print_written
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json


class TableSolver(abc.ABC):
    """What the command asks of a game whose solution is made once and kept in a directory."""

    @abc.abstractmethod
    def default_directory(self) -> Path:
        """Where every player looks for the solution."""

    @abc.abstractmethod
    def files(self, directory: Path) -> list[Path]:
        """The files of a finished solution."""

    @abc.abstractmethod
    def solve(self, directory: Path, *, threads: int, resume: bool) -> Any:
        """Solve what is not there yet, and return the table."""

    @abc.abstractmethod
    def prove(self, directory: Path, *, threads: int) -> int:
        """Check every entry against its successors, and return how many there are."""

    @abc.abstractmethod
    def summarise(self, table: Any, *, threads: int) -> dict[str, Any]:
        """Count a table and show the person what there is in it; what is returned goes to summary.json."""

    @abc.abstractmethod
    def report(self, directory: Path, *, threads: int) -> None:
        """Tell more of a finished solution: a game of best play, and how often a random move goes wrong."""


def run(game: Game, settings: SolveSettings) -> None:
    solver = solver_of(game)
    announce_compilation()
    directory = Path(settings.output) if settings.output else solver.default_directory()
    started = time.monotonic()

    def since() -> str:
        return duration(time.monotonic() - started)

    if settings.verify:
        entries = solver.prove(directory, threads=settings.threads)
        print(f"proved: all {entries:,} entries agree with their successors ({since()})")
        return
    if settings.report:
        solver.report(directory, threads=settings.threads)
        return
    table = solver.solve(directory, threads=settings.threads, resume=settings.resume)
    print(f"solved ({since()}); now counting", flush=True)
    summary = solver.summarise(table, threads=settings.threads)
    write_json(directory / "summary.json", summary)
    size = sum(path.stat().st_size for path in solver.files(directory))
    print_written(directory, note=f"{size / 1e6:.0f} MB, {since()} in all")


def solver_of(game: Game) -> TableSolver:
    """The `SOLVER` of the module `solver.main` beside the game's own."""
    package = f"{type(game).__module__.rpartition('.')[0]}.solver"
    if importlib.util.find_spec(package) is None or importlib.util.find_spec(f"{package}.main") is None:
        searching = "its solver searches when it is asked" if game.solution_searches else "it has no solver"
        raise AlphaDiamondError(f"{game.title} is not solved ahead: {game.solving or searching}")
    solver: TableSolver = importlib.import_module(f"{package}.main").SOLVER
    return solver
