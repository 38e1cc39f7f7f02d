"""Choose the positions of a game's exam with the help of its solution; done once, the result is part of the game."""

from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings.programs import MakeExamSettings


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
