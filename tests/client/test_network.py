"""The network at the table: chosen, played, its device shown; missing and broken ones explained."""

import shutil
from pathlib import Path

import pygame
import pytest

from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.networks import NetworksScene
from alphadiamond.client.widgets import ItemList, Label
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.opponents import checkpoints
from alphadiamond.play.session import Session
from tests.agents.networks import untrained_checkpoint
from tests.client.driver import Driver


def test_a_dropped_network_plays_and_its_device_is_shown(driver: Driver) -> None:
    driver.post(pygame.DROPFILE, file=str(untrained_checkpoint()))
    driver.until(lambda: not driver.app.analysts_busy_checking())
    spec = next(opponent.spec for opponent in driver.app.roster.opponents if opponent.name == "neural")
    assert driver.app.roster.fault(spec) == ""
    assert driver.app.roster.best() == spec
    driver.app.push(GameScene(driver.app, Session(second=spec, game=GAME)))
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    assert driver.game.session.second == spec
    assert len(driver.game.session.plies) == 2
    label = driver.widget("device")
    assert isinstance(label, Label)
    assert label.text == f"Network on {driver.app.device_used.upper()}"


def test_a_broken_network_is_explained_and_the_game_goes_on(driver: Driver, tmp_path: Path) -> None:
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"this is no network")
    driver.app.push(NetworksScene(driver.app))
    driver.post(pygame.DROPFILE, file=str(broken))
    driver.until(lambda: not driver.app.analysts_busy_checking())
    driver.frames(2)
    note = driver.widget("note")
    assert isinstance(note, Label)
    assert note.text.startswith("It cannot be used:")
    spec = next(opponent.spec for opponent in driver.app.roster.opponents if opponent.name == "neural")
    assert driver.app.roster.best() != spec
    driver.app.start(GameScene(driver.app, Session(second=spec, game=GAME)))
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    assert driver.game.session.second != spec
    assert len(driver.game.session.plies) == 2


def test_the_chosen_device_reaches_the_network(driver: Driver) -> None:
    driver.app.settings.device = "cpu"
    driver.app.use_checkpoint("")
    spec = next(opponent.spec for opponent in driver.app.roster.opponents if opponent.name == "neural")
    assert spec == "neural:simulations=200,device=cpu"


def test_only_networks_of_the_chosen_game_are_listed(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for game in ("diamond_chase", "dame"):
        place = tmp_path / "runs" / game / "checkpoints" / f"{game}.safetensors"
        place.parent.mkdir(parents=True)
        shutil.copy(untrained_checkpoint(game), place)
    (tmp_path / "runs" / "broken.safetensors").write_bytes(b"this is no network")
    found = {path.stem for path in checkpoints(load("dame")) if path.is_relative_to(tmp_path)}
    assert found == {"dame", "broken"}, "one that cannot be read stays, to be explained when it is chosen"
    driver.app.push(NetworksScene(driver.app))
    driver.frames(1)
    networks = driver.widget("networks")
    assert isinstance(networks, ItemList)
    titles = [item.title for item in networks.items]
    assert "diamond_chase.safetensors" in titles
    assert "dame.safetensors" not in titles
