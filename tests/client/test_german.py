"""The window in German: every text of every scene has a translation, and has its place."""

import re
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from alphadiamond.client import german, showcase, texts
from alphadiamond.client.app import App
from alphadiamond.client.paint.text import _FILES as FILES
from alphadiamond.client.paint.text import FONTS, Drawn
from alphadiamond.client.player_process import PlayerProcess
from alphadiamond.client.settings import Settings
from alphadiamond.client.showcase import SCENES, WAY_SCENES, prepare, stage
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.texts import Words, system_language, words_for
from alphadiamond.client.widgets import TextField
from alphadiamond.games import load
from alphadiamond.precompile import game_names
from tests.client.driver import Driver
from tests.client.test_layout import faults_of

_SAME = re.compile(
    r"[a-z]{1,2}([-x][a-z]{1,2})*\S*|\S*[\d/]\S*( \S+)*|[a-z-]+\.(game|safetensors)|/\S*|\.\w+|.*…\S*|English|Deutsch"
)
"""Moves, squares, numbers, names of files and languages: what is the same in any language."""


@pytest.fixture(scope="module", params=["diamond_chase", "connect_four", "labyrinth"])
def staged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Nobody thinks, and nothing is solved: what is looked at are words."""
    directory: Path = tmp_path_factory.mktemp("home")
    settings = Settings(language="de", reduced_motion=True, game=request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(directory))
        patch.setattr(SolutionLookup, "load", lambda self: None)
        patch.setattr(showcase, "_until", lambda *asked: None)
        for name in ("check", "analyse", "evaluate"):
            patch.setattr(PlayerProcess, name, lambda self, *asked, **how: 0)
        app = App(headless=True, size=(960, 600), process=False, settings=settings, directory=directory, seed=1)
        prepare(app)
        yield app
        app.close()


@pytest.mark.parametrize("name", [*SCENES, *WAY_SCENES])
def test_every_text_is_german_and_has_its_place(staged: App, name: str) -> None:
    if name in WAY_SCENES and staged.game.drawing.ways is None:
        pytest.skip("a scene of games with ways")
    words = staged.painter.look.words
    assert isinstance(words, Words)
    words.missed.clear()
    words._found.clear()
    stage(staged, name, frames=2, patient=False)
    assert list(faults_of(staged)) == []
    assert {text for text in words.missed if not _SAME.fullmatch(text)} == set()


@pytest.mark.parametrize("weight", FILES)
def test_the_fonts_have_every_letter_of_every_text(weight: str) -> None:
    """A letter that a font lacks is drawn as a space."""
    tables = [german.GERMAN]
    for drawing in (load(game).drawing for game in game_names()):
        tables += [table["de"] for table in (drawing.texts, drawing.lesson_texts) if "de" in table]
    letters = set("".join(part for table in tables for pair in table.items() for part in pair)) - set(" \n")
    assert {"ß", "»"} <= letters
    pygame.font.init()
    font = pygame.font.Font(FONTS / FILES[weight], 24)
    lacking = pygame.image.tobytes(font.render("\ue123", True, "white"), "RGBA")
    drawn = {letter: pygame.image.tobytes(font.render(letter, True, "white"), "RGBA") for letter in letters}
    assert {letter for letter, picture in drawn.items() if picture == lacking or not any(picture[3::4])} == set()


def test_a_text_is_found_as_it_is_by_a_pattern_by_its_parts_and_at_the_beginning_of_a_sentence() -> None:
    words = words_for("de", load("connect_four"))
    assert words is not None
    assert words("New game") == "Neue Partie"
    assert words("Play Tree search") == "Gegen Baumsuche"
    assert words("Minimax · Depth 4") == "Minimax · Tiefe 4"
    assert words("Yellow to move") == "Gelb ist am Zug"
    assert words("You win: four in a row after 9 discs") == "Du gewinnst: vier in einer Reihe nach 9 Scheiben"
    assert not words.missed
    assert words("What nobody has translated") == "What nobody has translated"
    assert words.missed == {"What nobody has translated"}


@pytest.mark.parametrize("game", ["diamond_chase", "connect_four", "dame", "labyrinth"])
def test_every_lesson_is_translated(game: str) -> None:
    words = words_for("de", load(game))
    assert words is not None
    words.missed.clear()
    for lesson in load(game).drawing.lessons:
        for text in (lesson.title, lesson.text, lesson.task, lesson.praise, lesson.again):
            assert not text or words(text) != text
    assert not words.missed


def test_patterns_have_as_many_values_in_both_languages() -> None:
    tables = [german.GERMAN]
    for game in ("diamond_chase", "connect_four", "dame", "labyrinth"):
        tables += [load(game).drawing.texts["de"], load(game).drawing.lesson_texts["de"]]
    wrong = [
        text
        for table in tables
        for text, other in table.items()
        if text.count("{}") != other.count("{}") and text not in ("Shapes on the {}", "Names of the {}s")
    ]
    assert wrong == []


def test_the_language_is_chosen_in_the_settings_at_once_and_what_a_person_types_stays(driver: Driver) -> None:
    driver.click("settings")
    driver.app.settings.language = "de"
    driver.app.renew_look()
    assert driver.app.painter.text.said("Settings") == "Einstellungen"
    driver.app.settings.language = "en"
    driver.app.renew_look()
    assert driver.app.painter.text.said("Settings") == "Settings"
    driver.app.settings.language = "de"
    driver.app.renew_look()
    field = TextField("name", driver.app.surface.get_rect(), "Settings", lambda text: None, on_enter=lambda: None)
    log: list[Drawn] = []
    driver.app.painter.text.log = log
    field.draw(driver.app.surface, driver.app.painter)
    assert [drawn.text for drawn in log] == ["Settings"]


@pytest.mark.parametrize(
    ("name", "language"), [("de_AT", "de"), ("German_Germany", "de"), ("fr_FR", "en"), (None, "en"), ("C", "en")]
)
def test_the_systems_language_is_taken_where_it_is_there(
    monkeypatch: pytest.MonkeyPatch, name: str | None, language: str
) -> None:
    monkeypatch.setattr(texts.locale, "getlocale", lambda: (name, "UTF-8"))
    assert system_language() == language
