"""The rules: random plies and move sequences, compiled against the plain Python reference of the tests.

One thread each, timed by the processor's clock, so that other work on the machine hardly counts.
"""

import random
import time

import numpy as np

from alphadiamond.base.random_kernels import random_stream
from alphadiamond.games.diamond_chase import Position, kernels, perft
from benchmarks.rates import Row, rates
from tests.games.diamond_chase import reference

_REFERENCE = "plain Python"


def measure(*, repeats: int, seed: int) -> list[Row]:
    stream = random_stream(np.random.default_rng(seed))
    start = Position.start()
    own, opp = (np.full(5_000, mask, dtype=np.int64) for mask in (start.own, start.opp))
    quiet = np.zeros_like(own)
    rng = random.Random(seed)

    plies, plain_plies = rates(
        lambda: int(kernels.random_playouts(own, opp, quiet, stream)[1].sum()),
        lambda: sum(reference.random_game(rng, 200) for _ in range(10)),
        repeats=repeats,
        clock=time.process_time,
    )
    nodes, plain_nodes = rates(
        lambda: perft(start, 9),
        lambda: reference.sequences(reference.start(), "g", 4),
        repeats=repeats,
        clock=time.process_time,
    )
    return [
        Row("random plies, whole games", plies, "plies/s", plain_plies, _REFERENCE),
        Row("perft, last ply counted in bulk", nodes, "sequences/s", plain_nodes, _REFERENCE),
    ]
