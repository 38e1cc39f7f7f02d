"""The minimax of every game: as exact as trying everything, and the equal of the one made for Diamond Chase alone."""

from typing import Any

import numpy as np
import pytest

from alphadiamond import games
from alphadiamond.agents.base import never
from alphadiamond.agents.minimax import GameSearcher
from alphadiamond.agents.minimax_kernels import PROVEN, WON
from alphadiamond.base.compilation import njit
from alphadiamond.base.game import Game
from alphadiamond.base.rules import Rules, State, score
from alphadiamond.games.diamond_chase.players.minimax import Searcher
from tests.agents.positions import middle_game, placed, shuffled
from tests.contract.plain import some_positions


@njit
def score_of(rules: Rules, state: State) -> int:
    return score(rules, state)


def plain_value(game: Game, position: Any, left: int, ply: int) -> int:
    """What a position is worth to its side to move, with so many plies left; a win counts less the later it comes."""
    if position.outcome is not None:
        won = position.outcome.winner is position.side
        return 0 if position.outcome.winner is None else WON - ply if won else ply - WON
    if left == 0:
        return int(score_of(game.rules, game.state_of(position)))
    return max(-plain_value(game, position.play(move), left - 1, ply + 1) for move in position.moves())


def plain_scores(game: Game, position: Any, depth: int) -> dict[int, int]:
    return {move.action: -plain_value(game, position.play(move), depth - 1, 1) for move in position.moves()}


def found_by(searcher: Any, position: Any, depth: int, *, every_move: bool = True) -> list[dict[int, int]]:
    """The scores at each depth that was searched: fewer where the game is decided sooner."""
    steps = searcher.depths(position, depth=depth, every_move=every_move, seconds=None, stop=never)
    return [dict(sorted(scores.items())) for _, scores in steps]


@pytest.mark.parametrize(("name", "depth"), [("connect_four", 3), ("dame", 4), ("tic_tac_toe", 3)])
def test_it_scores_every_move_as_plain_minimax_does(name: str, depth: int) -> None:
    game = games.load(name)
    # One small table for all positions, so that entries of other positions are met and rows are overwritten.
    searcher = GameSearcher(game, table_bits=8)
    decided = 0
    for position in some_positions(name, 24, seed=11):
        for reached, scores in enumerate(found_by(searcher, position, depth), start=1):
            plain = plain_scores(game, position, reached)
            assert scores == plain, f"{position}, depth {reached}"
        decided += abs(max(scores.values())) > PROVEN
        best = max(plain.values())
        *_, quick = found_by(searcher, position, depth, every_move=False)
        assert [move for move in quick if quick[move] == best] == [move for move in plain if plain[move] == best]
    assert 2 < decided < 24, "some are won or lost within the depth, and some are not"


def test_in_diamond_chase_it_is_the_equal_of_the_searcher_made_for_it() -> None:
    rng = np.random.default_rng(12)
    own = Searcher(weight=1, quiescence=False, table_bits=12)
    general = GameSearcher(games.load("diamond_chase"), table_bits=12)
    kinds = [
        lambda: middle_game(rng),
        lambda: shuffled(rng, int(rng.integers(4, 16))),
        lambda: placed(rng, 5, 5, quiet=int(rng.integers(92, 100))),
        lambda: placed(rng, 4, int(rng.integers(4, 6))),
    ]
    for number in range(48):
        position = kinds[number % len(kinds)]()
        expected = found_by(own, position, 5)
        assert found_by(general, position, 5) == expected, str(position)
        best = max(expected[-1].values())
        *_, quick = found_by(general, position, 5, every_move=False)
        assert max(quick.values()) == best
        assert [move for move in quick if quick[move] == best] == [
            move for move in expected[-1] if expected[-1][move] == best
        ]
