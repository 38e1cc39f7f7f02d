"""Sequential halving as a table: how often a root move must have been visited to be visited next."""

import math

import numpy as np
import numpy.typing as npt


def suited_candidates(simulations: int) -> int:
    """How many root moves a player begins with: as many as each gets simulations, in powers of two, 2 to 16.

    Self-play, which explores, begins with more (`SearchSettings.considered`).
    """
    return min(16, max(2, 1 << (simulations.bit_length() - 1) // 2))


def visit_sequence(candidates: int, simulations: int) -> list[int]:
    """For each simulation, the visit count of the candidates among which it chooses.

    Each phase visits the candidates that are left equally often, then halves them; two are never halved further.
    """
    if candidates <= 1:
        return list(range(simulations))
    phases = math.ceil(math.log2(candidates))
    visits = [0] * candidates
    sequence: list[int] = []
    left = candidates
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            sequence += visits[:left]
            for i in range(left):
                visits[i] += 1
        left = max(2, left // 2)
    return sequence[:simulations]


def visit_table(considered: int, moves: int, simulations: int) -> npt.NDArray[np.int32]:
    """[moves + 1, simulations] the sequence for each number of legal moves."""
    rows = [visit_sequence(min(considered, count), simulations) for count in range(moves + 1)]
    return np.array(rows, dtype=np.int32).reshape(moves + 1, simulations)
