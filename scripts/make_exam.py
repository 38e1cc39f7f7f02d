"""Choose the positions of a game's exam with the help of its solution; done once, the result is part of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings import between, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import A_SOLUTION, OUTPUT_FILE
from alphadiamond.settings.ranges import SEED, or_empty


@dataclass
class MakeExamSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Whose exam it is."""
    output: str = setting("", or_empty(OUTPUT_FILE, "alphadiamond/games/GAME/data/exam.npz"))
    """Where the exam goes; empty for where the game keeps it."""
    overwrite: bool = False
    """Replace an exam that is there already."""
    positions: int = setting(12000, between(1, 1_000_000))
    """How many positions to choose."""
    games: int = setting(2000, between(1, 1_000_000))
    """Games of each kind of play to choose them from."""
    seed: int = setting(20, SEED)
    """The same seed chooses the same positions."""
    sets: bool = False
    """Choose sets by discs on the board and plies to the end instead, so many positions of each, as benchmarks of
    solvers have them (Connect Four)."""
    tablebase: str | None = setting(None, A_SOLUTION)
    """The directory of the tablebase; the user's data directory if not given."""

    @property
    def path(self) -> Path:
        return Path(self.output or f"alphadiamond/games/{self.game}/data/{'sets' if self.sets else 'exam'}.npz")

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.path.exists() and not self.overwrite:
            yield "output", f"{self.path} is there already: name another file, or replace it with overwrite=true"


def main(settings: MakeExamSettings) -> None:
    import numpy as np

    from alphadiamond.arena.exam import DIFFICULTIES, STAKES
    from alphadiamond.arena.exam_builder import make_exam, make_sets
    from alphadiamond.base.compilation import announce_compilation
    from alphadiamond.console import print_written
    from alphadiamond.games import load, solution_of

    announce_compilation()
    game = load(settings.game)
    if settings.sets:
        exam = make_sets(game, positions=settings.positions, seed=settings.seed)
    else:
        solution = solution_of(game, settings.tablebase)
        exam = make_exam(game, solution, positions=settings.positions, games=settings.games, seed=settings.seed)
    output = settings.path
    exam.save(output)
    print(f"{len(exam)} positions, a random move is right in {100 * exam.good_shares.mean():.1f} % of them")
    for name, numbers in (
        ("phase", {name: exam.phases == i for i, name in enumerate(exam.phase_names)}),
        ("stake", {name: exam.values == value for value, name in STAKES.items()}),
        ("difficulty", {name: exam.difficulties == i for i, name in enumerate(DIFFICULTIES)}),
        ("origin", {name: exam.origins == i for i, name in enumerate(exam.origin_names)}),
    ):
        print(f"{name}: " + ", ".join(f"{key} {np.sum(where)}" for key, where in numbers.items()))
    print_written(output, note=f"{Path(output).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    cli.run(main, MakeExamSettings, "make_exam")
