"""A run of another game than the first, through every stage of the loop."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from alphadiamond import games
from alphadiamond.games import load
from alphadiamond.network import CheckpointError, load_checkpoint, read_metadata
from alphadiamond.training.loop import Training
from alphadiamond.training.replay_buffer import read_samples
from alphadiamond.training.resume import settings_in_force
from alphadiamond.training.rundir import RunDirectory, RunError, read_metrics
from alphadiamond.training.settings import TrainSettings
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import InlineWorkers
from tests.training.small import MODEL, SELFPLAY, settings


@pytest.fixture(scope="module", autouse=True)
def known() -> Iterator[None]:
    games.register("tic_tac_toe", "examples.tic_tac_toe:TicTacToe")
    yield
    games.unregister("tic_tac_toe")


def small() -> TrainSettings:
    of = settings(iterations=2, game="tic_tac_toe", selfplay=replace(SELFPLAY, games=16, rounds=8))
    of.gate.every = of.evaluation.every = of.evaluation.exam_every = 1
    of.evaluation.baselines = ["random"]
    return of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, known: None) -> RunDirectory:
    of, directory = small(), RunDirectory(tmp_path_factory.mktemp("run"))
    job = WorkerJob(MODEL, of.selfplay, of.seed, "cpu", of.cache, games.load(of.game))
    Training(of, directory, InlineWorkers(job, count=1)).run()
    return directory


def test_it_plays_learns_and_measures(run: RunDirectory) -> None:
    first, last = read_metrics(run.metrics)
    assert last["games/played"] > 0
    assert last["gate/pairs"] > 0
    assert 0 <= last["score/random"] <= 1
    assert "exam/kept" not in last, "there is no exam"
    ends = {name for name in last if name.startswith("endings/")}
    assert ends == {"endings/proof", "endings/three_in_a_row", "endings/full_board"}
    samples = read_samples(run.sample_files()[1])
    assert samples.states.shape[1:] == (3,)
    assert samples.policy.shape[1:] == (9,)
    assert (samples.survivors == 0).all()
    assert first["loss/total"] > 0


def test_its_networks_say_what_they_play_and_are_refused_by_others(run: RunDirectory) -> None:
    assert read_metadata(run.champion).game == "tic_tac_toe"
    assert load_checkpoint(run.champion).model.game.name == "tic_tac_toe"
    with pytest.raises(CheckpointError, match="plays tic_tac_toe, not diamond_chase: name a checkpoint of that game"):
        load_checkpoint(run.champion, game=load("diamond_chase"))


def test_it_does_not_go_on_as_another_game(run: RunDirectory) -> None:
    from alphadiamond.training.recovery import examine

    found = examine(run)
    assert found is not None
    assert settings_in_force(small(), found, run, given=[]).game == "tic_tac_toe"
    other = small()
    other.game = "diamond_chase"
    with pytest.raises(RunError, match="was started with game=tic_tac_toe, not diamond_chase"):
        settings_in_force(other, found, run, given=[])


def test_runs_of_other_games_have_their_name_in_their_directory() -> None:
    assert str(TrainSettings(profile="smoke").directory) == "runs/smoke"
    assert str(TrainSettings(profile="smoke", game="tic_tac_toe").directory) == "runs/tic_tac_toe-smoke"
