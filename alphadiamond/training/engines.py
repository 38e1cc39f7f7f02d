"""Where a run's workers run: processes on this machine, or another engine by name."""

import importlib
from collections.abc import Callable
from typing import Protocol

from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.stop_flag import StopFlag
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import ProcessWorkers, Workers

_ENGINES = {"ray": "alphadiamond.cluster.workers"}
"""Modules above this package, known by name alone and imported only where they are asked for."""


class Team(Workers, Protocol):
    """Workers of a run that a person watches."""

    @property
    def pids(self) -> list[int]:
        """Processes that would outlive this one if it ended at once."""


def make_workers(settings: TrainSettings, job: WorkerJob, *, stopping: StopFlag, say: Callable[[str], None]) -> Team:
    """The workers that the settings ask for; `say` is told, in lines, what becomes of them."""
    if settings.engine == "processes":
        return ProcessWorkers(job, count=settings.split().workers, stopping=stopping)
    module = importlib.import_module(_ENGINES[settings.engine])
    made: Team = module.make_workers(settings, job, stopping=stopping, say=say)
    return made
