"""The solver: retrograde analysis of a layer, its proof, and lookups in bulk beside one at a time."""

import numpy as np

from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.solver import Layer, index_kernels, kernels, retrograde
from alphadiamond.games.diamond_chase.solver.tablebase import find
from benchmarks.rates import Row, rate, rates
from tests import solutions

FOURS = Layer(4, 4)
_LOOKUPS = 1_000_000


def measure(*, repeats: int, seed: int) -> list[Row]:
    rng = np.random.default_rng(seed)
    tablebase = find() or solutions.tablebase_of(solutions.small_table())
    own, opp = index_kernels.positions_in_layer(5, 4, rng.integers(Layer(5, 4).entries, size=_LOOKUPS))
    stable = tablebase.codes(own, opp) != kernels.UNSTABLE
    own, opp = own[stable], opp[stable]
    positions = [Position(int(a), int(b), Side.GREEN) for a, b in zip(own[:3000], opp[:3000], strict=True)]

    def lookups() -> int:
        tablebase.probe_batch(own, opp)
        return len(own)

    def single_lookups() -> int:
        for position in positions:
            tablebase.probe(position)
        return len(positions)

    table = retrograde.empty_table()

    def solve() -> int:
        with ThreadPool() as pool:
            retrograde.solve_pair(table, (FOURS,), pool, lambda done, note: None)
        return FOURS.entries

    def prove() -> int:
        with ThreadPool() as pool:
            for _ in pool.run(lambda *chunk: kernels.first_disagreement(table, *chunk), retrograde.chunks_of([FOURS])):
                pass
        return FOURS.entries

    many, one = rates(lookups, single_lookups, repeats=repeats)
    solve(), prove()
    return [
        Row("lookups in bulk", many, "positions/s", one, "one at a time"),
        Row("solving 4 against 4", float(np.median([rate(solve) for _ in range(repeats)])), "entries/s"),
        Row("proving 4 against 4", float(np.median([rate(prove) for _ in range(repeats)])), "entries/s"),
    ]
