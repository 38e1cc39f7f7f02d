"""The PettingZoo environment, by PettingZoo's own tests and by the rules."""

import functools

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install '.[pettingzoo]'")

from pettingzoo.test import api_test, render_test, seed_test

from alphadiamond.adapters.pettingzoo import env, policy, raw_env
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.game import GAME
from tests.contract.plain import NAMES


def test_pettingzoo_s_own_tests_pass() -> None:
    api_test(env(game=GAME), num_cycles=300, verbose_progress=False)
    api_test(raw_env(game=GAME), num_cycles=300, verbose_progress=False)
    seed_test(functools.partial(env, game=GAME), num_cycles=60)
    render_test(functools.partial(env, game=GAME))


def test_a_game_goes_as_the_rules_say_and_its_rewards_are_the_result() -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        game = env(game=GAME)
        game.reset(seed=1)
        position = Position.start()
        total = dict.fromkeys(game.possible_agents, 0.0)
        for agent in game.agent_iter():
            observation, reward, termination, truncation, _ = game.last()
            total[agent] += reward
            if termination or truncation:
                game.step(None)
                continue
            assert agent == str(position.side)
            legal = np.flatnonzero(observation["action_mask"])
            assert [Move.of_action(action) for action in legal] == position.moves()
            assert observation["observation"][0].sum() == position.own.bit_count()
            action = int(rng.choice(legal))
            position = position.play(Move.of_action(action))
            game.step(action)
        outcome = position.outcome
        assert outcome is not None
        winner = None if outcome.winner is None else str(outcome.winner)
        assert total == {name: 0.0 if winner is None else 1.0 if name == winner else -1.0 for name in total}


def test_our_players_play_there_from_any_position() -> None:
    game = env(render_mode="ansi", game=GAME)
    game.reset(options={"position": "r/g./g/.gg/......./r.r/r/../. g 0"})
    game.step(policy("minimax:depth=2", seed=1, game=GAME)(game))
    assert game.last()[1:3] == (-1.0, True)
    assert "[" in game.render()


def test_an_illegal_action_loses() -> None:
    game = env(game=GAME)
    game.reset()
    game.step(Move.parse("n-nw").action)
    assert game.rewards["green"] == -1
    assert all(game.terminations.values())


def test_the_third_occurrence_is_a_draw_there_too() -> None:
    game = env(game=GAME)
    game.reset()
    for text in ("si-cs", "ni-cn", "cs-si", "cn-ni") * 2:
        assert not any(game.terminations.values())
        game.step(Move.parse(text).action)
    assert all(game.terminations.values())
    assert game.rewards == {"green": 0.0, "red": 0.0}


@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_there(name: str) -> None:
    api_test(env(game=load(name)), num_cycles=60, verbose_progress=False)
    game = env(game=load(name))
    game.reset()
    start = game.unwrapped.position
    action = policy("minimax:depth=1", game=load(name), seed=1)(game)
    game.step(action)
    assert game.unwrapped.position == start.play(load(name).move_of(action, start.side))
