"""Holes against training time: each snapshot proven once, with a table and a picture."""

import json
from pathlib import Path

import pytest

from alphadiamond.games import load
from alphadiamond.network import ModelConfig, build_model, save_checkpoint
from alphadiamond.studies import holes
from alphadiamond.studies.settings import HolesSettings
from alphadiamond.training.rundir import RunDirectory


def make_run(path: Path, iterations: list[int]) -> Path:
    game = load("dame")
    for iteration in iterations:
        model = build_model(ModelConfig(kind="mlp", width=4, blocks=1), game, seed=iteration)
        extra = {"iteration": iteration, "games": 10 * iteration, "hours": iteration / 60}
        file = RunDirectory(path).snapshots / f"iteration-{iteration:06}.safetensors"
        file.parent.mkdir(parents=True, exist_ok=True)
        save_checkpoint(file, model, step=iteration, extra=extra)
    return path


def test_every_snapshot_is_proven_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load("dame")), "solution", lambda self: None)
    run = make_run(tmp_path / "run", [1, 2, 4])
    settings = HolesSettings(
        game="dame", runs=[str(run)], snapshots=2, plies=2, workers=1, output=str(tmp_path / "out")
    )
    holes.study(settings)
    found = json.loads((tmp_path / "out" / "holes.json").read_text())["snapshots"]
    assert [(one["run"], one["iteration"], one["minutes"]) for one in found] == [("run", 1, 1.0), ("run", 4, 4.0)]
    assert all(one["positions"] > 1 and not one["closed"] for one in found)
    table = (tmp_path / "out" / "holes.md").read_text()
    assert "| run | 4 | 4.0 | " in table
    assert " and more | not asked | not asked | " in table
    assert (tmp_path / "out" / "holes.png").read_bytes().startswith(b"\x89PNG")
