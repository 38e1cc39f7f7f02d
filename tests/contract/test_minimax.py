"""The minimax of every game: as exact as trying everything."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond import games
from alphadiamond.agents.minimax import Searcher
from alphadiamond.base.compilation import njit
from alphadiamond.base.game import Game
from alphadiamond.base.random_kernels import random_below, random_stream
from alphadiamond.base.results import PROVEN, WON
from alphadiamond.base.rules import Actions, Rules, State, is_legal, list_moves, pack_state, random_move, score
from tests.contract.plain import some_positions


@njit
def score_of(rules: Rules, state: State) -> int:
    return score(rules, state)


@njit
def helps_agree(rules: Rules, state: State, actions: Actions, room: State, stream: npt.NDArray[np.uint64]) -> bool:
    """Whether the helps for one move say what the list of moves says."""
    twin = stream.copy()
    count = list_moves(rules, state, actions)
    drawn = np.int64(actions[random_below(twin, count)])
    listed = actions[:count].copy()
    if random_move(rules, state, actions, stream) != drawn or twin[0] != stream[0]:
        return False
    for action in range(rules.actions):
        if is_legal(rules, state, action, actions) != (listed == action).any():
            return False
    size = pack_state(rules, state, 1, room)
    return 0 < size == pack_state(rules, state, 60, room) < rules.state_size


@pytest.mark.parametrize("name", ["diamond_chase", "connect_four", "dame", "tic_tac_toe"])
def test_what_a_game_says_to_help_agrees_with_its_moves(name: str) -> None:
    game = games.load(name)
    stream = random_stream(np.random.default_rng(12))
    actions = np.empty(game.max_moves, dtype=np.int16)
    for position in some_positions(name, 40, seed=12):
        state = game.state_of(position)
        assert helps_agree(game.rules, state, actions, np.empty_like(state), stream), str(position)


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
    steps = searcher.depths(position, depth=depth, every_move=every_move)
    return [dict(sorted(scores.items())) for _, scores in steps]


@pytest.mark.parametrize(
    ("name", "depth"), [("diamond_chase", 3), ("connect_four", 3), ("dame", 4), ("tic_tac_toe", 3)]
)
def test_it_scores_every_move_as_plain_minimax_does(name: str, depth: int) -> None:
    game = games.load(name)
    # One small table for all positions, so that entries of other positions are met and rows are overwritten.
    searcher = Searcher(game, game.rules, table_bits=8)
    decided = 0
    for position in some_positions(name, 24, seed=11):
        for reached, scores in enumerate(found_by(searcher, position, depth), start=1):
            plain = plain_scores(game, position, reached)
            assert scores == plain, f"{position}, depth {reached}"
        decided += abs(max(scores.values())) > PROVEN
        best = max(plain.values())
        *_, quick = found_by(searcher, position, depth, every_move=False)
        assert [move for move in quick if quick[move] == best] == [move for move in plain if plain[move] == best]
    assert 0 < decided < 24, "some are won or lost within the depth, and some are not"
