"""What every game is held to: positions of its own, and room for its history."""

import re
from typing import ClassVar

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.minimax import MinimaxAgent
from alphadiamond.agents.random import RandomAgent
from alphadiamond.arena import ArenaError, Workers, play_game
from alphadiamond.arena.workers import Task
from alphadiamond.base.game import GameMismatchError
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME, DiamondChase
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.settings import SelfPlaySettings

DAME = load("dame")


class Forgetful(DiamondChase):
    """Its positions recur, and it does not say for how long."""

    title: ClassVar[str] = "Forgetful"
    history_limit: ClassVar[int] = 1


class Hasty(DiamondChase):
    """It says so, and is wrong."""

    title: ClassVar[str] = "Hasty"
    history_limit: ClassVar[int] = 4


def uniform(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    legal = GAME.legal(states).astype(np.float32)
    return legal / legal.sum(axis=1, keepdims=True), np.full((len(states), 3), 1 / 3, dtype=np.float32)


def test_a_forgotten_history_limit_is_named_wherever_histories_are_kept() -> None:
    game, plain = Forgetful(), SelfPlaySettings(games=2, rounds=1, simulations=2)
    makers = (
        lambda: TreeSearch(game, SearchSettings(), games=1, nodes=4),
        lambda: SelfPlay(plain, seed=1, game=game),
        lambda: MinimaxAgent(game=game, depth=2),
        lambda: game.histories_of([game.start()]),
    )
    for make in makers:
        with pytest.raises(GameMismatchError, match="Forgetful: history_limit is 1, but positions recur: set it to"):
            make()


def test_a_history_limit_that_is_too_small_is_named_before_anything_is_written_beyond_it() -> None:
    game = Hasty()
    position = game.start()
    for move in ("si-cs", "ni-cn", "cs-si", "cn-ni", "si-cs", "ni-cn"):
        position = position.play(move)
    with pytest.raises(GameMismatchError, match="Hasty: history_limit is 4, but a game has 7 positions"):
        game.histories_of([position])
    play = SelfPlay(SelfPlaySettings(games=4, rounds=40, simulations=2, random_starts=0.0), seed=1, game=game)
    with pytest.raises(GameMismatchError, match="Hasty: history_limit is 4, but a game has 5 positions"):
        play.play(uniform, iteration=1)


def test_players_of_two_games_do_not_meet() -> None:
    players = make_agent("random", game=DAME, seed=1), make_agent("random", game=GAME, seed=1)
    with pytest.raises(ArenaError, match=re.escape("random plays Dame, not Diamond Chase")):
        play_game(*players, GAME.start(), game=GAME)
    with pytest.raises(GameMismatchError, match="is no position of Dame"):
        play_game(players[0], players[0], GAME.start(), game=DAME)


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax:depth=2", "mcts:simulations=5", "beginner"])
def test_a_player_is_not_asked_about_another_game(spec: str) -> None:
    with pytest.raises(GameMismatchError, match="is no position of Connect Four: name the game that it is of"):
        make_agent(spec, game=load("connect_four"), seed=1).analyse(DAME.start())


def test_workers_of_one_game_refuse_another() -> None:
    task = Task(number=0, first="random", second="random", start=DAME.start(), seeds=(1, 2), game=DAME)
    with Workers(1, game=GAME) as workers, pytest.raises(ArenaError, match="play Diamond Chase, and a task is of Dame"):
        list(workers.play([task]))


def test_a_player_is_built_for_a_game() -> None:
    with pytest.raises(TypeError, match="game"):
        RandomAgent(seed=1)  # type: ignore[call-arg]


def test_a_game_is_the_same_in_every_process() -> None:
    copy = DiamondChase()
    assert copy == GAME
    assert hash(copy) == hash(GAME)
    assert copy != DAME
