"""The score of a position by trying everything, written plainly."""

import functools

from tests.games.connect_four import reference


@functools.cache
def score(state: reference.State) -> int:
    """22 less the discs of the winner at the end, 0 for a draw, negative for a loss; for the side to move."""
    result = reference.outcome(state)
    if result == "draw":
        return 0
    if result is not None:
        return -(22 - "".join(state.columns).count(result))
    return max(-score(reference.play(state, move)) for move in reference.moves(state))


@functools.cache
def plies(state: reference.State) -> int:
    """Plies to the end when the winner hurries and the loser delays; 0 in a draw."""
    if reference.outcome(state) is not None or score(state) == 0:
        return 0
    after = [reference.play(state, move) for move in reference.moves(state)]
    return 1 + min(plies(one) for one in after if -score(one) == score(state))
