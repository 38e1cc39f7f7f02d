"""Random games of the plain reference."""

from collections.abc import Iterator

import numpy as np

from tests.games.connect_four import reference


def random_game(rng: np.random.Generator) -> Iterator[tuple[reference.State, str | None]]:
    """Each state with the move played there, None in the last."""
    state = reference.start()
    while moves := reference.moves(state):
        move = moves[rng.integers(len(moves))]
        yield state, move
        state = reference.play(state, move)
    yield state, None
