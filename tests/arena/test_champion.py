"""The network that is shipped: that it loads, and does in the exam what its README says."""

import re
from pathlib import Path

import pytest

from alphadiamond.agents import make_agent
from alphadiamond.agents.neural import NeuralAgent
from alphadiamond.arena import Exam, ExamResult, exam_batch, run_exam
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.resources import CHAMPION

README = (Path(__file__).parents[2] / "checkpoints" / "diamond_chase" / "README.md").read_text()


def stated(row: str) -> float:
    """The share that the README's table of results states in this row."""
    found = re.search(rf"^\| {row} \| ([\d.]+) %", README, flags=re.MULTILINE)
    assert found is not None, row
    return float(found[1]) / 100


def bare_policy() -> ExamResult:
    exam = Exam.load()
    evaluator = Evaluator(load_checkpoint(CHAMPION).model, device="cpu", threads=1)
    policy, wdl = evaluator(exam.states)
    return exam_batch(policy.argmax(axis=1), wdl)


def test_it_loads_and_is_the_one_that_its_readme_describes() -> None:
    checkpoint = load_checkpoint(CHAMPION)
    assert f"{checkpoint.model.parameter_count():,} parameters" in README
    assert f"{checkpoint.metadata.config.width} channels a node, {checkpoint.metadata.config.blocks} blocks" in README
    assert checkpoint.metadata.step > 10_000
    agent = make_agent("neural:device=cpu")
    assert isinstance(agent, NeuralAgent)
    assert agent.path == CHAMPION


def test_its_bare_policy_keeps_the_value_as_often_as_stated() -> None:
    """All 12,000 positions, in one batch."""
    result = bare_policy()
    assert result.kept.value == pytest.approx(stated("exam, bare policy"), abs=0.001)  # nearly equal moves may change
    assert result.kept.value >= 0.97
    assert result.result_right is not None
    assert result.result_right.value > 0.9
    assert min(share.value for share in result.by_phase.values()) > 0.95, "in every phase of the game"


def test_a_search_keeps_it_more_often_still() -> None:
    """100 simulations go wrong in three positions of a thousand; more than six of 300 would be no chance."""
    result = run_exam(make_agent("neural:simulations=100,device=cpu", seed=1), positions=300)
    assert result.kept.value >= 0.98


@pytest.mark.slow
def test_with_100_simulations_it_keeps_the_value_as_often_as_stated() -> None:
    result = run_exam(make_agent("neural:simulations=100,device=cpu", seed=1))
    print(result.kept)
    assert result.kept.value == pytest.approx(stated("exam, 100 simulations"), abs=0.001)
    assert result.kept.value >= 0.995
