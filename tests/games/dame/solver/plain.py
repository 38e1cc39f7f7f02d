"""Solving as plainly as it can be said: a position is won if some move leaves the other side lost."""

import functools

from tests.games.dame import reference


@functools.cache
def result(text: str) -> tuple[int, int]:
    """(1 won or -1 lost for the side to move, plies to the end), by the plain rules."""
    state = reference.parse(text)
    over = reference.outcome(state)
    if over is not None:
        return (1 if over[0] == state.side else -1), 0
    after = [result(reference.text(reference.play(state, move))) for move in reference.moves(state)]
    lost = [plies for value, plies in after if value < 0]
    return (1, 1 + min(lost)) if lost else (-1, 1 + max(plies for _, plies in after))
