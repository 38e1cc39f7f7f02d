"""Solving from the window."""

import time
from pathlib import Path

import pytest

from alphadiamond.client.building import Builder
from alphadiamond.client.scenes.solving import SolvingScene
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.solver import Tablebase
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, write_layer
from alphadiamond.games.diamond_chase.solver.retrograde import pairs
from tests.client.driving import Driver
from tests.solutions import SMALL, Table


def test_solving_shows_its_progress_and_stops_when_left(driver: Driver, home: Path) -> None:
    scene = SolvingScene(driver.app)
    driver.app.push(scene)
    driver.click("solve")
    builder = scene.builder
    assert builder is not None
    driver.until(lambda: builder.share > 0)
    assert driver.has("bar")
    driver.click("close")
    builder._process.join(10)
    assert not builder._process.is_alive()
    assert driver.app.scene is not scene


def test_solving_goes_on_where_it_was_stopped(tmp_path: Path, small_table: Table) -> None:
    """The layers of 8 and 9 beads lie there: the next ones begin at once, and nothing is written anew."""
    for layer in SMALL:
        write_layer(tmp_path, layer, small_table[layer.slice])
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    kept = sum(layer.entries for layer in SMALL) / sum(layer.entries for layer in LAYERS)
    heard: list[tuple[float, str]] = []
    builder = Builder(directory=tmp_path)
    end = time.monotonic() + 120
    while len(heard) < 3:
        assert time.monotonic() < end
        assert not builder.fault
        builder.update()
        if builder.share and (not heard or heard[-1][0] != builder.share):
            heard.append((builder.share, builder.note))
        time.sleep(0.005)
    builder.stop()
    builder._process.join(10)
    third = " and ".join(layer.name for layer in pairs()[2])
    assert all(share >= kept for share, _ in heard), "the bar begins with what is there"
    assert all(note.startswith(f"Layer {third}: ") for _, note in heard)
    after = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("*.layer")}
    assert after == before


def test_a_fault_of_the_solver_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    builder = Builder(directory=tmp_path / "file" / "tablebase")
    end = time.monotonic() + 120
    while not builder.fault:
        assert time.monotonic() < end
        builder.update()
        time.sleep(0.01)
    assert "cannot be made" in builder.fault
    assert not builder.done


@pytest.mark.slow
def test_solving_ends_with_a_whole_tablebase(tmp_path: Path) -> None:
    builder = Builder(directory=tmp_path)
    shares = [0.0]
    while not builder.done:
        builder.update()
        assert not builder.fault
        shares.append(builder.share)
        time.sleep(0.2)
    assert shares == sorted(shares)
    assert len(list(tmp_path.glob("*.layer"))) == len(LAYERS)
    assert Tablebase.load(tmp_path).probe(Position.start()).value == 0
