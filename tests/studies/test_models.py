"""Models that learn from the same samples for the same time, and then play with the same time for a move."""

import json
from pathlib import Path
from typing import Any

import pytest

from alphadiamond.studies import models
from alphadiamond.studies.models import same_time
from alphadiamond.studies.settings import CompareModelsSettings, sized
from alphadiamond.training.learner import Learner
from alphadiamond.training.settings import LearnerSettings
from tests.training.damage import tiny
from tests.training.small import training


def test_a_kind_and_its_size_name_a_model() -> None:
    found = sized("orbit:24x6")
    assert found is not None
    assert (found.kind, found.width, found.blocks) == ("orbit", 24, 6)
    assert sized("orbit_medium") is None
    assert sized("orbit:24x0") is None


def test_whoever_answers_twice_as_fast_gets_twice_the_simulations() -> None:
    slow, fast = {"evaluations_per_second": 10_000.0}, {"evaluations_per_second": 20_000.0}
    assert same_time(64, slow, fast) == 128
    assert same_time(64, fast, slow) == 32
    assert same_time(1, fast, slow) >= 1


def test_models_learn_and_play_against_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    training(tmp_path / "run", tiny(4)).run()
    rates = []

    class Watched(Learner):
        def learn(self, *args: Any, **kwargs: Any) -> dict[str, float]:
            measures = super().learn(*args, **kwargs)
            rates.append(measures["learning_rate"])
            return measures

    monkeypatch.setattr(models, "Learner", Watched)
    monkeypatch.setattr(models, "_speed", lambda learner, _: 1000.0 / learner.model.config.blocks)
    names = ["mlp:8x1", "orbit:3x2", "graph_small"]
    models.compare(
        CompareModelsSettings(
            run=str(tmp_path / "run"),
            models=names,
            seconds=0.01,
            pairs=3,
            simulations=8,
            output=str(tmp_path / "out.json"),
        )
    )
    figures = json.loads((tmp_path / "out.json").read_text())
    assert list(figures["models"]) == names
    assert all(model["steps"] > 0 for model in figures["models"].values())
    usual = LearnerSettings()
    assert rates[0] == pytest.approx(usual.learning_rate * 5.5 / usual.warmup), "ten steps of the learner's usual rate"
    assert list(figures["matches"]) == names[1:], "each against the first"
    match = figures["matches"]["orbit:3x2"]
    assert match["simulations"] == 4, "half as fast, half the simulations"
    assert sum(match["pairs"]) == 3
    assert match["interval"][0] <= match["score"] <= match["interval"][1]
    printed = capsys.readouterr().out
    assert "against mlp:8x1" in printed
    assert "policy top 1" in printed
