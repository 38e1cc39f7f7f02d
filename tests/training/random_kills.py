"""Kill a run at random moments and go on with it: `python -m tests.training.random_kills DIRECTORY KILLS SEED`.

The run is forked from this process, which has everything imported and compiled, so that the moments are moments of the
run and not of Python's start.
"""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import torch

from alphadiamond.training.recovery import examine
from alphadiamond.training.rundir import RunDirectory
from tests.training.damage import tiny
from tests.training.small import training

PER_RUN = 12
"""Kills after which another run is begun, so that beginnings are killed too."""


def start(directory: Path) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            training(directory, tiny(100_000)).run()
        except BaseException as error:
            print(f"the run failed by itself: {error!r}", file=sys.stderr, flush=True)
        os._exit(1)
    return pid


def done_in(directory: Path) -> int | None:
    """Iterations that the run will go on after; None if it has not begun. Whatever is wrong with it is an error."""
    found = examine(RunDirectory(directory))
    if found is None:
        return None
    unfinished = ("config.json is missing", "champion.safetensors is", "lacks")  # the last things to be written
    wrong = [text for text in found.lost if not any(part in text for part in unfinished)]
    assert not wrong, f"{directory}: {wrong}"
    return found.iteration


def main(root: Path, kills: int, seed: int) -> None:
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    training(root / "warm", tiny(3)).run()  # everything is compiled now
    resumed = unbegun = 0
    for number in range(kills):
        directory = root / f"run-{number // PER_RUN:03}"
        before = done_in(directory)
        pid = start(directory)
        time.sleep(float(rng.uniform(0, 0.15 if number % PER_RUN == 0 else 0.6)))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSIGNALED(status), "the run ended by itself"
        after = done_in(directory)
        assert (after if after is not None else -1) >= (before if before is not None else -1), "iterations were lost"
        resumed += after is not None
        unbegun += after is None
    print(f"{kills} kills: {resumed} runs went on, {unbegun} had not begun")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
