"""What more costs and what it buys: figures and pictures of tiny runs."""

import itertools
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from alphadiamond.agents import make_agent
from alphadiamond.arena import Exam
from alphadiamond.arena.exam import run_exam
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.settings import check
from alphadiamond.settings.players import PlayerSpec
from alphadiamond.studies import plots, scaling
from alphadiamond.studies.scaling import study
from alphadiamond.studies.settings import ScalingSettings
from tests.training.damage import tiny
from tests.training.small import training


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "one"
    training(directory, tiny(4)).run()
    return directory


def is_picture(path: Path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG")


def test_snapshots_are_examined_against_the_time_they_had(tmp_path: Path, run: Path) -> None:
    settings = ScalingSettings(
        panels=["time"], runs=[str(run)], snapshots=2, time_simulations=[0, 4], positions=60, beside=["greedy"],
        output=str(tmp_path),
    )  # fmt: skip
    lines = study(settings)["time"]["lines"]
    assert list(lines) == ["one (orbit 3 x 1)", "one (orbit 3 x 1), 4 simulations"]
    first, last = lines["one (orbit 3 x 1)"]
    assert (first["iteration"], last["iteration"]) == (0, 4)
    assert first["minutes"] == 0 < last["games"]
    agent = make_agent(f"neural:checkpoint={run}/checkpoints/iteration-000004.safetensors,simulations=0", game=GAME)
    assert last["error"] == pytest.approx(1 - run_exam(agent, positions=60, exam=Exam.load(game=GAME)).kept.value)
    assert last["low"] <= last["error"] <= last["high"]
    assert last["iteration"] == lines["one (orbit 3 x 1), 4 simulations"][1]["iteration"]
    searched = make_agent(
        f"neural:checkpoint={run}/checkpoints/iteration-000004.safetensors,simulations=4", seed=1, game=GAME
    )
    kept = run_exam(searched, positions=60, values=True, exam=Exam.load(game=GAME)).kept.value
    assert lines["one (orbit 3 x 1), 4 simulations"][1]["error"] == pytest.approx(1 - kept)
    assert is_picture(tmp_path / "time.png")


def test_runs_are_examined_against_the_boards_that_they_were_trained_on(tmp_path: Path, run: Path) -> None:
    bounded = tmp_path / "bounded"
    shutil.copytree(run, bounded)
    config = json.loads((bounded / "config.json").read_text())
    config["selfplay"]["boards"] = 2
    (bounded / "config.json").write_text(json.dumps(config))
    settings = ScalingSettings(
        panels=["boards"], runs=[str(run), str(bounded)], positions=40, beside=["greedy"], output=str(tmp_path)
    )
    few, all_different = study(settings)["boards"]["lines"]["bare policy"]
    assert few["boards"] == 2
    assert all_different["boards"] == all_different["games"] == few["games"]
    assert few["error"] == all_different["error"], "the same network"
    assert is_picture(tmp_path / "boards.png")


def test_simulations_and_speed_are_measured_in_parts_and_kept_together(tmp_path: Path, run: Path) -> None:
    champion = str(run / "champion.safetensors")
    first = ScalingSettings(
        panels=["simulations"], checkpoint=champion, simulations=[3, 0], positions=40, beside=["greedy"],
        output=str(tmp_path),
    )  # fmt: skip
    study(first)
    second = ScalingSettings(
        panels=["speed"], checkpoint=champion, cores=[1], games=[1, 3], batches=[2], repeats=1, rounds=1,
        output=str(tmp_path),
    )  # fmt: skip
    study(second)
    figures = json.loads((tmp_path / "scaling.json").read_text())
    assert set(figures) == {"beside", "simulations", "speed"}
    greedy = run_exam(make_agent("greedy", seed=1, game=GAME), positions=40, exam=Exam.load(game=GAME)).kept.value
    assert figures["beside"]["greedy"]["error"] == pytest.approx(1 - greedy)
    assert [point["simulations"] for point in figures["simulations"]["lines"]["error"]] == [0, 3]
    assert figures["simulations"]["lines"]["error"][0]["positions"] == 40
    speeds = figures["speed"]["lines"]
    assert [point["games"] for point in speeds["games"]] == [1, 3]
    assert all(point["rate"] > 0 for points in speeds.values() for point in points)
    assert figures["speed"]["machine"]["cores"] > 0
    assert is_picture(tmp_path / "simulations.png")
    assert is_picture(tmp_path / "speed.png")


def test_players_beside_are_asked_once(tmp_path: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    whole = scaling._error_of

    def count(settings: ScalingSettings, spec: PlayerSpec | str, *, values: bool) -> dict[str, Any]:
        asked.append(str(spec))
        return whole(settings, spec, values=values)

    monkeypatch.setattr(scaling, "_error_of", count)
    settings = ScalingSettings(
        panels=["simulations"], checkpoint=str(run / "champion.safetensors"), simulations=[0], positions=20,
        beside=["greedy"], output=str(tmp_path),
    )  # fmt: skip
    study(settings)
    study(settings)
    assert asked.count("greedy") == 1
    study(replace(settings, positions=30))
    assert asked.count("greedy") == 2, "of other positions it is another figure"


def test_what_cannot_be_drawn_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(AlphaDiamondError, match="the panel `time` needs runs="):
        check(ScalingSettings())
    with pytest.raises(AlphaDiamondError, match="the panel `boards` needs runs="):
        check(ScalingSettings(panels=["boards"]))
    (tmp_path / "scaling.json").write_text("{")
    with pytest.raises(AlphaDiamondError, match=r"scaling.json: cannot be read; move it away"):
        study(ScalingSettings(panels=["simulations"], output=str(tmp_path)))


@pytest.mark.parametrize("errors", [(0.1, 0.01, 0.001), (0.1, 0.01, 0.0), (0.0, 0.0, 0.0)])
def test_an_error_of_nothing_is_drawn_on_the_axis_and_not_beyond_it(errors: tuple[float, ...], tmp_path: Path) -> None:
    points = [
        {"simulations": 10**i, "error": error, "low": error / 2, "high": error + 0.001}
        for i, error in enumerate(errors)
    ]
    figure = Figure(figsize=(9, 5.6))
    plots._error(figure, {"one": points}, "simulations", {}, "Dame")
    figure.savefig(tmp_path / "error.png")
    (axes,) = figure.axes
    low, high = axes.transData.inverted().transform([(0, 0), (0, figure.bbox.height)])[:, 1]
    assert all(axes.get_ylim()[0] <= 100 * error <= axes.get_ylim()[1] for error in errors)
    assert all(low <= tick <= high for tick in axes.get_yticks())
    assert (0 in axes.get_yticks()) == (0 in errors)
    heights = sorted(axes.transData.transform([(0, tick) for tick in axes.get_yticks()])[:, 1])
    assert all(below + 12 < above for below, above in itertools.pairwise(heights)), "their labels lie over each other"
