"""The scripts as a person runs them, without a display."""

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from alphadiamond.client.app import App, WindowError
from alphadiamond.client.settings import Settings

ROOT = Path(__file__).parents[2]


def play(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    displays = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
    kept = {key: value for key, value in os.environ.items() if key not in displays}
    command = [sys.executable, str(ROOT / "scripts" / "play.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**kept, **environment}, timeout=120)


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


def test_the_seats_of_a_game_go_by_its_sides(tmp_path: Path) -> None:
    done = play("game=dame", "white=minimax:depth=1", "black=nobody", "headless=true", "frames=5")
    assert done.returncode == 2
    assert "'nobody'" in done.stderr
    done = play("game=dame", "white=human", "black=minimax:depth=1", "headless=true", "frames=5")
    assert done.returncode == 0, done.stderr
    assert "black" in play("black=human", "headless=true").stderr, "Diamond Chase has no such side"
