"""The networks that are shipped: that they load, and do in the exam what their READMEs say."""

import re
from typing import NamedTuple

import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.neural import NeuralAgent
from alphadiamond.arena import Exam, ExamResult, exam_batch, run_exam
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.resources import champion_of


class Goal(NamedTuple):
    """The shares of the exam that a network has reached and is held to."""

    bare: float
    searched: float
    """With 100 simulations."""
    phase: float
    """Of the bare policy in every phase of the game."""
    result: float
    """Of positions whose result the bare network knows."""
    rounding: float = 0.001
    """How far nearly equal moves that change places, where another processor rounds otherwise, may move a share."""


GOALS = {
    "diamond_chase": Goal(0.989, 0.9985, 0.98, 0.95),
    "connect_four": Goal(0.92, 0.98, 0.88, 0.8, rounding=0.002),
    "dame": Goal(0.97, 0.995, 0.9, 0.9),
}
OVERLOOKED = {
    "r/gg/./.../.rg..rg/g.r/./../. g 39": {"ne-ni", "ne-en"},
    "./g./r/.gg/......r/..g/r/r./g g 59": {"es-ei", "es-se"},
}
every_game = pytest.mark.parametrize("game", GOALS)


def readme(game: str) -> str:
    return champion_of(load(game)).with_name("README.md").read_text()


def stated(game: str, row: str) -> float:
    """The share that the README's table of results states in this row."""
    found = re.search(rf"^\| {row} \| ([\d.]+) %", readme(game), flags=re.MULTILINE)
    assert found is not None, row
    return float(found[1]) / 100


def exam_of(game: str) -> Exam:
    return Exam.load(game=load(game))


def bare_policy(game: str) -> ExamResult:
    exam = exam_of(game)
    evaluator = Evaluator(load_checkpoint(champion_of(load(game)), game=load(game)).model, device="cpu", threads=1)
    policy, wdl = evaluator(exam.states)
    return exam_batch(policy.argmax(axis=1), wdl, exam=exam)


@every_game
def test_it_loads_and_is_the_one_that_its_readme_describes(game: str) -> None:
    checkpoint = load_checkpoint(champion_of(load(game)), game=load(game))
    config = checkpoint.metadata.config
    assert f"{checkpoint.model.parameter_count():,} parameters" in readme(game)
    assert re.search(rf"{config.width} channels a \w+, {config.blocks} blocks", readme(game))
    assert checkpoint.metadata.step > 10_000
    agent = make_agent("neural:device=cpu", game=load(game))
    assert isinstance(agent, NeuralAgent)
    assert agent.path == champion_of(load(game))


@every_game
def test_its_bare_policy_keeps_the_value_as_often_as_stated(game: str) -> None:
    """All positions, in one batch."""
    result = bare_policy(game)
    assert result.kept.value == pytest.approx(stated(game, "exam, bare policy"), abs=GOALS[game].rounding)
    assert result.kept.value >= GOALS[game].bare
    assert result.result_right is not None
    assert result.result_right.value > GOALS[game].result
    assert min(share.value for share in result.by_phase.values() if share.count) > GOALS[game].phase


@every_game
def test_a_search_keeps_it_more_often_still(game: str) -> None:
    result = run_exam(
        make_agent("neural:simulations=100,device=cpu", seed=1, game=load(game)), positions=300, exam=exam_of(game)
    )
    assert result.kept.value >= GOALS[game].searched - 0.015, "more than chance takes away from 300 positions"


def test_a_reply_that_the_network_overlooks_is_found_before_it_costs_the_game() -> None:
    """Two positions of lost games, images of each other: of the moves there, two lose, one of them the likeliest."""
    agent = make_agent("neural:simulations=100,device=cpu", seed=1, game=GAME)
    for text, losing in OVERLOOKED.items():
        position = Position.parse(text)
        assert str(agent.choose(position)) not in losing


@pytest.mark.slow
@every_game
def test_with_100_simulations_it_keeps_the_value_as_often_as_stated(game: str) -> None:
    result = run_exam(make_agent("neural:simulations=100,device=cpu", seed=1, game=load(game)), exam=exam_of(game))
    print(result.kept)
    assert result.kept.value == pytest.approx(stated(game, "exam, 100 simulations"), abs=GOALS[game].rounding)
    assert result.kept.value >= GOALS[game].searched
