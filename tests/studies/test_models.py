"""Models that learn from the same samples for the same time, and then play with the same time for a move."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alphadiamond.settings.model import ModelConfig
from alphadiamond.studies import models
from alphadiamond.studies.models import same_time
from alphadiamond.studies.settings import CompareModelsSettings, model_named
from alphadiamond.training.learner import Learner
from alphadiamond.training.settings import LearnerSettings
from tests.training.damage import tiny
from tests.training.small import training


def test_a_kind_or_a_known_model_and_its_size_name_a_model() -> None:
    assert model_named("orbit:24x6") == ModelConfig(kind="orbit", width=24, blocks=6)
    assert model_named("orbit_medium") == ModelConfig(kind="orbit", width=12, blocks=4)
    plain = model_named("conv_pieces_plain")
    assert plain is not None
    assert not plain.worked_out
    assert model_named("conv_pieces_plain:24x1x8") == replace(plain, width=24, blocks=1, repeats=8)
    tied = model_named("conv_pieces_tied:16x1")
    assert tied is not None
    assert (tied.width, tied.repeats) == (16, 5)
    for wrong in ("orbit", "orbit:24x0", "orbit:24", "conv_huge:8x1", "orbit:24x4x0", ""):
        assert model_named(wrong) is None


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
