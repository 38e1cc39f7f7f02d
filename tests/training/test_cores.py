"""A run on more cores: the same games and the same learning, in less time."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import build_model
from alphadiamond.settings import check
from alphadiamond.training.cores import Split, shares, split
from alphadiamond.training.loop import Training
from alphadiamond.training.migrations import migrated
from alphadiamond.training.reshard import reshard
from alphadiamond.training.resume import settings_in_force
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.settings import SelfPlaySettings, TrainSettings
from alphadiamond.training.worker import weights_of
from alphadiamond.training.workers import InlineWorkers
from tests.training.damage import tiny
from tests.training.small import MODEL, SELFPLAY, evaluator, job_of, same, settings, training


def test_on_two_cores_two_workers_have_128_games_each_as_ever() -> None:
    assert split(2, games=SelfPlaySettings().games) == Split(workers=2, threads=1)
    assert shares(SelfPlaySettings().games, 2) == [128, 128]
    assert SelfPlaySettings().rounds == 96


@pytest.mark.parametrize(
    ("cores", "expected"), [(1, (1, 1)), (3, (3, 1)), (4, (3, 1)), (8, (6, 2)), (16, (12, 4)), (64, (60, 4))]
)
def test_of_many_cores_the_learner_gets_some(cores: int, expected: tuple[int, int]) -> None:
    assert split(cores, games=256) == Split(*expected)


def test_what_is_told_counts_and_nobody_is_without_games() -> None:
    assert split(16, games=256, workers=3) == Split(3, 4)
    assert split(16, games=256, threads=1) == Split(15, 1)
    assert split(2, games=256, workers=2, threads=2) == Split(2, 2)
    assert split(64, games=16) == Split(4, 4)
    assert split(2, games=1, workers=2) == Split(1, 1)


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 60])
def test_every_game_has_one_worker(workers: int) -> None:
    dealt = shares(256, workers)
    assert sum(dealt) == 256
    assert len(dealt) == workers
    assert max(dealt) - min(dealt) <= 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_iteration_is_as_many_moves_and_the_run_as_many_steps_for_any_number_of_workers(
    tmp_path: Path, count: int
) -> None:
    of = settings()
    workers = InlineWorkers(job_of(of), count=count)
    run = Training(of, RunDirectory(tmp_path), workers)
    expected = of.iterations * SELFPLAY.games * SELFPLAY.rounds * of.learner.reuse / of.learner.batch
    assert run.state.learner.total_steps == expected
    workers.start([])
    workers.update(weights_of(build_model(MODEL, seed=1, game=GAME)))
    workers.begin(1, SELFPLAY.simulations)
    results = workers.collect()
    moves = sum(
        sum(summary.plies for summary in result.summaries) + int(result.state["lengths"].sum())
        for result in results
        if result is not None
    )
    assert moves == SELFPLAY.games * SELFPLAY.rounds


def test_more_workers_than_games_are_refused() -> None:
    with pytest.raises(Exception, match=r"workers=9: expected no more than selfplay.games, which is 8"):
        check(dataclasses.replace(tiny(1), workers=9))


def games_of(states: list[dict[str, np.ndarray]]) -> list[tuple[object, ...]]:  # type: ignore[type-arg]
    """Every game in progress, wherever it is played."""
    found = []
    for state in (state for state in states if state):
        ends = np.cumsum(state["lengths"])
        for g, (end, length) in enumerate(zip(ends, state["lengths"], strict=True)):
            plies = (
                state["ply_states"][end - length : end].tobytes() + state["ply_policy"][end - length : end].tobytes()
            )
            found.append((state["states"][g].tobytes(), state["history"][g].tobytes(), int(length), *plies))
    return found


def some_states(counts: list[int]) -> list[dict[str, np.ndarray]]:  # type: ignore[type-arg]
    states = []
    for number, count in enumerate(counts):
        play = SelfPlay(dataclasses.replace(SELFPLAY, games=count, rounds=9), seed=number, game=GAME)
        play.play(evaluator(), iteration=1)
        states.append(play.state())
    return states


def test_workers_that_stay_the_same_keep_their_games_and_a_lost_one_begins_anew() -> None:
    states = some_states([4, 4])
    assert reshard(states, [4, 4]) == states
    assert reshard([{}, states[1]], [4, 4]) == [{}, states[1]]
    assert reshard([{}, {}], [3, 3, 2]) == [{}, {}, {}]


@pytest.mark.parametrize("counts", [[8], [3, 3, 2], [1] * 8, [5, 5]])
def test_other_workers_are_dealt_the_same_games(counts: list[int]) -> None:
    states = some_states([4, 4])
    dealt = reshard(states, counts)
    assert games_of(dealt) == games_of(states), "none is lost, none is there twice"
    restored = []
    for count, state in zip(counts, dealt, strict=True):
        play = SelfPlay(dataclasses.replace(SELFPLAY, games=count, rounds=5), seed=9, game=GAME)
        play.restore(state)
        restored.append(play.state())
        play.play(evaluator(), iteration=2)
    kept = [game for state in restored for game in games_of([state]) if game[2]]
    assert kept == [game for game in games_of(states) if game[2]]


def test_a_run_goes_on_with_another_number_of_workers(tmp_path: Path) -> None:
    training(tmp_path, tiny(2), count=2).run()
    before = RunDirectory(tmp_path).load_state(RunDirectory(tmp_path).states()[0])
    run = training(tmp_path, tiny(3), count=3)
    run.run()
    assert run.state.progress.iteration == 3
    assert [len(state["known"]) for state in run.state.worker_states] == [3, 3, 2]
    assert run.state.progress.simulations > before["progress"]["simulations"]


def as_it_was(config: dict[str, object], workers: int) -> dict[str, object]:
    """Settings as they were stored when games were counted for each worker, and matches were called duels."""
    old = json.loads(json.dumps(config))
    old["selfplay"]["games"] //= workers
    del old["selfplay"]["late_after"]
    old["selfplay"]["late_from"] = 3
    for stage, names in {"gate": ["pit"], "evaluation": ["pit", "earlier_pit"]}.items():
        for name in names:
            old[stage][name.replace("pit", "duel")] = old[stage].pop(name)
    return old  # type: ignore[no-any-return]


def test_a_run_of_before_goes_on_bit_for_bit_as_if_nothing_had_changed(tmp_path: Path) -> None:
    runs = [RunDirectory(tmp_path / name) for name in ("now", "before")]
    for run in runs:
        training(run.path, tiny(2), count=2).run()
    old = runs[1]
    state = old.load_state(old.states()[0])
    state["config"] = json.dumps(as_it_was(json.loads(state["config"]), 2))
    old.save_state(2, state, keep=3)
    old.write_config(json.loads(state["config"]))
    for run in runs:
        going_on = training(run.path, tiny(4), count=2)
        assert going_on.found is not None
        assert not going_on.found.lost
        going_on.run()
        assert set(read_changes(run.path)) == {"iterations"}
    states = [run.load_state(run.states()[0]) for run in runs]
    for part in ("learner", "champion", "generator", "workers", "replay"):
        assert same(states[0][part], states[1][part]), part
    now = json.loads(old.config.read_text())
    assert now["selfplay"]["games"] == 8
    assert now["gate"].keys() == json.loads(runs[0].config.read_text())["gate"].keys()
    again = training(old.path, tiny(4), count=2)
    assert again.found is not None
    assert not again.found.lost, "config.json says what the state says"
    resumed = settings_in_force(TrainSettings(resume=str(old.path)), again.found, old, given=["resume"])
    assert resumed.selfplay.games == 8


def read_changes(path: Path) -> dict[str, object]:
    lines = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    return next(line["changed"] for line in lines if line.get("changed"))  # type: ignore[no-any-return]


@pytest.mark.parametrize("first", [0, 1, 2, 110, 280])
def test_late_simulations_of_before_begin_in_the_same_iteration(first: int) -> None:
    old = {"iterations": 280, "selfplay": {"games": 128, "late_from": first, "late_simulations": 64}}
    new = migrated(old, workers=2)
    assert new["selfplay"]["games"] == 256
    assert migrated(new, workers=2) == new
    assert old["selfplay"]["games"] == 128, "what was given is left alone"
    made = SelfPlaySettings(simulations=32, late_simulations=64, late_after=new["selfplay"]["late_after"])
    if first == 110:
        assert made.late_after == 0.39, "as the profile says it"
    late = [iteration for iteration in range(1, 281) if made.simulations_in(iteration, of=280) == 64]
    assert late[0] == max(1, first)
    assert late == list(range(late[0], 281))


def test_a_run_from_before_there_were_several_games_is_of_the_first() -> None:
    assert migrated({"selfplay": {"late_after": 0.4}}, workers=2)["game"] == "diamond_chase"
    assert migrated({"selfplay": {"late_after": 0.4}, "game": "other"}, workers=2)["game"] == "other"


def test_a_run_from_before_searches_looked_ahead_goes_on_without() -> None:
    old = {
        "selfplay": {"late_after": 0.4, "search": {"method": "gumbel"}},
        "gate": {"duel": {"search": {}}},
        "game": "x",
    }
    new = migrated(old, workers=2)
    assert new["selfplay"]["search"] == {"method": "gumbel", "two_ply_lookahead": False}
    assert new["gate"]["pit"]["search"] == {"two_ply_lookahead": False}
    said = {"selfplay": {"late_after": 0.4, "search": {"two_ply_lookahead": True}}, "game": "x"}
    assert migrated(said, workers=2) == said
    assert "two_ply_lookahead" not in old["selfplay"]["search"], "what was stored is not changed"


@pytest.mark.parametrize("looks", [True, False])
def test_a_run_that_says_foresee_looks_ahead_as_it_says(looks: bool) -> None:
    old = {"selfplay": {"late_after": 0.4, "search": {"foresee": looks}}, "game": "x"}
    new = migrated(old, workers=2)
    assert new["selfplay"]["search"] == {"two_ply_lookahead": looks}
    assert migrated(new, workers=2) == new
    assert old["selfplay"]["search"] == {"foresee": looks}, "what was stored is not changed"


def test_settings_that_are_no_settings_are_left_alone() -> None:
    for config in ({}, {"selfplay": 3}, {"selfplay": {"games": "x"}, "iterations": 3}, {"selfplay": {"games": 4}}):
        assert migrated(config, workers=2) == config


def test_threads_of_the_learner_are_those_that_the_workers_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alphadiamond.training.settings.available_cores", lambda: 16)
    assert TrainSettings(device="cpu").split() == Split(12, 4)
    assert TrainSettings(device="cuda").split() == Split(1, 1)
    selfplay = dataclasses.replace(SELFPLAY, games=13)
    run = training(tmp_path, dataclasses.replace(tiny(1), workers=13, selfplay=selfplay))
    run.run()
    assert run.state.learner.threads == 3


# Late simulations


def test_late_simulations_begin_after_their_share_of_the_run() -> None:
    made = SelfPlaySettings(simulations=8, late_simulations=20, late_after=0.5)
    assert [made.simulations_in(iteration, of=4) for iteration in (1, 2, 3, 4)] == [8, 8, 20, 20]
    assert [made.simulations_in(iteration, of=2) for iteration in (1, 2)] == [8, 20]
    same_all_along = dataclasses.replace(made, late_simulations=0)
    assert {same_all_along.simulations_in(iteration, of=4) for iteration in (1, 4)} == {8}
    assert dataclasses.replace(made, late_after=0.0).simulations_in(1, of=4) == 20
    assert dataclasses.replace(made, late_after=1.0).simulations_in(4, of=4) == 8


class Counting(InlineWorkers):
    """Notes what it is asked for, and how much was really searched."""

    def begin(self, iteration: int, simulations: int) -> None:
        self.asked = [*getattr(self, "asked", []), (iteration, simulations)]
        super().begin(iteration, simulations)


@pytest.mark.parametrize("method", ["gumbel", "puct"])
def test_a_run_searches_more_in_its_later_part(tmp_path: Path, method: str) -> None:
    of = tiny(4)
    of.selfplay = dataclasses.replace(of.selfplay, simulations=2, late_simulations=7, late_after=0.5, games=4, rounds=6)
    of.selfplay.search = dataclasses.replace(of.selfplay.search, method=method)
    workers = Counting(job_of(of), count=1)
    made: list[float] = []
    run = Training(of, RunDirectory(tmp_path), workers)
    stage = run.play_games

    def counted() -> dict[str, float]:
        before = run.state.progress.simulations
        metrics = stage()
        made.append(run.state.progress.simulations - before)
        return metrics

    run.play_games = counted  # type: ignore[method-assign]
    run.run()
    assert workers.asked == [(1, 2), (2, 2), (3, 7), (4, 7)]
    moves = of.selfplay.games * of.selfplay.rounds
    assert max(made[:2]) <= 2 * moves
    assert all(3 * moves < searched <= 7 * moves for searched in made[2:])


def test_a_run_that_goes_on_in_its_later_part_keeps_on_searching_more(tmp_path: Path) -> None:
    def of(iterations: int) -> TrainSettings:
        made = tiny(iterations)
        made.selfplay = dataclasses.replace(made.selfplay, late_simulations=5, late_after=0.25, games=4, rounds=6)
        return made

    training(tmp_path, of(4)).run()
    workers = Counting(job_of(of(6)), count=1)
    Training(of(6), RunDirectory(tmp_path), workers).run()
    assert workers.asked == [(5, 5), (6, 5)]


def test_trees_are_large_enough_for_late_simulations() -> None:
    made = dataclasses.replace(SELFPLAY, games=3, rounds=3, simulations=2, late_simulations=40)
    play = SelfPlay(made, seed=1, game=GAME)
    play.play(evaluator(), iteration=1, simulations=40)
    assert play.statistics["simulations"] > 3 * 3 * 20
    fewer = SelfPlay(made, seed=1, game=GAME)
    fewer.play(evaluator(), iteration=1)
    assert fewer.statistics["simulations"] <= 3 * 3 * 2
