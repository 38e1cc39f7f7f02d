"""The scripts as a person runs them, without a display."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pygame
import pytest

from alphadiamond.client.app import App, WindowError
from alphadiamond.client.settings import Settings
from alphadiamond.errors import AlphaDiamondError
from tests.commands import finished

ROOT = Path(__file__).parents[2]


def play(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    displays = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    kept = {key: value for key, value in os.environ.items() if key not in displays}
    return finished("play.py", *arguments, environment={**kept, **environment})


def test_a_headless_run_renders_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "frame.png"
    seats = ("green=human", "red=minimax:depth=2")
    done = play(*seats, "headless=true", "frames=5", "size=960x600", f"screenshot={picture}")
    assert done.returncode == 0, done.stderr
    assert pygame.image.load(picture).get_size() == (960, 600)


def test_a_display_that_cannot_be_reached_gets_one_clear_line() -> None:
    done = play(SDL_VIDEODRIVER="x11", DISPLAY=":987")
    assert done.returncode == 2
    assert done.stderr.startswith("error: no window can be opened")
    assert len(done.stderr.strip().split("\n")) == 1


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_a_driver_that_shows_nothing_is_no_display(
    driver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SDL falls back to where there is no display, unless it was asked for."""
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    with pytest.raises(WindowError, match=r"no window can be opened .*there is no display"):
        App(process=False, settings=Settings(), directory=tmp_path)


def test_an_unknown_player_is_refused_before_the_window_opens() -> None:
    done = play("red=minimacs")
    assert done.returncode == 2
    assert "did you mean minimax?" in done.stderr


def play_script() -> Any:
    spec = importlib.util.spec_from_file_location("play_script", ROOT / "scripts" / "play.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["play_script"] = module
    spec.loader.exec_module(module)
    return module


def test_the_seats_of_a_game_go_by_its_sides() -> None:
    done = play("game=dame", "white=minimax:depth=1", "black=nobody", "headless=true", "frames=5")
    assert done.returncode == 2
    assert "'nobody'" in done.stderr
    done = play("black=minimax:depth=1", "headless=true", "frames=5")
    assert done.returncode == 0, done.stderr
    done = play("game=dame", "green=human", "headless=true")
    assert done.returncode == 2
    line = "error: green=: no side of Dame; its seats are first= or white= and second= or black=\n"
    assert done.stderr == line


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("green=human red=hard", "green=human red=hard game=diamond_chase"),
        ("first=human second=hard", "first=human second=hard"),
        ("game=connect_four red=hard", "game=connect_four second=hard"),
        ("yellow=easy red=hard", "first=easy second=hard game=connect_four"),
        ("o=human game=connect_four", "second=human game=connect_four"),
        ("white=hard terminal=true", "first=hard terminal=true game=dame"),
        ("game=nonsense white=hard", "game=nonsense white=hard"),
        ("size=960x600", "size=960x600"),
    ],
)
def test_a_seat_is_named_by_its_turn_or_its_side(given: str, seen: str) -> None:
    assert play_script().name_seats(given.split()) == seen.split()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("white=human red=hard", "white= and red=: sides of different games"),
        ("game=dame first=human white=hard", "first= and white= are the same seat: give one of them"),
        ("second=human red=hard", "second= and red= are the same seat: give one of them"),
        ("game=connect_four black=hard", "black=: no side of Connect Four"),
    ],
)
def test_seats_that_cannot_be_meant_are_refused(given: str, says: str) -> None:
    with pytest.raises(AlphaDiamondError) as error:
        play_script().name_seats(given.split())
    assert str(error.value).startswith(says)
