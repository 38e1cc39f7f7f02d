"""What every registered player does, whatever it is."""

import functools
import itertools
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from alphadiamond.agents import Agent, AgentError, make_agent, players_of
from alphadiamond.games.diamond_chase import Position, Reason, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players.tactics import winning_moves
from tests.agents.networks import untrained_checkpoint
from tests.agents.positions import middle_game, placed, shuffled

QUICK = {
    "mcts": "mcts:simulations=60",
    "hybrid": "hybrid:depth=3,simulations=60",
    "minimax": "minimax:depth=3",
    "neural": f"neural:checkpoint={untrained_checkpoint()},simulations=40",
}
SPECS = [pytest.param(QUICK.get(name, name), id=name) for name in players_of(GAME)]
UNHURRIED = ["minimax:seconds=1000", "mcts:seconds=1000", "hybrid:seconds=1000", "mcts:simulations=1000000000"]

every_player = pytest.mark.parametrize("spec", SPECS)


@pytest.fixture(autouse=True)
def small_solution(request: pytest.FixtureRequest) -> None:
    """The perfect player knows the small layers, which are quickly solved; it is asked about these alone."""
    callspec = getattr(request.node, "callspec", None)
    if callspec is not None and callspec.params.get("spec") == "perfect":
        request.getfixturevalue("perfect_small")


def beads_of(spec: str) -> int:
    """How many beads may be on the board for this player."""
    return 9 if spec == "perfect" else 12


def known(found: Iterator[Position], beads: int) -> Iterator[Position]:
    return (position for position in found if (position.own | position.opp).bit_count() <= beads)


def many(make: Callable[[], Position], count: int, beads: int) -> list[Position]:
    return list(itertools.islice(known((make() for _ in itertools.count()), beads), count))


def start_of(spec: str) -> Position:
    """Where a game begins; for a player that knows no position of so many beads, later in the game."""
    return sample(beads_of(spec))[0]


@functools.cache
def sample(beads: int = 12) -> list[Position]:
    """Positions of every kind, with both sides to move."""
    rng = np.random.default_rng(11)
    found = list(known(iter([Position.start()]), beads)) or [placed(rng, 5, 4)]
    found += many(lambda: middle_game(rng), 6, beads)
    found += many(lambda: shuffled(rng, 12), 4, beads)
    found += [placed(rng, 4, 4, quiet=quiet) for quiet in (97, 98, 99)]
    return found


@functools.cache
def one_ply_before_a_draw(beads: int) -> list[Position]:
    """Positions in which a legal move makes a third occurrence, and some with the no-capture limit one ply away."""
    rng = np.random.default_rng(12)
    found: list[Position] = []
    while len(found) < 4:
        (position,) = many(lambda: shuffled(rng, 11), 1, beads)
        outcomes = [position.play(move).outcome for move in position.moves()]
        if any(outcome is not None and outcome.reason is Reason.REPETITION for outcome in outcomes):
            found.append(position)
    return found + [placed(rng, 5, min(5, beads - 5), quiet=99) for _ in range(2)]


@functools.cache
def wins_in_one(beads: int) -> list[Position]:
    rng = np.random.default_rng(13)
    found: list[Position] = []
    while len(found) < 30:
        position = placed(rng, int(rng.integers(4, min(7, beads - 3))), 4, quiet=int(rng.integers(0, 100)))
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
    agent = make_agent(spec, seed=1, game=GAME)
    for position in sample(beads_of(spec)):
        check(agent, position)


@every_player
def test_moves_come_best_first(spec: str) -> None:
    agent = make_agent(spec, seed=1, game=GAME)
    for position in sample(beads_of(spec)):
        scores = [one.score for one in agent.analyse(position).moves]
        assert scores == sorted(scores, reverse=True)


@every_player
def test_positions_one_ply_before_a_draw_are_played_on(spec: str) -> None:
    agent = make_agent(spec, seed=1, game=GAME)
    for position in one_ply_before_a_draw(beads_of(spec)):
        check(agent, position)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.id != "random"])
def test_a_win_in_one_is_always_played(spec: str) -> None:
    for seed, position in enumerate(wins_in_one(beads_of(spec))):
        agent = make_agent(spec, seed=seed, game=GAME)
        assert agent.choose(position) in winning_moves(position), str(position)
        assert agent.analyse(position).best in winning_moves(position), str(position)


@every_player
def test_the_same_seed_plays_the_same_game(spec: str) -> None:
    def game() -> list[Position]:
        green, red = make_agent(spec, seed=5, game=GAME), make_agent(spec, seed=6, game=GAME)
        positions = [start_of(spec)]
        while positions[-1].outcome is None and len(positions) < 12:
            agent = green if positions[-1].side is Side.GREEN else red
            positions.append(positions[-1].play(agent.choose(positions[-1])))
        return positions

    assert game() == game()


@every_player
def test_the_side_to_move_may_have_either_colour(spec: str) -> None:
    # The same beads with colours exchanged are the same decision, and a seeded player sees no difference.
    for position in sample(beads_of(spec))[1:7]:
        turned = Position(position.own, position.opp, position.side.other, position.quiet)
        plain = Position(position.own, position.opp, position.side, position.quiet)
        assert make_agent(spec, seed=3, game=GAME).choose(turned) == make_agent(spec, seed=3, game=GAME).choose(plain)


@every_player
def test_a_finished_game_is_refused(spec: str) -> None:
    over = Position(0b111, 0b1111 << 10, Side.GREEN)
    assert over.outcome is not None
    agent = make_agent(spec, seed=1, game=GAME)
    for ask in (agent.analyse, agent.choose, lambda position: list(agent.stream(position))):
        with pytest.raises(AgentError, match="game is over"):
            ask(over)


@every_player
def test_the_last_of_a_stream_covers_the_legal_moves(spec: str) -> None:
    position = sample(beads_of(spec))[2]
    analyses = list(make_agent(spec, seed=1, game=GAME).stream(position))
    assert analyses
    for analysis in analyses:
        assert {one.move for one in analysis.moves} == set(position.moves())


@pytest.mark.parametrize("spec", SPECS + UNHURRIED)
def test_a_player_told_to_stop_answers(spec: str) -> None:
    agent, start = make_agent(spec, seed=1, game=GAME), start_of(spec)
    assert agent.choose(start, stop=lambda: True) in start.moves()
    assert agent.analyse(start, stop=lambda: True).best in start.moves()
    assert list(agent.stream(start, stop=lambda: True))


@every_player
def test_a_player_can_be_ordered_in_another_process(spec: str) -> None:
    order = pickle.loads(pickle.dumps(functools.partial(make_agent, spec, seed=2, game=GAME)))
    assert order().choose(start_of(spec)) == make_agent(spec, seed=2, game=GAME).choose(start_of(spec))


@every_player
def test_a_player_keeps_its_name(spec: str) -> None:
    assert make_agent(f" {spec} ", game=GAME).spec == spec


@every_player
def test_many_positions_are_answered_like_one(spec: str) -> None:
    """Random players begin from the same seed in both cases."""
    positions = sample(beads_of(spec))
    together = make_agent(spec, seed=3, game=GAME).analyse_many(positions)
    alone = make_agent(spec, seed=3, game=GAME)
    for position, many in zip(positions, together, strict=True):
        alone.reset()
        one = alone.analyse(position)
        assert many.position == position
        scores = {move.move: move.score for move in one.moves}  # the order of equals is open
        assert {move.move: move.score for move in many.moves} == pytest.approx(scores, abs=1e-4)
        assert scores[many.best] == pytest.approx(scores[one.best], abs=1e-4)


def test_the_bare_policy_of_many_positions_is_that_of_each() -> None:
    agent = make_agent(f"neural:checkpoint={untrained_checkpoint()},simulations=0", game=GAME)
    for position, many in zip(sample(), agent.analyse_many(sample()), strict=True):
        one = agent.analyse(position)
        scores = {move.move: move.score for move in one.moves}
        assert {move.move: move.score for move in many.moves} == pytest.approx(scores, abs=1e-5)
        assert many.win_draw_loss == pytest.approx(one.win_draw_loss, abs=1e-5)
    assert agent.analyse_many([]) == []
