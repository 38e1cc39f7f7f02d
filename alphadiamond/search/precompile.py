"""What to compile ahead of the tree search."""


def tree_search(name: str) -> None:
    """The tree search."""
    import numpy as np

    from alphadiamond.base.game import States
    from alphadiamond.games import load
    from alphadiamond.search import SearchSettings, TreeSearch

    game = load(name)

    def evaluate(states: States) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        return tuple(np.full((len(states), size), 1 / size, dtype=np.float32) for size in (game.actions, 3))  # type: ignore[return-value]

    start = [game.sample_start()]
    for method in ("gumbel", "puct"):
        search = TreeSearch(game, SearchSettings(method=method), games=1, nodes=64)
        search.set_roots([0], game.states_of(start), *game.histories_of(start), evaluate, noise=method == "puct")
        search.run(evaluate, 16)
        roots = search.roots()
        search.prospects(roots)
        search.variation(0, int(roots.choice[0]))
        search.variations(np.zeros(1, dtype=np.int32))
        search.finished(np.zeros(1, dtype=np.int32), 16)
        search.advance(0, int(roots.chosen_actions[0]), room=16)
