"""What to compile ahead of the solver and the tablebase."""


def solver() -> None:
    """The solver."""
    from alphadiamond.base.threads import ThreadPool
    from alphadiamond.games.diamond_chase.solver import LAYERS, Layer
    from alphadiamond.games.diamond_chase.solver.proof import prove
    from alphadiamond.games.diamond_chase.solver.report import stakes
    from alphadiamond.games.diamond_chase.solver.retrograde import empty_table, pairs, solve_pair
    from alphadiamond.games.diamond_chase.solver.summary import layer_summary, longest_quiet

    small = LAYERS[0]
    assert small == Layer(4, 4)
    table = empty_table()
    with ThreadPool(1) as pool:
        solve_pair(table, pairs()[0], pool, lambda done, note: None)
        longest_quiet(table, (small,), pool)
    layer_summary(table, small, quiet=0)
    prove(table, (small,), threads=1)
    stakes(table, (small,), threads=1)


def tablebase() -> None:
    """The tablebase."""
    from pathlib import Path

    import numpy as np

    from alphadiamond.games.diamond_chase import Position
    from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase
    from alphadiamond.games.diamond_chase.solver.index_kernels import index_of, positions_in_layer

    layers = [np.zeros(layer.entries, dtype=np.uint8) for layer in LAYERS]
    for entries in layers:
        entries.flags.writeable = False  # as mapped files are
    start = Position.start()
    index_of(start.own, start.opp)
    found = Tablebase(Path(), layers)
    for kind in (np.int64, np.int32):
        found.probe_actions(np.array([start.own], dtype=kind), np.array([start.opp], dtype=kind))
        found.probe_batch(np.array([start.own], dtype=kind), np.array([start.opp], dtype=kind))
    positions_in_layer(4, 4, np.arange(2))
    found.states_between(0, 2)
