"""Nothing is ever destroyed by going on: runs damaged at random, one by one and many times over."""

import json
import shutil
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.network import load_checkpoint
from alphadiamond.training.recovery import examine
from alphadiamond.training.rundir import RunDirectory, RunError, read_metrics
from tests import commands
from tests.training.damage import DONE, Files, damage, files_of, go_on, tiny
from tests.training.small import same, training


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("runs") / "run"
    training(directory, tiny(DONE)).run()
    return directory


def copied(run: Path, to: Path) -> tuple[Path, Files]:
    shutil.copytree(run, to / "run")
    return to / "run", files_of(to / "run")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_one_bit_in_one_file_of_samples_costs_its_samples_and_nothing_else(tmp_path: Path, finished: Path) -> None:
    directory, good = copied(finished, tmp_path)
    flip(directory / "samples" / "samples-000002.npz")
    whole = training(finished, tiny(DONE)).found
    run = training(directory, tiny(DONE + 1))
    assert whole is not None
    assert run.found is not None
    lost = len(whole.replay) - len(run.found.replay)
    assert 0 < lost < len(whole.replay)
    assert "samples-000002.npz is damaged (its samples are lost)" in run.found.summary(run.directory)
    shutil.rmtree(directory)
    directory, good = copied(finished, tmp_path)
    flip(directory / "samples" / "samples-000002.npz")
    assert go_on(directory, good) == "went on"


def test_files_of_samples_that_were_exchanged_are_told_apart_by_their_checksums(tmp_path: Path, finished: Path) -> None:
    directory, good = copied(finished, tmp_path)
    one, two = (directory / "samples" / f"samples-00000{n}.npz" for n in (2, 3))
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    found, whole = examine(RunDirectory(directory)), examine(RunDirectory(finished))
    assert found is not None
    assert whole is not None
    draws = [each.replay.draw(np.random.default_rng(1), 50).arrays() for each in (found, whole)]
    assert same(draws[0], draws[1])  # type: ignore[arg-type]
    assert go_on(directory, good) == "went on"
    assert one.read_bytes() == data == good["samples/samples-000002.npz"]


def test_a_run_without_a_readable_state_says_how_to_begin_from_its_champion(tmp_path: Path, finished: Path) -> None:
    directory, _ = copied(finished, tmp_path)
    for path in directory.glob("state-*.pt"):
        path.write_bytes(path.read_bytes()[:-1])
    before = files_of(directory)
    with pytest.raises(RunError) as error:
        training(directory, tiny(DONE + 1))
    assert "no readable state (state-000006.pt damaged, state-000005.pt damaged" in str(error.value)
    assert f"run=DIR init={directory / 'champion.safetensors'}" in str(error.value)
    (directory / "champion.safetensors").unlink()
    with pytest.raises(RunError, match=r"init=.*checkpoints/iteration-000006\.safetensors"):
        training(directory, tiny(DONE + 1))
    shutil.rmtree(directory / "checkpoints")
    with pytest.raises(RunError, match="no network in it can be read either"):
        training(directory, tiny(DONE + 1))
    assert {name: before[name] for name in files_of(directory)} == files_of(directory)


@pytest.mark.parametrize("sign", ["metrics.jsonl", "champion.safetensors", "samples", "config.json", "checkpoints"])
def test_any_trace_of_a_run_keeps_it_from_being_begun_anew(tmp_path: Path, finished: Path, sign: str) -> None:
    directory, _ = copied(finished, tmp_path)
    for path in directory.iterdir():
        if path.name != sign:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = files_of(directory)
    with pytest.raises(RunError, match="nothing was changed"):
        training(directory, tiny(1))
    assert files_of(directory) == before


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"seed": 7}', None])
def test_a_broken_config_is_taken_from_the_state(tmp_path: Path, finished: Path, text: str | None) -> None:
    directory, good = copied(finished, tmp_path)
    if text is None:
        (directory / "config.json").unlink()
    else:
        (directory / "config.json").write_text(text)
    assert go_on(directory, good) == "went on"
    assert json.loads((directory / "config.json").read_text()) == asdict(tiny(DONE + 1))


def test_a_damaged_champion_is_written_again_from_the_state(tmp_path: Path, finished: Path) -> None:
    directory, _ = copied(finished, tmp_path)
    flip(directory / "champion.safetensors")
    run = training(directory, tiny(DONE))
    run.run()
    one, two = (load_checkpoint(each / "champion.safetensors") for each in (finished, directory))
    assert same(dict(one.model.state_dict()), dict(two.model.state_dict()))
    assert one.metadata == two.metadata
    assert (directory / "aside" / "champion.safetensors").exists()


def test_unreadable_metrics_are_kept_beside_the_readable_lines(tmp_path: Path, finished: Path) -> None:
    directory, good = copied(finished, tmp_path)
    path = directory / "metrics.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"\xff\x00 no line\n", *lines[2:]]))
    damaged = path.read_bytes()
    assert go_on(directory, good) == "went on"
    assert [line["iteration"] for line in read_metrics(path)] == [1, 3, 4, 5, 6, 7]
    assert (directory / "aside" / "metrics.jsonl").read_bytes() == damaged


def test_states_that_a_damaged_one_leaves_are_not_pruned_for_its_sake(tmp_path: Path, finished: Path) -> None:
    directory, good = copied(finished, tmp_path)
    for number in (5, 6):
        flip(directory / f"state-00000{number}.pt")
    assert go_on(directory, good) == "went on"
    names = [path.name for path in RunDirectory(directory).states()]
    assert names == ["state-000007.pt", "state-000006.pt", "state-000005.pt"]
    assert {path.name for path in (directory / "aside").iterdir()} >= {"state-000005.pt", "state-000006.pt"}


def test_what_was_set_aside_is_never_overwritten(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    for text in ("one", "two", "three"):
        (tmp_path / "file").write_text(text)
        run.set_aside(tmp_path / "file")
    assert {path.name: path.read_text() for path in run.aside.iterdir()} == {
        "file": "one",
        "file.2": "two",
        "file.3": "three",
    }


def damages(tmp_path: Path, finished: Path, seeds: range) -> Counter[str]:
    ends: Counter[str] = Counter()
    for seed in seeds:
        directory, good = copied(finished, tmp_path / str(seed))
        done = damage(directory, np.random.default_rng(seed))
        try:
            ends[go_on(directory, good)] += 1
        except BaseException:
            print(f"seed {seed}: {', '.join(done)}", file=sys.stderr)
            raise
        shutil.rmtree(tmp_path / str(seed))
    return ends


def test_a_run_damaged_at_random_keeps_everything_that_is_good(tmp_path: Path, finished: Path) -> None:
    ends = damages(tmp_path, finished, range(12))
    assert sum(ends.values()) == 12


@pytest.mark.slow
def test_a_thousand_damages_destroy_nothing(tmp_path: Path, finished: Path) -> None:
    ends = damages(tmp_path, finished, range(1000, 2000))
    print(f"1,000 damaged runs: {dict(ends)}")
    assert ends["went on"] > 700
    assert ends["stopped"] > 0


def kills(tmp_path: Path, count: int) -> str:
    done = commands.finished("../tests/training/random_kills.py", str(tmp_path / "runs"), str(count), "1", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_run_killed_at_any_moment_can_be_gone_on_with(tmp_path: Path) -> None:
    assert "4 kills" in kills(tmp_path, 4)


@pytest.mark.slow
def test_two_hundred_kills_are_all_resumable(tmp_path: Path) -> None:
    output = kills(tmp_path, 200)
    print(output)
    assert "200 kills" in output
