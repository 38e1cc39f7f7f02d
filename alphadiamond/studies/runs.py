"""Play training runs against each other: the averaged weights of each run's newest state, as they play themselves.

Pairs of games from random starts, as in the gate. This is how settings are chosen: of runs that had the same CPU time
the stronger one decides. Nothing here looks at exact solutions.
"""

import itertools
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import make_pairings
from alphadiamond.base.game import Game
from alphadiamond.console import print_written, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json
from alphadiamond.games import UNNAMED, load
from alphadiamond.network import Evaluator, Model, ModelConfig, build_model
from alphadiamond.studies.matches import play_match
from alphadiamond.studies.settings import CompareRunsSettings
from alphadiamond.training.rundir import RunDirectory


def compare(settings: CompareRunsSettings) -> None:
    from rich.table import Table

    game = load(settings.game)
    players, described = {}, {}
    for run in settings.runs:
        model, described[run] = _newest(Path(run), game)
        players[run] = NetworkPlayer(Evaluator(model, threads=1, cache=1 << 18), game, simulations=settings.simulations)
    rng = np.random.default_rng(settings.seed)
    matches = []
    table = Table("run", "against", "score", "95 % interval", "pairs won, even, lost")
    for one, two in itertools.combinations(settings.runs, 2):
        pairings = make_pairings(settings.pairs, rng, game=game)
        match = play_match(players[one], players[two], pairings, f"{one} - {two}")
        matches.append({"run": one, "against": two, **asdict(match)})
        table.add_row(one, two, *match.cells)
    console = result_console()
    for run, text in described.items():
        console.print(f"{run}: {text}")
    console.print(table)
    write_json(Path(settings.output), {"runs": described, "matches": matches})
    print_written(settings.output)


def _newest(path: Path, game: Game) -> tuple[Model, str]:
    """The model that a run plays itself with, and how far the run has come."""
    directory = RunDirectory(path)
    states = directory.states()
    if not states:
        raise AlphaDiamondError(f"{path}: no state of a training run is there")
    state = directory.load_state(states[0])
    stored = json.loads((path / "config.json").read_text(encoding="utf-8"))
    if stored.get("game", UNNAMED) != game.name:
        raise AlphaDiamondError(f"{path}: a run of {stored['game']}, not of {game.name}: name it with game=")
    config = ModelConfig(**stored["model"])
    model = build_model(config, game, seed=0)
    model.load_state_dict(state["learner"]["averaged"])
    done = state["progress"]
    minutes = done["seconds"] / 60
    return model, f"{config.kind}, {done['iteration']} iterations, {done['games']:,} games, {minutes:.1f} minutes"
