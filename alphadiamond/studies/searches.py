"""Two ways of searching with the same network, by pairs of games."""

from dataclasses import asdict
from pathlib import Path

import numpy as np

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import count_pairs, make_pairings, play_pairs
from alphadiamond.arena.sequential import score_interval
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.settings.search import SearchSettings
from alphadiamond.studies.settings import CompareSearchesSettings, checkpoint_of

_BATCH = 50  # pairs between two looks at the progress bar


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
        scores: list[float] = []
        with progress(f"{simulations} simulations", settings.pairs) as update:
            for at in range(0, settings.pairs, _BATCH):
                scores += play_pairs(one, other, pairings[at : at + _BATCH])
                update(len(scores), "")
        counts = count_pairs(scores)
        score = sum(scores) / (2 * len(scores))
        low, high = score_interval(counts)
        outcomes = f"{sum(counts[3:])}, {counts[2]}, {sum(counts[:2])}"
        table.add_row(str(simulations), f"{score:.3f}", f"{1 - score:.3f}", f"{low:.3f} to {high:.3f}", outcomes)
        matches.append({"simulations": simulations, "score": score, "interval": [low, high], "pairs": counts})
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
