from pathlib import Path

import numpy as np
import pytest

from alphadiamond.training.replay_buffer import BadChunk, ReplayBuffer, ReplaySettings, chunk_path, read_samples
from alphadiamond.training.samples import Samples
from tests.training.small import same


def numbered(count: int, first: int, iteration: int) -> Samples:
    """Samples that can be told apart by their survivors."""
    return Samples(
        states=np.ones((count, 4), dtype=np.int32),
        policy=np.full((count, 72), 1 / 72, dtype=np.float16),
        value=np.full((count, 3), 1 / 3, dtype=np.float32),
        outcome=np.zeros(count, dtype=np.int8),
        reply=np.full(count, -1, dtype=np.int16),
        survivors=np.arange(first, first + count, dtype=np.int32),
        iteration=np.full(count, iteration, dtype=np.int32),
    )


def filled(iterations: int, *, smallest: int = 1000, each: int = 100) -> ReplayBuffer:
    replay = ReplayBuffer(ReplaySettings(smallest=smallest))
    for iteration in range(iterations):
        replay.add(iteration, numbered(each, each * iteration, iteration))
    return replay


def test_nothing_is_dropped_up_to_the_smallest_window() -> None:
    replay = filled(10)
    assert len(replay) == 1000
    assert replay.iterations == list(range(10))


def test_the_window_grows_more_slowly_than_what_was_made() -> None:
    sizes = [(len(replay), replay.made) for replay in (filled(20), filled(80), filled(320))]
    windows = [size for size, _ in sizes]
    assert windows == sorted(windows)
    shares = [size / made for size, made in sizes]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.3
    replay = filled(320)
    assert replay.window() <= len(replay) <= replay.window() + 100
    assert replay.iterations[-1] == 319


def test_samples_are_drawn_evenly_from_the_whole_window() -> None:
    replay = filled(6, each=50)
    drawn = replay.draw(np.random.default_rng(1), 30_000)
    counts = np.bincount(drawn.survivors, minlength=300)
    assert counts.min() > 50
    assert counts.max() < 160
    assert (drawn.iteration == drawn.survivors // 50).all(), "rows stay together"


def test_age_is_counted_in_iterations() -> None:
    assert filled(3).age(2) == pytest.approx(1.0)


def test_a_window_reads_back_from_disk(tmp_path: Path) -> None:
    replay = filled(4)
    digests = replay.save(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert replay.save(tmp_path) == digests
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before, "what is on disk stays"
    twin, bad = ReplayBuffer.load(replay.settings, [tmp_path], digests, made=replay.made)
    assert bad == []
    rngs = np.random.default_rng(2), np.random.default_rng(2)
    assert same(replay.draw(rngs[0], 64).arrays(), twin.draw(rngs[1], 64).arrays())  # type: ignore[arg-type]
    assert twin.made == 400


def test_a_damaged_file_is_named_and_costs_nothing_else(tmp_path: Path) -> None:
    replay = filled(2)
    digests = replay.save(tmp_path)
    path = chunk_path(tmp_path, 1)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    left, bad = ReplayBuffer.load(replay.settings, [tmp_path], digests, made=200)
    assert bad == [BadChunk(path, "is damaged", recovered=False)]
    assert left.iterations == [0], "what is good is there"
    assert left.made == 200
    path.unlink()
    _, bad = ReplayBuffer.load(replay.settings, [tmp_path], digests, made=200)
    assert bad == [BadChunk(path, "is missing", recovered=False)]


def test_samples_of_runs_that_kept_narrower_states_are_read_as_todays(tmp_path: Path) -> None:
    replay = filled(1)
    replay.save(tmp_path)
    with np.load(chunk_path(tmp_path, 0)) as stored:
        assert stored["states"].dtype == np.int32, "as runs wrote them before boards of 42 cells"
    read = read_samples(chunk_path(tmp_path, 0))
    assert read.states.dtype == np.int64
    assert (read.states == 1).all()
