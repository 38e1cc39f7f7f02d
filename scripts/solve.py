"""Solve a game exactly, going on where an interrupted run stopped; or prove the result; or report on it."""

from alphadiamond import cli
from alphadiamond.base.solver.settings import SolveSettings


def main(settings: SolveSettings) -> None:
    from alphadiamond.base.solver.command import run
    from alphadiamond.games import load

    run(load(settings.game), settings)


if __name__ == "__main__":
    cli.run(main, SolveSettings, "solve")
