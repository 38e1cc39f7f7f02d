"""What can be seen of any game without searching: who wins at once, and what the opponent could do about a move."""

from alphadiamond.agents.minimax_kernels import ended, static_score
from alphadiamond.agents.minimax_table_kernels import Ints64
from alphadiamond.base.compilation import njit
from alphadiamond.base.results import LOSS, ONGOING
from alphadiamond.base.rules import Actions, Rules, State, list_moves, play, status


@njit
def winning_moves(rules: Rules, state: State, actions: Actions, after: State) -> int:
    """Write the actions that win at once into `actions` and return how many there are; `after` is room for a state."""
    found = 0
    for i in range(list_moves(rules, state, actions)):
        play(rules, state, actions[i], after)
        if status(rules, after) == LOSS:
            actions[found] = actions[i]
            found += 1
    return found


@njit
def look_around(rules: Rules, state: State, actions: Actions, replies: Actions, states: Ints64, scores: Ints64) -> int:
    """Write the legal actions and their scores: won at once, lost to the next move, or the game's own judgement.

    `replies` is room for the opponent's, `states` for two.
    """
    count = list_moves(rules, state, actions)
    after = states[0]
    for i in range(count):
        play(rules, state, actions[i], after)
        result = status(rules, after)
        if result != ONGOING:
            scores[i] = ended(result, 1)
        elif winning_moves(rules, after, replies, states[1]):
            scores[i] = -ended(LOSS, 2)
        else:
            scores[i] = -static_score(rules, after)
    return count
