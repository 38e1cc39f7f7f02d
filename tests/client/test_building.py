"""Solving from the window."""

import time
from pathlib import Path

import pytest

from alphadiamond.client.building import Builder
from alphadiamond.client.scenes.solving import SolvingScene
from alphadiamond.game import Position
from alphadiamond.solver import Tablebase
from alphadiamond.solver.layer_file import LAYERS
from tests.client.driving import Driver


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


@pytest.mark.slow
def test_solving_ends_with_a_whole_tablebase(tmp_path: Path) -> None:
    builder = Builder(tmp_path)
    shares = [0.0]
    while not builder.done:
        builder.update()
        assert not builder.fault
        shares.append(builder.share)
        time.sleep(0.2)
    assert shares == sorted(shares)
    assert len(list(tmp_path.glob("*.layer"))) == len(LAYERS)
    assert Tablebase.load(tmp_path).probe(Position.start()).value == 0
