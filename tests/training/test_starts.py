"""Where games of self-play begin, and what a worker keeps for that."""

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.training.reshard import reshard
from alphadiamond.training.rundir import read_metrics
from alphadiamond.training.samples import Origin
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.starts import RegretBuffer, Starts
from alphadiamond.training.tags import describe
from tests.training.small import SELFPLAY, Careless, evaluator, goes_on_the_same, same, settings, training

WALKS = dataclasses.replace(SELFPLAY, random_starts=0.2, strategy_starts=0.3, regret_starts=0.3, leave=0.1, rounds=60)


def test_games_begin_in_the_shares_that_the_settings_say() -> None:
    starts, rng = Starts(WALKS, game=GAME), np.random.default_rng(1)
    starts.regret.add(GAME.state_of(Position.start()), 0.5)
    starts.prepare(Careless(), rng)
    begun = Counter(starts.draw(rng)[1] for _ in range(400))
    shares = {origin: count / 400 for origin, count in begun.items()}
    expected = {Origin.RANDOM: 0.2, Origin.STRATEGY: 0.3, Origin.REGRET: 0.3, Origin.OPENING: 0.2}
    assert shares == pytest.approx(expected, abs=0.08)


def test_where_there_is_nothing_of_a_kind_yet_a_game_begins_at_random() -> None:
    starts, rng = Starts(dataclasses.replace(WALKS, random_starts=0.0), game=GAME), np.random.default_rng(1)
    assert {starts.draw(rng)[1] for _ in range(60)} == {Origin.OPENING, Origin.RANDOM}


def test_strategy_starts_are_those_that_were_hunted_down_last() -> None:
    told = dataclasses.replace(WALKS, strategy_plies=12, strategy_positions=50)
    starts, rng = Starts(told, game=GAME), np.random.default_rng(3)
    kept = []
    for _ in range(6):
        starts.prepare(Careless(), rng)
        kept.append(starts.state()["hunted"])
    assert len(kept[-1]) == 50
    assert any(len(one) == 50 and (one != kept[-1]).any() for one in kept)
    every = {tuple(state) for state in kept[-1].tolist()}
    drawn = [starts.draw(rng) for _ in range(300)]
    begun = {tuple(state.tolist()) for state, origin, _ in drawn if origin is Origin.STRATEGY}
    assert begun <= every
    assert len(begun) > 25


def test_regrets_fade_with_every_iteration() -> None:
    starts, rng = Starts(WALKS, game=GAME), np.random.default_rng(3)
    starts.regret.add(GAME.state_of(Position.start()), 0.5)
    starts.prepare(Careless(), rng)
    assert starts.state()["regrets"].tolist() == pytest.approx([0.49])


def states(count: int) -> npt.NDArray[np.int64]:
    rng = np.random.default_rng(0)
    return np.stack([GAME.random_start(rng) for _ in range(count)])


def test_the_more_regret_the_oftener_a_position_is_drawn() -> None:
    buffer, rng = RegretBuffer(8, GAME.state_size), np.random.default_rng(2)
    one, two = states(2)
    buffer.add(one, 0.2)
    buffer.add(two, 0.6)
    drawn = Counter(buffer.draw(rng)[1] for _ in range(2000))
    assert drawn[1] / 2000 == pytest.approx(0.75, abs=0.04)
    state, number = buffer.draw(rng)
    assert state.tolist() == (one, two)[number].tolist()


def test_a_full_buffer_drops_what_has_the_least_regret() -> None:
    buffer = RegretBuffer(3, GAME.state_size)
    for state, regret in zip(states(6), (0.5, 0.1, 0.3, 0.05, 0.2, 0.4), strict=True):
        buffer.add(state, regret)
    assert sorted(buffer.state()["regrets"].tolist()) == [0.3, 0.4, 0.5]
    buffer.add(states(1)[0], 0.0)
    assert len(buffer) == 3


def test_a_position_is_kept_once_and_as_if_it_occurred_for_the_first_time() -> None:
    buffer = RegretBuffer(3, GAME.state_size)
    state = states(1)[0]
    twice = state.copy()
    twice[-1] = 2
    for one, regret in ((state, 0.2), (twice, 0.5), (state, 0.3)):
        buffer.add(one, regret)
    assert buffer.state()["regrets"].tolist() == [0.5]
    assert buffer.draw(np.random.default_rng(1))[0].tolist() == state.tolist()


def test_what_was_learnt_since_is_drawn_less() -> None:
    buffer = RegretBuffer(2, GAME.state_size)
    one, two, three = states(3)
    buffer.add(one, 0.8)
    buffer.add(two, 0.4)
    buffer.revise(0, 0.0)
    assert buffer.state()["regrets"].tolist() == pytest.approx([0.4, 0.4])
    buffer.fade()
    assert buffer.state()["regrets"].tolist() == pytest.approx([0.392, 0.392])
    buffer.add(three, 0.9)
    buffer.revise(0, 1.0)  # it is gone: another stands in its place
    assert sorted(buffer.state()["regrets"].tolist()) == pytest.approx([0.392, 0.9])


def test_the_regret_of_a_game_is_how_far_its_targets_are_from_the_search() -> None:
    play = SelfPlay(dataclasses.replace(WALKS, regret_positions=4000), seed=3, game=GAME)
    noted: list[tuple[Any, ...]] = []
    add = play._starts.regret.add

    def watched(state: npt.NDArray[np.int64], regret: float) -> None:
        noted.append((tuple(state.tolist()), regret))
        add(state, regret)

    play._starts.regret.add = watched  # type: ignore[method-assign]
    judged: list[npt.NDArray[np.float32]] = []
    finish = play._finish

    def kept(g: int, *args: Any, **more: Any) -> Any:
        judged.append(np.stack([ply.search_value for ply in play._played[g]]))
        return finish(g, *args, **more)

    play._finish = kept  # type: ignore[method-assign]
    samples, summaries = play.play(evaluator(), iteration=1)
    assert samples is not None
    assert len(noted) == len(summaries) > 12
    ends = np.cumsum([game.plies for game in summaries]).tolist()
    for (state, regret), search, game, end in zip(noted, judged, summaries, ends, strict=True):
        rows = samples.rows(slice(end - game.plies, end))
        gaps = [0.5 * float(np.abs(a - b).sum()) for a, b in zip(rows.value, search, strict=True)]
        assert regret == pytest.approx(max(gaps))
        assert state == tuple(rows.states[int(np.argmax(gaps))].tolist())


def test_a_game_from_the_buffer_revises_its_entry() -> None:
    play = SelfPlay(dataclasses.replace(WALKS, regret_starts=0.6, strategy_starts=0.0), seed=3, game=GAME)
    revised: list[int] = []
    revise = play._starts.regret.revise

    def watched(number: int, regret: float) -> None:
        revised.append(number)
        revise(number, regret)

    play._starts.regret.revise = watched  # type: ignore[method-assign]
    _, summaries = play.play(evaluator(), iteration=1)
    begun = [game.origin for game in summaries].count(Origin.REGRET)
    assert begun == len(revised) > 5


@pytest.mark.parametrize("name", ["diamond_chase", "connect_four", "dame", "labyrinth"])
def test_every_game_can_begin_in_all_ways_and_goes_on_from_a_state_bit_for_bit(name: str) -> None:
    game = load(name)
    model = build_model(ModelConfig(kind="mlp", width=8, blocks=1, value_width=8), game, seed=1)
    judge = Evaluator(model, device="cpu", threads=1)
    told = dataclasses.replace(WALKS, games=8, simulations=4, rounds=64, leave=0.2)
    one = SelfPlay(told, seed=4, game=game)
    _, summaries = one.play(judge, iteration=0)
    assert {summary.origin for summary in summaries} == set(Origin)
    assert len(one.state()["regrets"]) > 0
    goes_on_the_same(one, SelfPlay(told, seed=99, game=game), judge)


def test_no_position_is_lost_when_workers_share_them_out_anew() -> None:
    made = []
    for seed in (1, 2):
        play = SelfPlay(WALKS, seed=seed, game=GAME)
        play.play(evaluator(), iteration=0)
        made.append(play.state())
    given = reshard(made, [8, 8, 8])
    for name in ("regret_states", "regrets", "hunted"):
        before = np.concatenate([state[name] for state in made])
        after = np.concatenate([state[name] for state in given])
        assert sorted(before.tolist()) == sorted(after.tolist())
    for state in given:
        assert (state["entry"] == -1).all()
        assert len(set(state["regret_numbers"].tolist())) == len(state["regrets"])
        play = SelfPlay(dataclasses.replace(WALKS, games=8), seed=5, game=GAME)
        play.restore(state)
        play.play(evaluator(), iteration=1)


def test_a_state_of_before_there_were_such_starts_is_read() -> None:
    play = SelfPlay(SELFPLAY, seed=4, game=GAME)
    play.play(evaluator(), iteration=0)
    state = play.state()
    old = {name: array for name, array in state.items() if not name.startswith(("regret", "hunted", "origin", "entry"))}
    old["from_start"] = state["origin"] == Origin.OPENING
    (read,) = reshard([old], [SELFPLAY.games])
    assert same(read, state)  # type: ignore[arg-type]


def test_a_run_reports_where_its_games_began(tmp_path: Path) -> None:
    of = settings(iterations=2, selfplay=dataclasses.replace(WALKS, rounds=36))
    training(tmp_path, of).run()
    first, last = read_metrics(tmp_path / "metrics.jsonl")
    assert sum(last[f"starts/{origin.label}"] for origin in Origin) == pytest.approx(1)
    assert last["starts/regret"] > 0
    assert 0 < last["regret/regret"] <= 1
    assert 0 < first["regret/positions"] <= last["regret/positions"]
    for tag in ("starts/strategy", "regret/strategy", "regret/positions", "loss/soft"):
        assert describe(tag)
