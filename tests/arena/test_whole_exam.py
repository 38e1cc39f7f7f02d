"""The exam of everything: each position once, counted as a look at every one of them counts, and gone on with."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.arena import ExamError, whole_exam
from alphadiamond.arena.whole_exam import WholeTask, count, count_everything, whole_tables
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase, kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import CLASS_KEPT, WIDTH, position_at

GAME = load("diamond_chase")
RANKED = "tests.proof.players.Ranked"


@pytest.fixture(autouse=True)
def small_solution(small_tablebase: Tablebase, monkeypatch: pytest.MonkeyPatch) -> Tablebase:
    monkeypatch.setattr(whole_exam, "solution_of", lambda game: small_tablebase)
    whole_exam._agent.cache_clear()
    return small_tablebase


def test_positions_that_are_images_of_each_other_are_listed_once(small_tablebase: Tablebase) -> None:
    """In the classes of own beads that are their own images, where a table holds such positions."""
    layer, width = LAYERS[0], int(WIDTH[0, 0])
    kept = np.bitwise_count(CLASS_KEPT[: layer.classes])
    for number in [int(np.argmax(kept == symmetries)) for symmetries in sorted(set(kept.tolist()))]:
        start, stop = number * width, (number + 1) * width
        listed = GAME.pack_positions(GAME.canonical(small_tablebase.states_between(start, stop))[0], None)  # type: ignore[arg-type]
        stable = [i for i in range(start, stop) if small_tablebase._layers[0][i] != kernels.UNSTABLE]
        masks = [position_at(layer.own, layer.opp, i) for i in stable]
        states = np.array([[own, opp, 0, 1] for own, opp in masks], dtype=np.int64)
        everything = GAME.pack_positions(GAME.canonical(states)[0], None)  # type: ignore[arg-type]
        assert len(set(listed.tolist())) == len(listed)
        assert set(listed.tolist()) == set(everything.tolist())
    assert len(states) > len(listed), "the last class is its own image"


def test_parts_of_the_table_are_put_together_over_layers(small_tablebase: Tablebase) -> None:
    edge = LAYERS[0].entries
    apart = [small_tablebase.states_between(edge - 20_000, edge), small_tablebase.states_between(edge, edge + 20_000)]
    assert np.array_equal(small_tablebase.states_between(edge - 20_000, edge + 20_000), np.concatenate(apart))
    assert {tuple(np.bitwise_count(part[0, :2]).tolist()) for part in apart} == {(4, 4), (4, 5)}


def test_every_position_is_counted_as_it_is(small_tablebase: Tablebase) -> None:
    start, stop = 100_000, 100_400
    found = count(WholeTask(GAME, RANKED, start, stop))
    expected: Counter[tuple[int, ...]] = Counter()
    agent = make_agent(RANKED, game=GAME)
    for state in small_tablebase.states_between(start, stop):
        position = GAME.position_of(state)
        values = {move: -small_tablebase.probe(position.play(move)).value for move in position.moves()}
        best, chosen = max(values.values()), agent.choose(position)
        good = sum(value == best for value in values.values())
        # Of three equal chances the first, a win, is what the player names.
        row = (4, 4, best + 1, good, int(good < len(values)), int(values[chosen] == best), int(best == 1))
        expected[row] += 1
    assert {tuple(map(int, row)): int(found[tuple(row)]) for row in np.argwhere(found)} == expected
    assert len(expected) > 15
    text = whole_tables(found)
    assert text.startswith(f"{sum(expected.values()):,} positions; in ")
    wrong = sum(number for row, number in expected.items() if row[4] and not row[5])
    assert f"| {wrong:,} |" in text


class Few:
    """The beginning of a table."""

    entries = 1000

    def __init__(self, table: Tablebase) -> None:
        self.states_between, self.action_values = table.states_between, table.action_values


def test_it_goes_on_where_it_was_stopped(small_tablebase: Tablebase, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(whole_exam, "solution_of", lambda game: Few(small_tablebase))
    monkeypatch.setattr(whole_exam, "PART", 100)
    monkeypatch.setattr(whole_exam, "_SAVED", 1)
    whole = count_everything(GAME, RANKED, workers=1, progress_file=tmp_path / "whole.npz")
    asked: list[int] = []

    def failing(task: WholeTask) -> Any:
        if len(asked) == 4:
            raise KeyboardInterrupt
        asked.append(task.start)
        return count(task)

    monkeypatch.setattr(whole_exam, "count", failing)
    with pytest.raises(KeyboardInterrupt):
        count_everything(GAME, RANKED, workers=1, progress_file=tmp_path / "stopped.npz")
    monkeypatch.setattr(whole_exam, "count", lambda task: asked.append(task.start) or count(task))
    assert np.array_equal(count_everything(GAME, RANKED, workers=1, progress_file=tmp_path / "stopped.npz"), whole)
    assert asked == list(range(0, 1000, 100))
    other = count_everything(GAME, f"{RANKED}:shuffle=2", workers=1, progress_file=tmp_path / "stopped.npz")
    assert not np.array_equal(other, whole), "what another player answered is not gone on with"


def test_a_game_without_a_table_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = load("connect_four")
    monkeypatch.setattr(whole_exam, "solution_of", lambda game: game.solution())
    with pytest.raises(ExamError, match="Connect Four: its solution is no table of all positions"):
        count_everything(game, RANKED, workers=1, progress_file=tmp_path / "whole.npz")
