"""What to compile ahead of the solution of Dame."""


def solution() -> None:
    """The solution of Dame."""
    import numpy as np

    from alphadiamond.games.dame import Position
    from alphadiamond.games.dame.solver import kernels
    from alphadiamond.games.dame.solver.index_kernels import ENTRIES, index_of
    from alphadiamond.games.dame.solver.solution import DameSolution

    table = np.zeros(ENTRIES, dtype=np.int8)
    levels = np.zeros(ENTRIES, dtype=np.uint8)
    kernels.fill_levels(levels, 0, 1)
    kernels.solve_rows(table, levels, 1, 0, 1)
    kernels.fill_longest_games(table, levels, 1, 0, 1)
    kernels.first_disagreement(table, 0, 1)
    seen = np.zeros(ENTRIES, dtype=np.uint8)
    last = Position.parse("....../b...../....../w...../....../...... w")
    index_of(last.own, last.opp)
    kernels.mark_reachable(last.own, last.opp, seen)
    kernels.ends_after(seen, 0, 1, np.empty(0, dtype=np.int64))
    kernels.count_stakes(table, seen, 0, 1)
    table.flags.writeable = False  # as mapped files are
    kernels.first_disagreement(table, 0, 1)
    kernels.count_stakes(table, seen, 0, 1)
    states = np.array([[last.own, last.opp, 1]], dtype=np.int64)
    DameSolution(table).values(states)
    DameSolution(table).action_values(states)
