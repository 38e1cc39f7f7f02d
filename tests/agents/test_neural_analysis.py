"""What the network player says of moves, against the exact solution, and how its settings reach the search."""

from pathlib import Path

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.neural import NeuralAgent
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players.tactics import winning_moves
from alphadiamond.games.diamond_chase.solver import Tablebase
from alphadiamond.network import ModelConfig, build_model, save_checkpoint
from tests.agents.networks import untrained_checkpoint
from tests.agents.positions import middle_game, placed
from tests.solutions import small_position

CROWDED = "./.g/./.r./r.g..r./.../g/.r/g g 0"


def neural(parameters: str, checkpoint: Path | None = None) -> NeuralAgent:
    agent = make_agent(
        f"neural:checkpoint={checkpoint or untrained_checkpoint()},device=cpu,{parameters}", seed=1, game=GAME
    )
    assert isinstance(agent, NeuralAgent)
    return agent


@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_proven_moves_are_what_they_are_and_rank_by_their_distance(small_tablebase: Tablebase, method: str) -> None:
    rng = np.random.default_rng(1)
    agent = neural(f"simulations=400,method={method}")
    proven = {1: 0, -1: 0}
    sample = [small_position(rng) for _ in range(600)]
    won = [
        position for position in sample if (near := small_tablebase.probe(position)).value == 1 and near.distance < 6
    ]
    assert len(won) >= 30
    for position in [*sample[:30], *won[:30]]:
        analysis = agent.analyse(position)
        assert analysis.simulations == 400 or analysis.exact
        for one in analysis.moves:
            if one.distance is None:
                assert one.score < 10_000
                continue
            exact = small_tablebase.probe(position.play(one.move))
            assert one.value == -exact.value
            assert one.distance >= exact.distance + 1
            assert (one.distance - exact.distance) % 2 == 1, "a player who wins moves last"
            assert one.score * one.value > 10_000
            proven[-exact.value] += 1
        wins = [one.distance for one in analysis.moves if one.distance is not None and one.value == 1]
        assert wins == sorted(wins), "the fastest first"
        losses = [one.distance for one in analysis.moves if one.distance is not None and one.value == -1]
        assert losses == sorted(losses, reverse=True), "the slowest first"
        scores = [one.score for one in analysis.moves]
        assert scores == sorted(scores, reverse=True)
    assert min(proven.values()) > 8


@pytest.mark.parametrize("simulations", [0, 30])
def test_what_a_batch_has_read_stays_as_it_was_when_the_place_is_used_again(simulations: int) -> None:
    rng = np.random.default_rng(4)
    agent = neural(f"simulations={simulations}")
    batch = agent.batch(places=2, memory=1 << 30)
    findings, asked = [], []
    for _ in range(3):
        positions = [middle_game(rng), middle_game(rng)]
        places = batch.begin(positions)
        assert batch.free == 0
        while set(batch.done()) != set(places):
            batch.work(stop=lambda: False)
        asked += positions[::-1]
        findings += batch.read(places[::-1])
        batch.end(places)
    for position, finding in zip(asked, findings, strict=True):
        agent.reset()
        found, alone = finding(), agent.analyse(position)
        assert found.position == position
        assert [(one.move, one.visits, one.variation) for one in found.moves] == [
            (one.move, one.visits, one.variation) for one in alone.moves
        ]
        assert found.win_draw_loss == pytest.approx(alone.win_draw_loss, abs=1e-4)


def test_a_win_in_one_needs_no_search() -> None:
    rng = np.random.default_rng(2)
    agent, found = neural("simulations=1"), 0
    while found < 20:
        position = placed(rng, 5, 4)
        if wins := winning_moves(position):
            found += 1
            analysis = agent.analyse(position)
            assert analysis.best in wins
            assert analysis.exact
            assert analysis.win_draw_loss == (1, 0, 0)
            assert {one.move for one in analysis.moves if one.distance == 1} == set(wins)


@pytest.mark.parametrize(
    ("parameters", "method", "leaves"),
    [
        ("simulations=100", "gumbel", 1),
        ("simulations=1001", "puct", 1),
        ("seconds=0.1", "puct", 8),
        ("simulations=100,method=puct", "puct", 1),
        ("simulations=100,method=puct,leaves=3", "puct", 3),
    ],
)
def test_the_budget_decides_how_it_is_spent(parameters: str, method: str, leaves: int) -> None:
    settings = neural(parameters)._search.settings
    assert (settings.method, settings.leaves) == (method, leaves)


def test_more_replies_are_tried_where_positions_recur() -> None:
    assert neural("simulations=100")._search.settings.widening > 0
    other = make_agent("neural:simulations=100,device=cpu", game=load("connect_four"))
    assert isinstance(other, NeuralAgent)
    assert other._search.settings.widening == 0


@pytest.mark.parametrize(("simulations", "tried"), [(8, 2), (32, 4), (100, 8)])
def test_few_simulations_are_spent_on_few_moves(simulations: int, tried: int) -> None:
    position = Position.parse(CROWDED)
    assert len(position.moves()) > tried
    agent = neural(f"simulations={simulations}")
    for analysis in (agent.analyse(position), *agent.analyse_many([position])):
        assert sum((one.visits or 0) > 0 for one in analysis.moves) == tried


def test_averaging_over_the_symmetries_makes_any_network_see_them(tmp_path: Path) -> None:
    path = tmp_path / "mlp.safetensors"
    save_checkpoint(path, build_model(ModelConfig("mlp", width=32, blocks=1, value_width=8), seed=3, game=GAME))

    def gap(parameters: str) -> float:
        agent = neural(f"simulations=0,{parameters}", path)
        position, symmetry = Position.start().play("si-cs"), 3
        here = {one.move.action: one.score for one in agent.analyse(position).moves}
        there = {one.move.action: one.score for one in agent.analyse(position.image(symmetry)).moves}
        return max(abs(here[action] - there[int(ACTION_SYMMETRIES[symmetry, action])]) for action in here)

    assert gap("symmetries=true") < 1e-5 < gap("symmetries=false")
