"""Snapshots of runs on one scale of Elo."""

import json
from pathlib import Path

import pytest

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.studies.learning_plot import picture_learning
from alphadiamond.studies.rating import RateSettings, chosen, matches, rate_runs
from alphadiamond.studies.settings import PictureLearningSettings
from alphadiamond.training.evaluation import Ladder, opponents
from alphadiamond.training.settings import EvaluationSettings
from tests.training.damage import tiny
from tests.training.small import training


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    directories = [tmp_path_factory.mktemp("runs") / name for name in ("one", "two")]
    for directory in directories:
        training(directory, tiny(4)).run()
    return directories


def test_snapshots_are_spread_over_the_run_with_both_ends(runs: list[Path]) -> None:
    assert [snapshot.iteration for snapshot in chosen(str(runs[0]), 8)] == [0, 2, 4]
    assert [snapshot.iteration for snapshot in chosen(str(runs[0]), 2)] == [0, 4]
    assert [snapshot.iteration for snapshot in chosen(str(runs[0]), 1)] == [4]
    with pytest.raises(AlphaDiamondError, match="no snapshots are there"):
        chosen(str(runs[0].parent), 2)


def test_a_run_of_another_game_is_told_by_its_name_and_not_passed_over(runs: list[Path]) -> None:
    with pytest.raises(AlphaDiamondError, match=r"a run of diamond_chase: rate it with game=diamond_chase$"):
        chosen(str(runs[0]), 2, game=load("dame"))


def test_matches_join_all_runs_and_baselines(runs: list[Path]) -> None:
    snapshots = [snapshot for run in runs for snapshot in chosen(str(run), 3)]
    played = matches(snapshots, ["random"])
    assert len(set(played)) == len(played)
    joined = {snapshots[0].name}
    for _ in played:
        joined |= {name for pair in played if joined & set(pair) for name in pair}
    assert joined == {*(snapshot.name for snapshot in snapshots), "random"}
    assert any(one.split("@")[0] != two.split("@")[0] and two != "random" for one, two in played)


def test_runs_are_rated_and_drawn(tmp_path: Path, runs: list[Path]) -> None:
    names = [str(run) for run in runs]
    rate_runs(RateSettings(runs=names, baselines=["random"], snapshots=2, pairs=2, simulations=2, output=str(tmp_path)))
    figures = json.loads((tmp_path / "ratings.json").read_text())
    assert [(row["run"], row["iteration"]) for row in figures["snapshots"]] == [(n, i) for n in names for i in (0, 4)]
    assert all(row["low"] <= row["elo"] <= row["high"] for row in figures["snapshots"])
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")


class _Scores:
    """Workers whose matches end as the strengths of the two sides say."""

    def pit(self, first: dict[str, float], second: dict[str, float], pairings: list[object], settings: object):  # type: ignore[no-untyped-def]
        better = first["strength"] > second["strength"]
        return [1.5 if better and i % 2 else 1.0 for i in range(len(pairings))]


def test_the_ladder_rises_as_long_as_the_network_gets_better_and_survives_a_restart() -> None:
    import numpy as np

    settings = EvaluationSettings(earlier=2, earlier_pairs=8)
    ladder, ratings = Ladder(game=GAME), []
    for number in (20, 40, 60, 80):
        ladder = Ladder(ladder.state(), game=GAME)  # as if the run had been stopped
        mine = {"strength": float(min(number, 60))}
        earlier = lambda iteration: {"strength": float(iteration)}  # noqa: E731
        metrics = ladder.climb(number, mine, earlier, _Scores(), settings, np.random.default_rng(1))  # type: ignore[arg-type]
        ratings.append(metrics["elo/earlier"])
    assert ratings[0] == 0
    assert ratings[0] < ratings[1] < ratings[2]
    assert ratings[3] < ratings[2] + 20, "80 is no better than 60"
    assert ladder.rated == [20, 40, 60, 80]


def test_a_snapshot_meets_the_last_one_and_those_half_way_back() -> None:
    assert opponents([], 2) == []
    assert opponents([20], 2) == [20]
    assert opponents([20, 40, 60, 80, 100], 3) == [100, 60, 40]


def test_one_position_is_pictured_as_the_snapshots_see_it(tmp_path: Path, runs: list[Path]) -> None:
    path = tmp_path / "learning.png"
    picture_learning(PictureLearningSettings(run=str(runs[0]), iterations=[0, 2, 4], output=str(path)))
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(AlphaDiamondError, match=r"iteration-000003\.safetensors: no such checkpoint"):
        picture_learning(PictureLearningSettings(run=str(runs[0]), iterations=[3], output=str(path)))
