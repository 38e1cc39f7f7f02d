"""What runs on another machine: one worker an actor, and the look at a machine before it is used."""

import importlib.metadata
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond import sources
from alphadiamond.arena.pairs import Pairing
from alphadiamond.base.game import Game
from alphadiamond.base.processes import told
from alphadiamond.cluster.worker_results import Raw, packed
from alphadiamond.training.reshard import WorkerState
from alphadiamond.training.settings import PitSettings
from alphadiamond.training.worker import Side, Weights, Worker, WorkerJob
from alphadiamond.training.workers import compile_for

LIBRARIES = ("numpy", "numba", "torch")
"""Of other versions of these a worker might play other games, or none."""


class SelfPlayActor:
    """A worker that another process asks; whatever fails is told in a line, with the next answer that is asked for."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._game: Game | None = None
        self._fault = ""

    def ready(self) -> bool:
        return True

    def take(self, job: WorkerJob, seed: int, state: WorkerState | None) -> None:
        """Begin with these games, in place of whatever was played so far."""
        try:
            self._worker, self._game = Worker(job, seed=seed, state=state), job.game
        except Exception as error:
            self._fault = told(error)

    def update(self, weights: Weights) -> None:
        try:
            self._working().update(_own(weights))
        except Exception as error:
            self._fault = self._fault or told(error)

    def play(self, iteration: int, simulations: int) -> Raw:
        try:
            if not self._fault:
                assert self._game is not None
                return packed(self._working().play(iteration, simulations), self._game)
        except Exception as error:
            self._fault = told(error)
        return {"error": self._fault}

    def seat(self, first: Side, second: Side, settings: PitSettings) -> None:
        try:
            self._working().seat(_own(first), _own(second), settings)
        except Exception as error:
            self._fault = self._fault or told(error)

    def pit(self, pairings: Sequence[Pairing]) -> npt.NDArray[np.float64] | dict[str, str]:
        try:
            if not self._fault:
                return np.array(self._working().pit(pairings), dtype=np.float64)
            return {"error": self._fault}
        except Exception as error:
            return {"error": self._fault or told(error)}

    def _working(self) -> Worker:
        assert self._worker is not None, "take() comes first"
        return self._worker


def _own(side: Any) -> Any:
    """Weights as arrays of this process: Ray's lie in memory that is shared and cannot be written."""
    return side if isinstance(side, str) else {name: np.array(array) for name, array in side.items()}


def facts(game: Game, file: Path) -> dict[str, str]:
    """What has to be the same wherever a game is played: the code that `file` and the game are made of, and the
    libraries under it."""
    module = Path(sys.modules[type(game).__module__].__file__ or "")
    return {
        "alphadiamond": f"{sources.digest_of(file.resolve())}-{sources.digest_of(module.resolve())}",
        "python": ".".join(map(str, sys.version_info[:2])),
        **{name: importlib.metadata.version(name).partition("+")[0] for name in LIBRARIES},
    }


def look_at(job: WorkerJob, *, compiling: bool) -> dict[str, str]:
    """The facts of this machine; `compiling`: play a little first, so that its workers find everything compiled."""
    found = facts(job.game, Path(__file__))
    if compiling:
        compile_for(job)
    return found
