"""Solve a game exactly, going on where an interrupted run stopped; or prove the result; or report on it."""

import importlib
import importlib.util

from alphadiamond import cli
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.programs import SolveSettings


def main(settings: SolveSettings) -> None:
    from alphadiamond.games import load

    game = load(settings.game)
    package = type(game).__module__.rpartition(".")[0]
    solver = f"{package}.solver.main"
    if importlib.util.find_spec(f"{package}.solver") is None or importlib.util.find_spec(solver) is None:
        raise AlphaDiamondError(f"{game.title} is not solved ahead; {game.solving or 'it has no solver'}")
    importlib.import_module(solver).run(settings)


if __name__ == "__main__":
    cli.run(main, SolveSettings, "solve")
