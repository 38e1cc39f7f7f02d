"""Nothing overlaps, leaves the window or is cut off: every scene, every size, every text size."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from alphadiamond.client.app import App
from alphadiamond.client.paint.text import Drawn
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.settings import Settings
from alphadiamond.client.showcase import SCENES, prepare, stage
from alphadiamond.client.solution_lookup import Exact, SolutionLookup
from alphadiamond.client.theme import TEXT_SIZES
from alphadiamond.games.diamond_chase import Move, Position

SIZES = ((960, 600), (1280, 800), (1920, 1080))


@pytest.fixture(scope="module", params=list(itertools.product(SIZES, TEXT_SIZES)), ids=str)
def staged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    size, text = request.param
    directory: Path = tmp_path_factory.mktemp("home")
    settings = Settings(text_size=text, reduced_motion=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(directory))
        app = App(headless=True, size=size, process=False, settings=settings, directory=directory, seed=1)
        prepare(app)
    app.solution_lookup = Longest(app.game)
    yield app
    app.close()


class Longest(SolutionLookup):
    """Has the longest of all texts about every move, since that is what has to fit."""

    @property
    def ready(self) -> bool:
        return True

    def exact(self, position: Position) -> Exact:
        return Exact(-1, 88)

    def moves(self, position: Position) -> dict[Move, Exact]:
        return {move: Exact(-1, 88) for move in position.moves()}


def faults_of(app: App) -> Iterator[str]:
    """What is wrong with the scene as it is drawn now."""
    log: list[Drawn] = []
    app.painter.text.log = log
    app.draw()
    app.painter.text.log = None
    assert log
    window = app.surface.get_rect()
    for text in log:
        if not text.box.inflate(2, 2).contains(text.rect):
            yield f"{text.text!r} does not fit its box: {text.rect} in {text.box}"
        if text.clip == window and not window.contains(text.rect):
            yield f"{text.text!r} leaves the window: {text.rect}"
    lines = [text for text in log if "\n" not in text.text and text.clip == window]
    for a, b in itertools.combinations(lines, 2):
        shared = a.rect.clip(b.rect)
        same = a.text == b.text or a.text in b.text or b.text in a.text  # a paragraph and its own lines
        if not same and shared.width > 2 and shared.height > 4:
            yield f"{a.text!r} and {b.text!r} overlap by {shared.size}"
    solid = [widget for widget in app.scene.widgets if not widget.container]
    for widget in solid:
        if not window.contains(widget.rect):
            yield f"{widget.key} leaves the window: {widget.rect}"
        if widget.rect.width <= 0 or widget.rect.height <= 0:
            yield f"{widget.key} has no size: {widget.rect}"
    for one, other in itertools.combinations(solid, 2):
        shared = one.rect.clip(other.rect)
        if shared.width > 1 and shared.height > 1:
            yield f"{one.key} and {other.key} overlap by {shared.size}"


@pytest.mark.parametrize("name", ["game", "replay"])
def test_messages_in_passing_do_not_cover_the_line_that_says_whose_move_it_is(staged: App, name: str) -> None:
    stage(staged, name, frames=2, patient=False)
    staged.toast("This is a message in passing, and not a short one.")
    for _ in range(12):
        staged.update(1 / 30)
        staged.draw()
    status = staged.scene.status_rect
    assert status is not None
    assert staged._toasts.boxes
    assert status.collidelist(staged._toasts.boxes) == -1
    pygame.event.clear()


@pytest.mark.parametrize("name", SCENES)
def test_everything_has_its_place(staged: App, name: str) -> None:
    stage(staged, name, frames=2, patient=False)
    scene = staged.scene
    if name in ("analysis", "side-by-side"):
        assert isinstance(scene, GameScene)
        assert scene.panel is not None
        assert len(scene.panel.lines) >= (2 if name == "analysis" else 5), scene.panel.message
        assert scene.panel.message == ""
    assert list(faults_of(staged)) == []
    pygame.event.clear()
