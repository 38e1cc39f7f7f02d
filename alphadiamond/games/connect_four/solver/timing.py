"""How long the solver takes: `python -m alphadiamond.games.connect_four.solver.timing [positions] [plies ...]`.

Positions come from random play; each is solved by search alone with an empty table. Times are of the processor, so that
other work on the machine counts little.
"""

import sys
import time
from collections.abc import Sequence

import numpy as np

from alphadiamond.games.connect_four.game import GAME
from alphadiamond.games.connect_four.solver import Book, Solver


def seconds_of(plies: int, positions: int, *, seed: int = 1) -> list[float]:
    """What each of so many positions took."""
    rng = np.random.default_rng([seed, plies])
    solver = Solver(Book.empty())
    found = []
    for _ in range(positions):
        own, opp, _ = (int(part) for part in GAME.opening(rng, plies))
        solver.forget()
        started = time.process_time()
        solver.score(own, own | opp)
        found.append(time.process_time() - started)
    return found


def main(arguments: Sequence[str]) -> None:
    positions = int(arguments[0]) if arguments else 200
    seconds_of(34, 1)  # compiled
    print("| discs | positions | median | mean | 99th percentile | longest |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for plies in map(int, arguments[1:] or range(12, 21)):
        took = np.array(seconds_of(plies, positions)) * 1000
        shown = " | ".join(f"{x:.1f} ms" for x in (np.median(took), took.mean(), np.quantile(took, 0.99), took.max()))
        print(f"| {plies} | {positions} | {shown} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
