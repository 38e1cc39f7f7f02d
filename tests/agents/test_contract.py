"""What every registered player does, whatever it is."""

import functools
import pickle

import numpy as np
import pytest

from alphadiamond.agents import PLAYERS, Agent, AgentError, make_agent
from alphadiamond.agents.tactics import winning_moves
from alphadiamond.game import Position, Reason, Side
from alphadiamond.solver import Tablebase
from tests.agents.networks import untrained_checkpoint
from tests.agents.positions import middle_game, placed, shuffled

QUICK = {
    "mcts": "mcts:simulations=60",
    "hybrid": "hybrid:depth=3,simulations=60",
    "minimax": "minimax:depth=3",
    "neural": f"neural:checkpoint={untrained_checkpoint()},simulations=40",
}
NEEDS = {"perfect": pytest.mark.skipif(Tablebase.find() is None, reason="no tablebase here: `make solve` makes one")}
SPECS = [pytest.param(QUICK.get(name, name), marks=NEEDS.get(name, ()), id=name) for name in PLAYERS]
UNHURRIED = ["minimax:seconds=1000", "mcts:seconds=1000", "hybrid:seconds=1000", "mcts:simulations=1000000000"]

every_player = pytest.mark.parametrize("spec", SPECS)


@functools.cache
def sample() -> list[Position]:
    """Positions of every kind, with both sides to move."""
    rng = np.random.default_rng(11)
    found = [Position.start()]
    found += [middle_game(rng) for _ in range(6)]
    found += [shuffled(rng, 12) for _ in range(4)]
    found += [placed(rng, 4, 4, quiet=quiet) for quiet in (97, 98, 99)]
    return found


@functools.cache
def one_ply_before_a_draw() -> list[Position]:
    """Positions in which a legal move makes a third occurrence, and some with the no-capture limit one ply away."""
    rng = np.random.default_rng(12)
    found: list[Position] = []
    while len(found) < 4:
        position = shuffled(rng, 11)
        outcomes = [position.play(move).outcome for move in position.moves()]
        if any(outcome is not None and outcome.reason is Reason.REPETITION for outcome in outcomes):
            found.append(position)
    return found + [placed(rng, 5, 5, quiet=99) for _ in range(2)]


@functools.cache
def wins_in_one() -> list[Position]:
    rng = np.random.default_rng(13)
    found: list[Position] = []
    while len(found) < 30:
        position = placed(rng, int(rng.integers(4, 7)), 4, quiet=int(rng.integers(0, 100)))
        if winning_moves(position):
            found.append(position)
    return found


def check(agent: Agent, position: Position) -> None:
    analysis = agent.analyse(position)
    moves = [one.move for one in analysis.moves]
    assert analysis.position == position
    assert sorted(moves) == sorted(position.moves())
    assert analysis.best in moves
    for one in analysis.moves:
        assert one.value is None or -1 <= one.value <= 1
        assert one.variation[0] == one.move
        line = position
        for move in one.variation:
            line = line.play(move)
    if analysis.win_draw_loss is not None:
        assert sum(analysis.win_draw_loss) == pytest.approx(1)


@every_player
def test_an_analysis_covers_exactly_the_legal_moves_with_legal_variations(spec: str) -> None:
    agent = make_agent(spec, seed=1)
    for position in sample():
        check(agent, position)


@every_player
def test_moves_come_best_first(spec: str) -> None:
    agent = make_agent(spec, seed=1)
    for position in sample():
        scores = [one.score for one in agent.analyse(position).moves]
        assert scores == sorted(scores, reverse=True)


@every_player
def test_positions_one_ply_before_a_draw_are_played_on(spec: str) -> None:
    agent = make_agent(spec, seed=1)
    for position in one_ply_before_a_draw():
        check(agent, position)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.id != "random"])
def test_a_win_in_one_is_always_played(spec: str) -> None:
    for seed, position in enumerate(wins_in_one()):
        agent = make_agent(spec, seed=seed)
        assert agent.choose(position) in winning_moves(position), str(position)
        assert agent.analyse(position).best in winning_moves(position), str(position)


@every_player
def test_the_same_seed_plays_the_same_game(spec: str) -> None:
    def game() -> list[Position]:
        green, red = make_agent(spec, seed=5), make_agent(spec, seed=6)
        positions = [Position.start()]
        while positions[-1].outcome is None and len(positions) < 12:
            agent = green if positions[-1].side is Side.GREEN else red
            positions.append(positions[-1].play(agent.choose(positions[-1])))
        return positions

    assert game() == game()


@every_player
def test_the_side_to_move_may_have_either_colour(spec: str) -> None:
    # The same beads with colours exchanged are the same decision, and a seeded player sees no difference.
    for position in sample()[1:7]:
        turned = Position(position.own, position.opp, position.side.other, position.quiet)
        plain = Position(position.own, position.opp, position.side, position.quiet)
        assert make_agent(spec, seed=3).choose(turned) == make_agent(spec, seed=3).choose(plain)


@every_player
def test_a_finished_game_is_refused(spec: str) -> None:
    over = Position(0b111, 0b1111 << 10, Side.GREEN)
    assert over.outcome is not None
    agent = make_agent(spec, seed=1)
    for ask in (agent.analyse, agent.choose, lambda position: list(agent.stream(position))):
        with pytest.raises(AgentError, match="game is over"):
            ask(over)


@every_player
def test_the_last_of_a_stream_covers_the_legal_moves(spec: str) -> None:
    position = sample()[2]
    analyses = list(make_agent(spec, seed=1).stream(position))
    assert analyses
    for analysis in analyses:
        assert {one.move for one in analysis.moves} == set(position.moves())


@pytest.mark.parametrize("spec", SPECS + UNHURRIED)
def test_a_player_told_to_stop_answers(spec: str) -> None:
    agent = make_agent(spec, seed=1)
    assert agent.choose(Position.start(), stop=lambda: True) in Position.start().moves()
    assert agent.analyse(Position.start(), stop=lambda: True).best in Position.start().moves()
    assert list(agent.stream(Position.start(), stop=lambda: True))


@every_player
def test_a_player_can_be_ordered_in_another_process(spec: str) -> None:
    order = pickle.loads(pickle.dumps(functools.partial(make_agent, spec, seed=2)))
    assert order().choose(Position.start()) == make_agent(spec, seed=2).choose(Position.start())


@every_player
def test_a_player_keeps_its_name(spec: str) -> None:
    assert make_agent(f" {spec} ").spec == spec


@every_player
def test_many_positions_are_answered_like_one(spec: str) -> None:
    """Random players begin from the same seed in both cases."""
    together = make_agent(spec, seed=3).analyse_many(sample())
    alone = make_agent(spec, seed=3)
    for position, many in zip(sample(), together, strict=True):
        alone.reset()
        one = alone.analyse(position)
        assert many.position == position
        scores = {move.move: move.score for move in one.moves}  # the order of equals is open
        assert {move.move: move.score for move in many.moves} == pytest.approx(scores, abs=1e-4)
        assert scores[many.best] == pytest.approx(scores[one.best], abs=1e-4)


def test_the_bare_policy_of_many_positions_is_that_of_each() -> None:
    agent = make_agent(f"neural:checkpoint={untrained_checkpoint()},simulations=0")
    for position, many in zip(sample(), agent.analyse_many(sample()), strict=True):
        one = agent.analyse(position)
        scores = {move.move: move.score for move in one.moves}
        assert {move.move: move.score for move in many.moves} == pytest.approx(scores, abs=1e-5)
        assert many.win_draw_loss == pytest.approx(one.win_draw_loss, abs=1e-5)
    assert agent.analyse_many([]) == []
