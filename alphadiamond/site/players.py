"""Whom one can play without a server: the network at five strengths, its childhood, and who knows the truth."""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from alphadiamond.base.game import Game
from alphadiamond.network import read_metadata
from alphadiamond.resources import champion_of


class Strength(NamedTuple):
    name: str
    title: str
    simulations: int
    """0: the bare policy."""
    slips: float = 0.0
    """The share of moves that are random; a win in one is never missed."""
    temperature: float = 0.0
    """Moves are drawn from the policy to the power of 1 / temperature; 0: the best one is played."""


STRENGTHS: Final = (
    Strength("@first-tries", "First tries", 0, slips=0.5, temperature=1.5),
    Strength("@beginner", "Beginner", 0, slips=0.15, temperature=1.0),
    Strength("@intuition", "Intuition (no search)", 0),
    Strength("@strong", "Strong (32 simulations)", 32),
    Strength("@champion", "Champion (1,200 simulations)", 1200),
)
SOLVED: Final = {
    "connect_four": "Solver (from 14 discs on)",
    "dame": "Perfect",
    "labyrinth": "Perfect",
}
"""Games whose solver runs in a browser, and what it is called."""
_SNAPSHOT: Final = re.compile(r"iteration-0*(\d+)\.safetensors")


def snapshots(game: Game) -> dict[int, Path]:
    """The networks of a run's earlier iterations that are shipped beside its champion, by iteration."""
    found = {}
    for path in sorted(champion_of(game).parent.glob("iteration-*.safetensors")):
        if match := _SNAPSHOT.fullmatch(path.name):
            found[int(match[1])] = path
    return dict(sorted(found.items()))


def network_path(game: Game, iteration: int | None = None) -> str:
    """Where a network lies in the site."""
    return f"networks/{game.name}.bin" if iteration is None else f"networks/{game.name}-{iteration}.bin"


def _through_training(game: Game) -> dict[int, str]:
    """Where the networks of a slider through training lie, by iteration: snapshots, and the champion at the end."""
    found = {iteration: network_path(game, iteration) for iteration in snapshots(game)}
    if found and (last := read_metadata(champion_of(game)).extra.get("iteration")):
        found[int(last)] = network_path(game)
    return found


def players_of(game: Game) -> list[dict[str, Any]]:
    """As the page's `bots`, the weakest first, with what the engine needs to play them; no rating is known of any.

    Without a network they go by the rules' own estimate."""
    network = network_path(game) if champion_of(game).exists() else None
    found: list[dict[str, Any]] = [
        {
            "name": one.name,
            "title": one.title,
            "network": network,
            "simulations": one.simulations,
            "slips": one.slips,
            "temperature": one.temperature,
            "usual": one.name == "@intuition",
        }
        for one in STRENGTHS
    ]
    for iteration, place in _through_training(game).items():
        title = f"After {iteration} iteration{'s' if iteration > 1 else ''}"
        found.append(
            {
                "name": f"@iteration-{iteration}",
                "title": title,
                "network": place,
                "simulations": 32,
                "iteration": iteration,
            }
        )
    if game.name in SOLVED:
        name = "@solver" if game.solution_searches else "@perfect"
        last = {"name": name, "title": SOLVED[game.name], "network": network, "simulations": 1200, "exact": True}
        found.append(last)
    return [{"game": game.name, "rating": number, "deviation": None, **one} for number, one in enumerate(found)]
