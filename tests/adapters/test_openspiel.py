"""The OpenSpiel game, by OpenSpiel's own checks and by the rules."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install '.[openspiel]'")

import pyspiel
from absl import flags
from open_spiel.python.algorithms import evaluate_bots, generate_playthrough, mcts
from open_spiel.python.observation import make_observation

from alphadiamond.adapters import openspiel
from alphadiamond.agents import make_agent
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from tests.contract.plain import NAMES


@pytest.fixture
def game() -> openspiel.SpielGame:
    return pyspiel.load_game(openspiel.name_of(GAME))


def test_openspiel_s_own_random_games_pass(game: openspiel.SpielGame) -> None:
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_a_playthrough_is_replayed_by_openspiel_letter_by_letter(tmp_path: Path) -> None:
    text = generate_playthrough.playthrough(openspiel.name_of(GAME), action_sequence=None, seed=7)
    assert 'GameType.long_name = "Diamond Chase"' in text
    path = tmp_path / "playthrough.txt"
    path.write_text(text)
    flags.FLAGS.mark_as_parsed()  # as OpenSpiel's main does
    original, replayed = generate_playthrough.replay(str(path))
    assert replayed == original


def test_states_and_returns_are_those_of_the_rules(game: openspiel.SpielGame) -> None:
    rng = np.random.default_rng(2)
    observation = make_observation(game)
    for _ in range(3):
        state, position = game.new_initial_state(), Position.start()
        plies = 0
        while not state.is_terminal():
            assert state.current_player() == int(position.side)
            assert state.legal_actions() == [move.action for move in position.moves()]
            observation.set_from(state, player=int(position.side))
            assert observation.dict["observation"][0].sum() == position.own.bit_count()
            action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
            position = position.play(Move.of_action(action))
            assert str(state) == str(position)
            plies += 1
        outcome = position.outcome
        assert outcome is not None
        green = 0.0 if outcome.winner is None else 1.0 if outcome.winner is Side.GREEN else -1.0
        assert state.returns() == [green, -green]
        assert plies <= game.max_game_length()


def test_a_clone_goes_its_own_way(game: openspiel.SpielGame) -> None:
    state = game.new_initial_state()
    state.apply_action(Move.parse("si-cs").action)
    other = state.clone()
    other.apply_action(Move.parse("ni-cn").action)
    assert str(state) == str(Position.start().play("si-cs"))
    assert str(other) == str(Position.start().play("si-cs").play("ni-cn"))


def test_our_players_meet_openspiel_s_there(game: openspiel.SpielGame) -> None:
    rng = np.random.RandomState(1)
    theirs = mcts.MCTSBot(game, 1.4, 2, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    returns = evaluate_bots.evaluate_bots(
        game.new_initial_state(), [openspiel.bot("minimax:depth=4", game, player=0, seed=1), theirs], rng
    )
    assert returns[0] == -returns[1]
    assert returns[0] >= 0


def test_openspiel_s_search_plays_here_and_takes_a_win_in_one() -> None:
    agent = make_agent("alphadiamond.adapters.openspiel.SpielMcts:simulations=60", seed=1, game=GAME)
    won = Position.parse("r/g./g/.gg/......./r.r/r/../. g 0")
    analysis = agent.analyse(won)
    assert str(analysis.best) == "en-ne"
    assert analysis.moves[0].value == 1
    assert sorted(one.move for one in analysis.moves) == won.moves()


def test_the_third_occurrence_is_a_draw_there_too(game: openspiel.SpielGame) -> None:
    state = game.new_initial_state()
    for text in ("si-cs", "ni-cn", "cs-si", "cn-ni") * 2:
        assert not state.is_terminal()
        state.apply_action(Move.parse(text).action)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "tic_tac_toe"])  # OpenSpiel has its own
def test_every_game_is_there(name: str) -> None:
    game = pyspiel.load_game(openspiel.name_of(load(name)))
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    bots = [openspiel.bot("greedy", game, player=player, seed=player) for player in (0, 1)]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
    assert returns[0] == -returns[1]
