"""That it learns: from nothing, in a minute or so."""

from pathlib import Path

import pytest

from alphadiamond.arena.exam import Exam, ExamResult, exam_batch
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, Model, ModelConfig
from alphadiamond.search import SearchSettings
from alphadiamond.training.learner import LearnerSettings
from alphadiamond.training.loop import Training
from alphadiamond.training.replay_buffer import ReplaySettings
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.selfplay import SelfPlaySettings
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import InlineWorkers
from tests.training.small import settings


def examined(model: Model) -> ExamResult:
    exam = Exam.load(game=GAME)
    policy, wdl = Evaluator(model, device="cpu", threads=1)(exam.states)
    return exam_batch(policy.argmax(axis=1), wdl, exam=exam)


@pytest.mark.slow
def test_from_scratch_the_exam_score_rises_beyond_luck(tmp_path: Path) -> None:
    of = settings(iterations=16, model=ModelConfig(width=8, blocks=3))
    of.selfplay = SelfPlaySettings(games=96, rounds=64, simulations=24, search=SearchSettings(method="gumbel"))
    of.learner = LearnerSettings(batch=256, decay_from=0.5)
    of.replay = ReplaySettings()
    of.gate.every = of.evaluation.every = of.evaluation.exam_every = 1000
    workers = InlineWorkers(WorkerJob(of.model, of.selfplay, of.seed, "cpu", 1 << 17, game=GAME), count=1)
    training = Training(of, RunDirectory(tmp_path), workers)
    before = examined(training.state.learner.averaged)
    training.run()
    after = examined(training.state.learner.averaged)
    print(f"before {before.kept}, after {after.kept}")
    # The two intervals of 95 % are half a point wide or so; the gain is many times that.
    assert after.kept.interval[0] > before.kept.interval[1] + 0.15
