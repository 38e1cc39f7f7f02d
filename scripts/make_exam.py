"""Choose the positions of the exam with the help of the tablebase; done once, the result is part of the package."""

from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings.programs import MakeExamSettings


def main(settings: MakeExamSettings) -> None:
    import numpy as np

    from alphadiamond.arena.exam import DIFFICULTIES, STAKES
    from alphadiamond.arena.exam_making import make_exam
    from alphadiamond.base.compiling import announce_compilation
    from alphadiamond.games.diamond_chase.solver import Tablebase

    announce_compilation()
    exam = make_exam(
        Tablebase.load(settings.tablebase), positions=settings.positions, games=settings.games, seed=settings.seed
    )
    exam.save(Path(settings.output))
    print(f"{len(exam)} positions, a random move is right in {100 * exam.good_shares.mean():.1f} % of them")
    for name, numbers in (
        ("beads", {f"{beads}": exam.beads == beads for beads in range(12, 7, -1)}),
        ("stake", {name: exam.values == value for value, name in STAKES.items()}),
        ("difficulty", {name: exam.difficulties == i for i, name in enumerate(DIFFICULTIES)}),
        ("origin", {name: exam.origins == i for i, name in enumerate(exam.origin_names)}),
    ):
        print(f"{name}: " + ", ".join(f"{key} {np.sum(where)}" for key, where in numbers.items()))
    print(f"written to {settings.output}, {Path(settings.output).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    cli.run(main, MakeExamSettings, "make_exam")
