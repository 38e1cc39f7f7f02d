"""How far a network is behind its own search, in positions that it leads to and in positions from anywhere."""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.exam import Share
from alphadiamond.base.game import Game, States
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.studies.settings import SearchGainSettings, checkpoint_of
from alphadiamond.training.samples import Samples
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.settings import SelfPlaySettings

_TOGETHER = 128  # positions that are searched at once
_ROUNDS = 32  # moves of every game between two looks at how many positions there are


@dataclass(frozen=True)
class Gain:
    """A network beside its search, over positions of one kind."""

    same_move: Share
    """Positions in which the search plays the move that the network likes best."""
    difference: float
    """The mean distance between what the two expect, from 0 to 2."""


def study(settings: SearchGainSettings) -> dict[str, dict[str, Gain]]:
    """Measure every network, print the table and write the figures."""
    from rich.table import Table

    table = Table("network", "positions", "same move", "95 % interval", "values apart by")
    found: dict[str, dict[str, Gain]] = {}
    game = load(settings.game)
    for checkpoint in settings.checkpoints or [""]:
        path = checkpoint_of(checkpoint, game)
        evaluator = Evaluator(load_checkpoint(path, game=game).model, threads=1, cache=1 << 18)
        kinds = {
            "of its own games": _played(evaluator, game, settings),
            "from anywhere": _anywhere(game, settings),
        }
        found[path] = {name: gain(evaluator, game, states, settings.simulations) for name, states in kinds.items()}
        for name, one in found[path].items():
            low, high = one.same_move.interval
            interval = f"{100 * low:.1f} to {100 * high:.1f}"
            share = f"{100 * one.same_move.value:.1f} %"
            table.add_row(checkpoint or "the shipped one", name, share, interval, f"{one.difference:.3f}")
    result_console().print(table)
    figures = {
        path: {name: {"same_move": one.same_move.as_json, "difference": one.difference} for name, one in kinds.items()}
        for path, kinds in found.items()
    }
    write_json(Path(settings.output), {"networks": figures, "settings": asdict(settings)})
    print_written(settings.output)
    return found


def gain(evaluator: Evaluator, game: Game, states: States, simulations: int) -> Gain:
    """What a search of so many simulations changes in a network's mind about these positions."""
    player = NetworkPlayer(evaluator, game, simulations=simulations)
    same, apart = 0, 0.0
    with progress(f"{simulations} simulations", len(states)) as update:
        for start in range(0, len(states), _TOGETHER):
            positions = [game.position_of(state) for state in states[start : start + _TOGETHER]]
            policy, chances = evaluator(game.states_of(positions))  # without a history, as the search sees them
            roots, count = player.search(positions).roots(), len(positions)
            same += int((policy.argmax(axis=1) == roots.chosen_actions[:count]).sum())
            apart += float(np.abs(chances[:, 0] - chances[:, 2] - roots.value[:count]).sum())
            update(start + count, "")
    return Gain(Share(same, len(states)), apart / len(states))


def _played(evaluator: Evaluator, game: Game, settings: SearchGainSettings) -> States:
    """Positions of games that the network plays against itself from the start, every one by its search."""
    plain = SelfPlaySettings(games=64, rounds=_ROUNDS, random_starts=0.0, careful_games=1.0)
    games = SelfPlay(plain, seed=settings.seed, game=game)
    parts: list[Samples] = []
    with progress("games of its own", settings.positions) as update:
        while (made := sum(map(len, parts))) < settings.positions:
            update(made, "")
            samples, _ = games.play(evaluator, iteration=1)
            parts += [samples] if samples is not None else []
    states = Samples.join(parts).states
    return states[np.random.default_rng(settings.seed).permutation(len(states))[: settings.positions]]


def _anywhere(game: Game, settings: SearchGainSettings) -> States:
    rng = np.random.default_rng(settings.seed)
    return np.stack([game.random_start(rng) for _ in range(settings.positions)])
