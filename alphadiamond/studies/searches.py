"""Two ways of searching with the same network, by pairs of games."""

from dataclasses import asdict
from pathlib import Path

import numpy as np

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import make_pairings
from alphadiamond.console import print_written, result_console
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.settings.search import SearchSettings
from alphadiamond.studies.matches import play_match
from alphadiamond.studies.settings import CompareSearchesSettings, checkpoint_of


def compare(settings: CompareSearchesSettings) -> list[dict[str, object]]:
    """Play a match for each number of simulations, from the same starts; print the table and write the figures."""
    from rich.table import Table

    game = load(settings.game)
    path = checkpoint_of(settings.checkpoint, game)
    evaluator = Evaluator(load_checkpoint(path, game=game).model, threads=1, cache=1 << 18)
    names = _names(settings.one, settings.other)
    table = Table("simulations", *names, "95 % interval", "pairs won, even, lost")
    matches: list[dict[str, object]] = []
    for simulations in settings.simulations:
        one, other = (
            NetworkPlayer(evaluator, game, simulations=simulations, search=search)
            for search in (settings.one, settings.other)
        )
        rng = np.random.default_rng(settings.seed)
        pairings = make_pairings(settings.pairs, rng, placements=settings.placements, game=game)
        match = play_match(one, other, pairings, f"{simulations} simulations")
        score, *rest = match.cells
        table.add_row(str(simulations), score, f"{1 - match.score:.3f}", *rest)
        matches.append({"simulations": simulations, **asdict(match)})
    result_console().print(table)
    figures = {"checkpoint": str(path), "sides": names, "matches": matches, "settings": asdict(settings)}
    write_json(Path(settings.output), figures)
    print_written(settings.output)
    return matches


def _names(one: SearchSettings, other: SearchSettings) -> list[str]:
    """What to call the sides: by their methods, and by what else they differ in."""
    mine, theirs = asdict(one), asdict(other)
    differing = [key for key in mine if mine[key] != theirs[key] and key != "method"]

    def name(side: dict[str, object]) -> str:
        return ", ".join([str(side["method"]), *(f"{key}={side[key]}" for key in differing)])

    return [name(mine), name(theirs)]
