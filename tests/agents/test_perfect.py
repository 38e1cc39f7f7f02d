"""The perfect player."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.agents import Agent, AgentError, UnavailableError, check_player, make_agent, players_of
from alphadiamond.agents.registry import agent_class
from alphadiamond.base.game import Game
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import Tablebase
from examples.tic_tac_toe import TicTacToe
from tests.games.diamond_chase.samples import random_position
from tests.solutions import small_position


@pytest.fixture
def tablebase(perfect_small: Tablebase) -> Tablebase:
    """The small layers alone, for the tests and for the player: quickly made, and no move leads out of them."""
    return perfect_small


def play(position: Position, players: dict[Side, Agent]) -> tuple[Position, int]:
    """The end of a game, and how many plies it took."""
    plies = 0
    while position.outcome is None:
        position = position.play(players[position.side].choose(position))
        plies += 1
    return position, plies


def positions_of_value(
    tablebase: Tablebase, value: int, count: int, *, seed: int, sample: Callable[[np.random.Generator], Position]
) -> list[Position]:
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = sample(rng)
        if tablebase.probe(position).value == value:
            found.append(position)
    return found


def test_every_move_gets_its_exact_value_and_distance(tablebase: Tablebase) -> None:
    perfect = make_agent("perfect", seed=1, game=GAME)
    rng = np.random.default_rng(1)
    for _ in range(60):
        position = small_position(rng)
        analysis = perfect.analyse(position)
        assert sorted(one.move for one in analysis.moves) == position.moves()
        for one in analysis.moves:
            after = tablebase.probe(position.play(one.move))
            assert one.value == -after.value
            assert one.distance == (after.distance + 1 if after.value else None)
        scores = [one.score for one in analysis.moves]
        assert scores == sorted(scores, reverse=True)
        assert analysis.best == analysis.moves[0].move
        assert analysis.value == tablebase.probe(position).value
        assert analysis.exact


def test_against_itself_a_won_position_takes_exactly_its_distance(tablebase: Tablebase) -> None:
    players = {Side.GREEN: make_agent("perfect", seed=1, game=GAME), Side.RED: make_agent("perfect", seed=2, game=GAME)}
    for value in (1, -1):
        for position in positions_of_value(tablebase, value, 20, seed=2, sample=small_position):
            end, plies = play(position, players)
            assert end.outcome
            assert end.outcome.winner is (position.side if value == 1 else position.side.other)
            assert plies == tablebase.probe(position).distance


@pytest.mark.parametrize("opponent", ["random", "greedy", "minimax:depth=2"])
def test_a_won_position_is_won_within_its_distance(tablebase: Tablebase, opponent: str) -> None:
    perfect, other = make_agent("perfect", seed=1, game=GAME), make_agent(opponent, seed=2, game=GAME)
    for position in positions_of_value(tablebase, 1, 15, seed=3, sample=small_position):
        end, plies = play(position, {position.side: perfect, position.side.other: other})
        assert end.outcome
        assert end.outcome.winner is position.side
        assert plies <= tablebase.probe(position).distance


def test_among_drawing_moves_it_leaves_the_most_ways_to_go_wrong(tablebase: Tablebase) -> None:
    perfect = make_agent("perfect", seed=1, game=GAME)
    told_apart = 0
    for position in positions_of_value(tablebase, 0, 60, seed=4, sample=small_position):

        def ways_to_lose(after: Position) -> int:
            return sum(tablebase.probe(after.play(reply)).value == 1 for reply in after.moves())

        drawing = [after for move in position.moves() if tablebase.probe(after := position.play(move)).value == 0]
        counts = [ways_to_lose(after) for after in drawing]
        assert ways_to_lose(position.play(perfect.choose(position))) == max(counts)
        told_apart += len(set(counts)) > 1
    assert told_apart > 20


def test_the_seed_chooses_among_equals(tablebase: Tablebase) -> None:
    chosen = []
    for position in positions_of_value(tablebase, 0, 10, seed=8, sample=small_position):
        chosen.append({make_agent("perfect", seed=seed, game=GAME).choose(position) for seed in range(20)})
        for seed in range(5):
            first, second = (make_agent("perfect", seed=seed, game=GAME) for _ in range(2))
            assert first.choose(position) == second.choose(position)
            assert first.reseed(seed)
            assert first.choose(position) == make_agent("perfect", seed=seed, game=GAME).choose(position)
    assert max(len(moves) for moves in chosen) > 1


def test_a_lost_position_is_saved_where_a_draw_rule_ends_the_game(tablebase: Tablebase) -> None:
    for lost in positions_of_value(tablebase, -1, 200, seed=5, sample=small_position):
        # One ply before the no-capture limit any quiet move ends the game as a draw.
        late = Position(lost.own, lost.opp, lost.side, quiet=99)
        if any(not late.removed_by(move) for move in late.moves()):
            analysis = make_agent("perfect", seed=1, game=GAME).analyse(late)
            assert analysis.value == 0
            assert late.play(analysis.best).outcome is not None
            return
    pytest.fail("no lost position with a quiet move")


def test_without_a_tablebase_the_error_says_how_to_make_one(tmp_path: object) -> None:
    with pytest.raises(AgentError, match=r"no tablebase there; .*make solve"):
        make_agent(f"perfect:tablebase={tmp_path}/none", game=GAME)
    with pytest.raises(AgentError, match=r"4v4\.layer: missing; `make solve` makes it"):
        make_agent(f"perfect:tablebase={tmp_path}", game=GAME)
    with pytest.raises(AgentError, match=r"no whole tablebase there; .*make solve"):
        agent_class("perfect", game=GAME).check(tablebase=str(tmp_path))


@pytest.mark.parametrize("name", ["connect_four", "dame"])
def test_checking_a_command_line_solves_nothing_and_writes_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solution(self: Game) -> None:
        raise AssertionError("checking asks for the solution")

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(type(load(name)), "solution", solution)
    check_player("perfect:seed=3", game=load(name))
    check_player("perfect")  # for any game: Diamond Chase has no tablebase there
    with pytest.raises(AgentError, match="seed"):
        check_player("perfect:seed=-1", game=load(name))
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_nobody_has_solved_has_no_perfect_player() -> None:
    with pytest.raises(UnavailableError, match="Tic-tac-toe is not solved here"):
        check_player("perfect", game=TicTacToe())


QUICK = {
    "hybrid": "hybrid:depth=3,simulations=100",
    "mcts": "mcts:simulations=200",
    "minimax": "minimax:depth=4",
}
OPPONENTS = [*(QUICK.get(name, name) for name in players_of(GAME)), "minimax:depth=2", "minimax:depth=6"]


def against(opponent: str, directory: Path) -> list[tuple[int, str]]:
    """Seeds and names of the perfect player and its opponent, with the tablebase in this directory."""
    perfect = f"perfect:tablebase={directory}"
    return [(1, perfect), (2, perfect if opponent == "perfect" else opponent)]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_it_never_loses(whole_directory: Path, whole_tablebase: Tablebase, opponent: str) -> None:
    """From the start and from random drawn positions, on either side."""
    perfect, other = (make_agent(spec, seed=seed, game=GAME) for seed, spec in against(opponent, whole_directory))
    drawn = positions_of_value(whole_tablebase, 0, 200, seed=6, sample=random_position)
    for game, position in enumerate([*drawn, *[Position.start()] * 200]):
        side = Side(game % 2)
        end, _ = play(position, {side: perfect, side.other: other})
        assert end.outcome
        assert end.outcome.winner in (None, side)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_it_always_converts_won_positions_within_their_distance(
    whole_directory: Path, whole_tablebase: Tablebase, opponent: str
) -> None:
    perfect, other = (make_agent(spec, seed=seed, game=GAME) for seed, spec in against(opponent, whole_directory))
    for position in positions_of_value(whole_tablebase, 1, 200, seed=7, sample=random_position):
        end, plies = play(position, {position.side: perfect, position.side.other: other})
        assert end.outcome
        assert end.outcome.winner is position.side
        assert plies <= whole_tablebase.probe(position).distance
