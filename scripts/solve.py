"""Solve Diamond Chase exactly, going on where an interrupted run stopped; or prove the result; or report on it."""

from alphadiamond import cli
from alphadiamond.settings.programs import SolveSettings


def main(settings: SolveSettings) -> None:
    from alphadiamond.games.diamond_chase.solver.solving import run

    run(settings)


if __name__ == "__main__":
    cli.run(main, SolveSettings, "solve")
