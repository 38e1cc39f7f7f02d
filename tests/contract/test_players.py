"""What every player does in every game."""

import functools
import random
from typing import Any

import pytest

from alphadiamond import games
from alphadiamond.agents import Agent, AgentError, UnavailableError, make_agent, players_of
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.games import load
from tests.agents.networks import untrained_checkpoint
from tests.contract.plain import NAMES, random_game, some_positions

QUICK = {
    "mcts": "mcts:simulations=60",
    "hybrid": "hybrid:depth=2,simulations=60",
    "minimax": "minimax:depth=3",
}
AT_RANDOM = {("connect_four", "easy")}
"""Whom a document describes as playing anything."""
SLOW_EARLY = {("connect_four", "perfect")}
"""Who searches near the start for minutes; tests of the game's own ask such players later in a game."""
PAIRS = [(name, player) for name in NAMES for player in players_of(load(name))]

every_player = pytest.mark.parametrize(("name", "player"), PAIRS)


def build(name: str, player: str, seed: int = 1) -> Agent:
    if (name, player) in SLOW_EARLY:
        pytest.skip("asked later in the game, in tests of its own")
    spec = QUICK.get(player, player)
    if player == "neural":
        spec = f"neural:checkpoint={untrained_checkpoint(name)},simulations=16"
    try:
        return make_agent(spec, game=load(name), seed=seed)
    except UnavailableError as error:
        pytest.skip(error.reason)


@functools.cache
def sample(name: str) -> tuple[Any, ...]:
    return some_positions(name, 5, seed=7)


def check(analysis: Any, position: Any) -> None:
    moves = [one.move for one in analysis.moves]
    assert analysis.position == position
    assert sorted(str(move) for move in moves) == sorted(str(move) for move in position.moves())
    assert analysis.best in moves
    scores = [one.score for one in analysis.moves]
    assert scores == sorted(scores, reverse=True)
    for one in analysis.moves:
        assert one.value is None or -1 <= one.value <= 1
        assert one.distance is None or one.distance > 0
        assert one.variation[0] == one.move
        line = position
        for move in one.variation:
            line = line.play(move)
        if one.distance == 1:
            assert position.play(one.move).outcome is not None
    if analysis.win_draw_loss is not None:
        assert sum(analysis.win_draw_loss) == pytest.approx(1)


@every_player
def test_an_analysis_covers_exactly_the_legal_moves_with_legal_variations(name: str, player: str) -> None:
    agent = build(name, player)
    assert agent.game is games.load(name)
    for position in sample(name):
        check(agent.analyse(position), position)
        *_, last = agent.stream(position)
        check(last, position)
    for analysis, position in zip(agent.analyse_many(sample(name)), sample(name), strict=True):
        check(analysis, position)


@every_player
def test_the_same_seed_plays_the_same_game(name: str, player: str) -> None:
    def game() -> list[Any]:
        agents = [build(name, player, seed=seed) for seed in (5, 6)]
        positions = [games.load(name).sample_start()]
        while positions[-1].outcome is None and len(positions) < 10:
            move = agents[len(positions) % 2].choose(positions[-1])
            assert move in positions[-1].moves()
            positions.append(positions[-1].play(move))
        return positions

    assert game() == game()


@functools.cache
def wins_in_one(name: str) -> list[Any]:
    game, rng = games.load(name), random.Random(8)
    found: list[Any] = []
    while len(found) < 6:
        found += [one for one in random_game(game, rng) if one.outcome is None and winning_moves(game, one)][:1]
    return found


@every_player
def test_a_win_in_one_is_played_by_all_who_look(name: str, player: str) -> None:
    if player == "random" or (name, player) in AT_RANDOM:
        pytest.skip("plays anything")
    game = games.load(name)
    for seed, position in enumerate(wins_in_one(name)):
        agent, wins = build(name, player, seed), winning_moves(game, position)
        assert agent.choose(position) in wins, str(position)
        assert agent.analyse(position).best in wins, str(position)


@every_player
def test_a_player_told_to_stop_answers(name: str, player: str) -> None:
    agent, start = build(name, player), games.load(name).sample_start()
    assert agent.choose(start, stop=lambda: True) in start.moves()
    assert list(agent.stream(start, stop=lambda: True))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("spec", ["minimax:seconds=1000", "mcts:seconds=1000", "mcts:simulations=1000000000"])
def test_a_player_with_all_the_time_in_the_world_stops_when_told(name: str, spec: str) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    start = games.load(name).sample_start()
    assert make_agent(spec, game=load(name), seed=1).choose(start, stop=stop) in start.moves()


@every_player
def test_a_finished_game_is_refused(name: str, player: str) -> None:
    agent = build(name, player)
    over = list(random_game(games.load(name), random.Random(9)))[-1]
    with pytest.raises(AgentError, match="game is over"):
        agent.analyse(over)
    with pytest.raises(AgentError, match="game is over"):
        agent.choose(over)


@pytest.mark.parametrize("name", NAMES)
def test_a_player_that_the_game_does_not_have_is_refused_in_one_line(name: str) -> None:
    for other in NAMES:
        for player in set(games.load(other).players) - set(players_of(load(name))):
            with pytest.raises(AgentError) as error:
                make_agent(player, game=load(name))
            assert games.load(other).title in str(error.value)
            assert games.load(name).title in str(error.value)
            assert "\n" not in str(error.value)
    with pytest.raises(AgentError, match="did you mean minimax"):
        make_agent("minimaks", game=load(name))
    other = next(other for other in NAMES if other != name)
    with pytest.raises(AgentError, match=f"plays {other}, not {name}"):
        make_agent(f"neural:checkpoint={untrained_checkpoint(other)}", game=load(name))
    with pytest.raises(games.GameError, match="no game is called"):
        make_agent("random", game=load("chess"))
