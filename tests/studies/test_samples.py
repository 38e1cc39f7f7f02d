"""A run's samples against the solution, counted once more move by move."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.board import ACTIONS
from alphadiamond.games.diamond_chase.solver import Tablebase
from alphadiamond.settings import check
from alphadiamond.studies.samples import study
from alphadiamond.studies.settings import SampleQualitySettings
from alphadiamond.training.replay_buffer import chunk_path
from alphadiamond.training.samples import Samples
from tests.solutions import small_position


def positions(count: int) -> list[Position]:
    rng = np.random.default_rng(3)
    found = []
    while len(found) < count:
        position = small_position(rng)
        if position.outcome is None and position.moves():
            found.append(Position(position.own, position.opp, Side.GREEN))
    return found


def samples_of(chosen: list[Position], rng: np.random.Generator) -> Samples:
    """Samples whose policies and values are random."""
    count = len(chosen)
    policy = np.zeros((count, ACTIONS), dtype=np.float16)
    for row, position in zip(policy, chosen, strict=True):
        actions = [move.action for move in position.moves()]
        row[actions] = rng.dirichlet(np.full(len(actions), 0.3)).astype(np.float16) + np.float16(0.001)
    return Samples(
        states=np.array([[position.own, position.opp, 0, 1] for position in chosen], dtype=np.int32),
        policy=policy,
        value=rng.dirichlet(np.ones(3), count).astype(np.float32),
        outcome=np.zeros(count, dtype=np.int8),
        reply=np.full(count, -1, dtype=np.int16),
        survivors=np.zeros(count, dtype=np.int32),
        iteration=np.ones(count, dtype=np.int32),
    )


def write(run: Path, iteration: int, samples: Samples) -> None:
    path = chunk_path(run / "samples", iteration)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **samples.arrays())  # type: ignore[arg-type]


def settings(run: Path, **changes: object) -> SampleQualitySettings:
    return dataclasses.replace(SampleQualitySettings(run=str(run), output=str(run / "out.json")), **changes)  # type: ignore[arg-type]


def test_samples_are_counted_as_the_solution_says_move_by_move(tmp_path: Path, small_tablebase: Tablebase) -> None:
    rng = np.random.default_rng(1)
    chosen = positions(150)
    samples = samples_of(chosen, rng)
    write(tmp_path, 1, samples.rows(slice(0, 60)))
    write(tmp_path, 2, samples.rows(slice(60, None)))
    report = study(settings(tmp_path), small_tablebase)
    hard = kept = right = 0
    by_value = dict.fromkeys(("won", "drawn", "lost"), 0)
    weight = 0.0
    for number, position in enumerate(chosen):
        value = small_tablebase.probe(position).value
        after = {move.action: -small_tablebase.probe(position.play(move)).value for move in position.moves()}
        good = {action for action, worth in after.items() if worth == value}
        by_value[{1: "won", 0: "drawn", -1: "lost"}[value]] += 1
        right += int(np.argmax(samples.value[number])) == 1 - value
        if good and len(good) < len(after):
            hard += 1
            policy = samples.policy[number].astype(float)
            kept += int(policy.argmax()) in good
            weight += sum(policy[action] for action in good) / policy.sum()
    assert hard > 20
    assert 0 < kept < hard
    assert (report.whole.samples, report.whole.hard, report.whole.kept, report.whole.result) == (150, hard, kept, right)
    assert report.whole.weight == pytest.approx(weight)
    assert {name: report.groups[name].samples for name in by_value} == by_value
    assert report.groups["lost"].hard == 0, "where all is lost nothing can go wrong"
    assert sum(report.groups[f"{beads} beads"].samples for beads in (8, 9)) == 150
    assert {number: quality.samples for number, quality in report.iterations.items()} == {1: 60, 2: 90}
    figures = json.loads((tmp_path / "out.json").read_text())
    assert figures["groups"]["all"]["kept_share"] == kept / hard
    low, high = figures["groups"]["all"]["interval"]
    assert low < kept / hard < high


def test_iterations_can_be_chosen_and_a_damaged_file_is_passed_over(
    tmp_path: Path, small_tablebase: Tablebase, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = samples_of(positions(30), np.random.default_rng(2))
    for iteration in (1, 2, 3):
        write(tmp_path, iteration, samples)
    chunk_path(tmp_path / "samples", 3).write_bytes(b"nothing")
    report = study(settings(tmp_path, first=2), small_tablebase)
    assert list(report.iterations) == [2]
    assert "passed over" in capsys.readouterr().err
    with pytest.raises(AlphaDiamondError, match="of the iterations asked for none is there, but 1 to 3"):
        study(settings(tmp_path, first=7), small_tablebase)
    with pytest.raises(AlphaDiamondError, match="none of its samples can be read"):
        study(settings(tmp_path, first=3), small_tablebase)


def test_a_directory_without_samples_and_a_missing_solution_are_said_in_one_line(
    tmp_path: Path, small_tablebase: Tablebase
) -> None:
    with pytest.raises(AlphaDiamondError, match="no samples are there"):
        study(settings(tmp_path), small_tablebase)
    with pytest.raises(AlphaDiamondError, match="expected no less than `first`, which is 5"):
        check(settings(tmp_path, first=5, last=2))
    write(tmp_path, 1, samples_of(positions(3), np.random.default_rng(2)))
    with pytest.raises(AlphaDiamondError, match=r"4v4.layer: missing; `make solve` makes it"):
        study(settings(tmp_path, tablebase=str(tmp_path)))
