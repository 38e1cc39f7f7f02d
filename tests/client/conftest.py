"""The window without a window: drawn into memory, silent, and with a home of its own."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

from collections.abc import Iterator
from pathlib import Path

import pytest

from alphadiamond.client.app import App
from alphadiamond.client.scenes.title import TitleScene
from alphadiamond.client.settings import Settings
from tests.client.driver import Driver


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No file of the person who runs the tests is read or written, and their language is not asked for."""
    monkeypatch.setattr("alphadiamond.client.app.system_language", lambda: "en")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    settings = Settings(reduced_motion=True, opponent="random")
    app = App(headless=True, size=(960, 600), process=False, settings=settings, directory=tmp_path, seed=1)
    app.stack.append(TitleScene(app))
    app.scene.entered()
    yield app
    if app.running:
        app.close()


@pytest.fixture
def driver(app: App) -> Driver:
    driver = Driver(app)
    driver.frames(2)
    return driver
