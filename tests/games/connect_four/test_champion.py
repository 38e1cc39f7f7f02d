"""The shipped network with the side that wins, against the player that never errs."""

import pytest

from alphadiamond.agents import make_agent
from alphadiamond.games import load

GAME = load("connect_four")
GAMES, WON = 10, 8


def game_of(seed: int) -> tuple[list[str], str]:
    """The moves of a game from the empty board that the network begins, and who won it."""
    network = make_agent("neural:simulations=400,device=cpu", seed=seed, game=GAME)
    perfect = make_agent("perfect", seed=seed, game=GAME)
    position, moves = GAME.start(), []
    while position.outcome is None:
        move = (network if position.side is GAME.sides[0] else perfect).choose(position)
        moves.append(str(move))
        position = position.play(move)
    winner = position.outcome.winner
    return moves, "a draw" if winner is None else "the network won" if winner is GAME.sides[0] else "it lost"


@pytest.mark.slow  # the perfect player searches for seconds once the book has ended
def test_it_wins_against_the_perfect_player_as_the_first_to_move() -> None:
    results = []
    for seed in range(1, GAMES + 1):
        moves, result = game_of(seed)
        print(f"{result} after {len(moves)} plies: {' '.join(moves)}", flush=True)
        results.append(result)
    assert results.count("the network won") >= WON
