"""The solution of the game: the exact result of every position, looked up in mapped files."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import ILLEGAL, States
from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.files import data_directory
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import ACTIONS
from alphadiamond.games.diamond_chase.kernels import Ints
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import indices_in_layers
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, map_layer
from alphadiamond.games.diamond_chase.solver.lookup_kernels import gather, positions_between, results, successors


def default_directory() -> Path:
    """Where the window, the exam and the evaluation look for a tablebase: by the name of the game, or where it lay when
    there was one game alone."""
    former = data_directory() / "tablebase"
    return former if former.is_dir() else data_directory() / "diamond_chase"


@dataclass(frozen=True, slots=True)
class Probe:
    """What best play leads to, from the side to move."""

    value: int
    """1 a win, 0 a draw, -1 a loss."""
    distance: int
    """Plies to the end, the winner as fast and the loser as slow as possible; 0 for draws."""


class Tablebase:
    """All layers, mapped. Values are those of a position without history: the draw rules stand outside."""

    def __init__(self, directory: Path, layers: list[npt.NDArray[np.uint8]]) -> None:
        self.directory = directory
        self._layers = layers

    @classmethod
    def load(cls, directory: Path) -> "Tablebase":
        """Map a finished tablebase; every file is checked."""
        if not directory.is_dir():
            raise TablebaseError(f"{directory}: no tablebase there; `make solve` makes one in a minute or so")
        return cls(directory, [map_layer(directory, layer) for layer in LAYERS])

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """As `alphadiamond.base.game.Solution` says."""
        return self.probe_batch(*_masks(states))

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        return self.probe_actions(*_masks(states))

    def probe(self, position: Position) -> Probe:
        """The exact result of a position, its history left aside."""
        values, distances = self.probe_batch(np.array([position.own]), np.array([position.opp]))
        return Probe(int(values[0]), int(distances[0]))

    def probe_batch(self, own: Ints, opp: Ints) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """(values, distances), each [B], of positions given by their masks; finished ones are at distance 0."""
        values, distances, wrong = results(own, opp, self.codes(own, opp))
        if wrong >= 0:
            raise TablebaseError(f"own {own[wrong]}, opp {opp[wrong]}: no position, or trapped beads stand in it")
        return values, distances

    def probe_actions(self, own: Ints, opp: Ints) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        """(values, distances), each [B, 72], of every legal action for the player who plays it; ILLEGAL elsewhere."""
        rows, actions, next_own, next_opp = successors(own, opp)
        values, distances = self.probe_batch(next_own, next_opp)
        action_values = np.full((len(own), ACTIONS), ILLEGAL, dtype=np.int8)
        action_distances = np.zeros((len(own), ACTIONS), dtype=np.int16)
        action_values[rows, actions] = -values
        action_distances[rows, actions] = np.where(values != 0, distances + 1, 0)
        return action_values, action_distances

    @property
    def entries(self) -> int:
        """Of all layers."""
        return sum(len(layer) for layer in self._layers)

    def states_between(self, start: int, stop: int) -> States:
        """[B, S] the positions of these entries, counted over all layers, each once up to symmetry: entries that are no
        position, or an image of another, are left out."""
        found = []
        for layer, codes in zip(LAYERS, self._layers, strict=True):
            low, high = max(0, min(start, len(codes))), max(0, min(stop, len(codes)))
            if low < high:
                found.append(positions_between(codes, layer.own, layer.opp, low, high))
            start, stop = start - len(codes), stop - len(codes)
        masks = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
        bare = np.tile(np.array([0, 1]), (len(masks), 1))
        return np.concatenate([masks, bare], axis=1)

    def codes(self, own: Ints, opp: Ints) -> npt.NDArray[np.uint8]:
        """[B] the bytes of the table; those of finished positions are made up to match."""
        layers, indices = indices_in_layers(own, opp)
        codes = np.full(len(layers), kernels.UNSTABLE, dtype=np.uint8)
        for number, entries in enumerate(self._layers):
            gather(entries, layers, indices, number, codes)
        return codes


def is_whole(directory: Path) -> bool:
    return all(layer.path(directory).is_file() for layer in LAYERS)


@functools.cache
def shared(directory: Path) -> Tablebase:
    """One mapping of each directory, checked once, for everybody in a process."""
    return Tablebase.load(directory)


def find() -> Tablebase | None:
    """The one in the user's data directory; None where it is not whole. Damaged files are an error."""
    directory = default_directory()
    return shared(directory) if is_whole(directory) else None


def _masks(states: States) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    return np.ascontiguousarray(states[:, 0]), np.ascontiguousarray(states[:, 1])
