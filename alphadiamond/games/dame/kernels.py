"""The compiled rules. Masks are as the side to move sees the board: it goes up, and the opponent comes down."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit, popcount
from alphadiamond.base.results import LOSS, ONGOING, WIN
from alphadiamond.games.dame.board import (
    A_RANK,
    ACTIONS,
    CAPTURED,
    CONTINUATIONS,
    FIRST_CHAIN,
    FIRST_JUMP,
    FIRST_RANK,
    JUMPS,
    LANDINGS,
    RANKS,
    SOURCES,
    SQUARES,
    STEPS,
    TARGETS,
    Mask,
    Path,
    mask_of,
    rank_of,
)

RULES_VERSION: Final = 1
MAX_MOVES: Final = 12
"""Six men have two steps each; no position has more than 8 captures."""


def _starts(paths: tuple[Path, ...], distance: int) -> Mask:
    """From where one of these paths leads to a square with a number so much higher."""
    return mask_of([path[0] for path in paths if path[1] - path[0] == distance])


# A step adds 3 to the number of the square; to the left of an even rank 2, to the right of an odd rank 4. A jump adds 5
# to the left and 7 to the right.
_BELOW_FAR: Final = _starts(STEPS, 3)
_STEPS_OF_2: Final = _starts(STEPS, 2)
_STEPS_OF_4: Final = _starts(STEPS, 4)
_LEFT_JUMPS: Final = _starts(JUMPS, 5)
_RIGHT_JUMPS: Final = _starts(JUMPS, 7)
_EVEN_RANKS: Final = mask_of([square for square in range(SQUARES) if rank_of(square) % 2 == 0])

_HALF: Final = SQUARES // 2
_REVERSED: Final = np.array([int(f"{half:09b}"[::-1], 2) for half in range(1 << _HALF)])


@njit
def turn(mask: int) -> int:
    """A mask as the other side sees the board."""
    return _REVERSED[mask & (1 << _HALF) - 1] << _HALF | _REVERSED[mask >> _HALF]


@njit
def is_open(own: int, opp: int, action: int) -> bool:
    """Whether the men stand so that a path can be taken: whether it must be gone on with or another has precedence is
    not asked."""
    return (
        own & SOURCES[action] != 0
        and (own | opp) & LANDINGS[action] == 0
        and opp & CAPTURED[action] == CAPTURED[action]
    )


@njit
def goes_on(own: int, opp: int, action: int) -> bool:
    """Whether after a jump the man can capture again."""
    for i in range(2):
        longer = CONTINUATIONS[action, i]
        if longer >= 0 and is_open(own, opp, longer):
            return True
    return False


@njit
def must_capture(own: int, opp: int) -> bool:
    """Whether any man can capture, all men at once."""
    empty = ~(own | opp)
    even = own & _EVEN_RANKS & (opp >> 2 & empty >> 5 & _LEFT_JUMPS | opp >> 3 & empty >> 7 & _RIGHT_JUMPS)
    odd = own & ~_EVEN_RANKS & (opp >> 3 & empty >> 5 & _LEFT_JUMPS | opp >> 4 & empty >> 7 & _RIGHT_JUMPS)
    return even | odd != 0


@njit
def can_move(own: int, opp: int) -> bool:
    """Whether any man can step or capture, all men at once."""
    steps = (own & _BELOW_FAR) << 3 | (own & _STEPS_OF_2) << 2 | (own & _STEPS_OF_4) << 4
    return steps & ~(own | opp) != 0 or must_capture(own, opp)


@njit
def list_moves(own: int, opp: int, actions: npt.NDArray[np.integer[Any]]) -> int:
    """Write the legal actions, in order, and return how many there are: captures alone, where there are any."""
    count = 0
    if must_capture(own, opp):
        for action in range(FIRST_JUMP, ACTIONS):
            if is_open(own, opp, action) and not (action < FIRST_CHAIN and goes_on(own, opp, action)):
                actions[count] = action
                count += 1
    else:
        for action in range(FIRST_JUMP):
            if is_open(own, opp, action):
                actions[count] = action
                count += 1
    return count


@njit
def apply(own: int, opp: int, action: int) -> tuple[int, int]:
    """(own, opp) after an action, as the other side sees the board."""
    return turn(opp & ~CAPTURED[action]), turn(own ^ SOURCES[action] | TARGETS[action])


@njit
def status(own: int, opp: int) -> int:
    """WIN, LOSS or ONGOING for the side to move; there are no draws."""
    if opp & FIRST_RANK or own == 0:
        return LOSS
    if opp == 0:
        return WIN
    return ONGOING if can_move(own, opp) else LOSS


@njit
def advance(mask: int) -> int:
    """How many ranks the men of the side to move have gone, each from its first rank."""
    ranks = 0
    for rank in range(1, RANKS):
        ranks += rank * popcount(mask >> A_RANK * rank & FIRST_RANK)
    return ranks


@njit
def left_to_go(own: int, opp: int) -> int:
    """How many ranks all men on the board have before them: every move makes it less, so that nothing recurs."""
    return (RANKS - 1) * popcount(own) - advance(own) + advance(opp)


@njit
def lead(own: int, opp: int, man: int) -> int:
    """The difference in men, each worth so many ranks, and in ranks gone, for the side to move."""
    return man * (popcount(own) - popcount(opp)) + advance(own) - advance(turn(opp))
