"""What to compile ahead of the tree search."""


def tree_search() -> None:
    """The tree search."""
    import numpy as np

    from alphadiamond.base.game import States
    from alphadiamond.games.diamond_chase import Position
    from alphadiamond.games.diamond_chase.game import DiamondChase, histories_of, states_of
    from alphadiamond.search import SearchSettings, TreeSearch

    def evaluate(states: States) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        return np.full((len(states), 72), 1 / 72, dtype=np.float32), np.full((len(states), 3), 1 / 3, dtype=np.float32)

    position = Position.start()
    for method in ("gumbel", "puct"):
        search = TreeSearch(DiamondChase(), SearchSettings(method=method), games=1, nodes=64)
        search.set_roots([0], states_of([position]), *histories_of([position]), evaluate, noise=method == "puct")
        search.run(evaluate, 16)
        roots = search.roots()
        search.prospects(roots)
        search.variation(0, int(roots.choice[0]))
        search.variations(np.zeros(1, dtype=np.int32))
        search.finished(np.zeros(1, dtype=np.int32), 16)
        search.advance(0, int(roots.chosen_actions[0]), room=16)
