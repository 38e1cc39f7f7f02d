"""What else the solution tells: a longest game, and how often a random move goes wrong."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from alphadiamond.console import progress
from alphadiamond.games.diamond_chase import GameRecord, Move, Position
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer
from alphadiamond.games.diamond_chase.solver.retrograde import Workers, workers
from alphadiamond.games.diamond_chase.solver.tablebase import Tablebase


@dataclass(frozen=True)
class Mistakes:
    """How a player who moves at random fares in the won or the drawn positions of a layer, over all placements."""

    positions: int
    wrong: float
    """The chance that a random move gives the value away."""
    at_stake: float
    """The share of positions in which some move does."""
    only_move: float
    """The share in which only one of several moves does not."""


def random_mistakes(
    table: npt.NDArray[np.uint8], layers: tuple[Layer, ...] = LAYERS, *, threads: int = 0
) -> dict[tuple[Layer, int], Mistakes]:
    """By layer and value (1 won, 0 drawn); in a lost position no move is wrong."""
    found = {}
    with workers(threads) as team:
        for layer in layers:
            counts = _count(table, layer, team)
            for value in (1, 0):
                positions, *sums = counts[value]
                shares = [float(total / positions) if positions else 0.0 for total in sums]
                found[layer, value] = Mistakes(int(positions), *shares)
    return found


def _count(table: npt.NDArray[np.uint8], layer: Layer, team: Workers) -> npt.NDArray[np.float64]:
    def count(own: int, opp: int, start: int, stop: int) -> npt.NDArray[np.float64]:
        return kernels.count_mistakes(table, own, opp, start, stop)

    step = -(-layer.classes // 64)
    chunks = [
        (layer.own, layer.opp, start, min(start + step, layer.classes)) for start in range(0, layer.classes, step)
    ]
    counts = np.zeros((2, 4))
    done = 0
    with progress(f"mistakes in {layer.name}", layer.classes) as update:
        for chunk, part in team.run(count, chunks):
            counts += part
            done += chunk[3] - chunk[2]
            update(done, "")
    return counts


def best_game(tablebase: Tablebase, position: Position) -> GameRecord:
    """A won or lost position played out, the winner as fast and the loser as slowly as possible."""
    moves: list[Move] = []
    start = position
    while position.outcome is None:
        values, distances = tablebase.probe_actions(np.array([position.own]), np.array([position.opp]))
        best = int(values.max())
        plies = np.where(values[0] == best, distances[0].astype(np.int64), -1)
        if best > 0:
            plies = np.where(plies >= 0, 1000 - plies, -1)
        move = Move.of_action(int(plies.argmax()))
        moves.append(move)
        position = position.play(move)
    return GameRecord.of(start, moves, green="perfect", red="perfect")
