"""What to compile ahead of the solver of Connect Four."""


def solver() -> None:
    """The solver of Connect Four."""
    import numpy as np

    from alphadiamond.games.connect_four import Position
    from alphadiamond.games.connect_four.exam_builder import _candidates, _choose
    from alphadiamond.games.connect_four.solver import Book, Solver
    from alphadiamond.games.connect_four.solver.book_builder import boards

    late = Position.parse("ooxoo../xxoxx../ooxoo../xxoxx../ooxoo../xxoxx.. x")
    found = Solver(Book.empty(), table_bits=8)
    states = np.array([[late.own, late.opp, 1]])
    found.values(states)
    found.action_values(states)
    found.search(states[0], lambda: False)
    found.score(late.own, late.occupied)
    boards(1)
    late_candidates = _candidates(np.random.default_rng(1), 1)[34]
    _choose([*late_candidates, (late.own, late.opp, 0)], 1)
