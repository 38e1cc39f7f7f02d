"""Solving from the window."""

import time
from pathlib import Path

import pytest

from alphadiamond.client.scenes.solve import SolveScene
from alphadiamond.client.solve_process import SolveProcess
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import Tablebase
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, write_layer
from alphadiamond.games.diamond_chase.solver.retrograde import pairs
from tests.client.driver import Driver
from tests.solutions import SMALL, Table


def test_solving_shows_its_progress_and_stops_when_left(driver: Driver, home: Path) -> None:
    scene = SolveScene(driver.app)
    driver.app.push(scene)
    driver.click("solve")
    solve_process = scene.solve_process
    assert solve_process is not None
    driver.until(lambda: solve_process.share > 0)
    assert driver.has("bar")
    driver.click("close")
    solve_process._process.join(10)
    assert not solve_process._process.is_alive()
    assert driver.app.scene is not scene


def test_solving_goes_on_where_it_was_stopped(tmp_path: Path, small_table: Table) -> None:
    """The layers of 8 and 9 beads lie there: the next ones begin at once, and nothing is written anew."""
    for layer in SMALL:
        write_layer(tmp_path, layer, small_table[layer.slice])
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    kept = sum(layer.entries for layer in SMALL) / sum(layer.entries for layer in LAYERS)
    heard: list[tuple[float, str]] = []
    solve_process = SolveProcess(directory=tmp_path, game=GAME)
    end = time.monotonic() + 120
    while len(heard) < 3:
        assert time.monotonic() < end
        assert not solve_process.fault
        solve_process.update()
        if solve_process.share and (not heard or heard[-1][0] != solve_process.share):
            heard.append((solve_process.share, solve_process.note))
        time.sleep(0.005)
    solve_process.stop()
    solve_process._process.join(10)
    third = " and ".join(layer.name for layer in pairs()[2])
    assert all(share >= kept for share, _ in heard), "the bar begins with what is there"
    assert all(note.startswith(f"Layer {third}: ") for _, note in heard)
    after = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.glob("*.layer")}
    assert after == before


def test_a_fault_of_the_solver_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    solve_process = SolveProcess(directory=tmp_path / "file" / "tablebase", game=GAME)
    end = time.monotonic() + 120
    while not solve_process.fault:
        assert time.monotonic() < end
        solve_process.update()
        time.sleep(0.01)
    assert "cannot be made" in solve_process.fault
    assert not solve_process.done


@pytest.mark.slow
def test_solving_ends_with_a_whole_tablebase(tmp_path: Path) -> None:
    solve_process = SolveProcess(directory=tmp_path, game=GAME)
    shares = [0.0]
    while not solve_process.done:
        solve_process.update()
        assert not solve_process.fault
        shares.append(solve_process.share)
        time.sleep(0.2)
    assert shares == sorted(shares)
    assert len(list(tmp_path.glob("*.layer"))) == len(LAYERS)
    assert Tablebase.load(tmp_path).probe(Position.start()).value == 0
