"""Open the window: play, watch and analyse Diamond Chase. With terminal=true, play in the terminal."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.agents import PLAYERS, AgentError, make_agent
from alphadiamond.agents.registry import agent_class
from alphadiamond.errors import AlphaDiamondError

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@dataclass
class PlaySettings:
    red: str | None = None
    """Who plays red: `human`, or a player such as `neural:simulations=200`; with a seat given a game starts at once."""
    green: str | None = None
    """Who plays green, who moves first."""
    terminal: bool = False
    """Play in the terminal, without a window."""
    plain: bool = False
    """In the terminal: sentences in place of pictures and colours, for screen readers."""
    load: str | None = None
    """In the terminal: go on with the game of this file."""
    size: str | None = None
    """The window's size, such as 1280x800; by default that of the last time."""
    headless: bool = False
    """Draw into memory, without a window."""
    frames: int = 0
    """Close after so many frames; 0 means when the window is closed (60 frames if headless)."""
    screenshot: str | None = None
    """Where to put a picture of the last frame."""
    seed: int | None = None
    """Seeds the window's own dice (stars, sparks)."""


def main(settings: PlaySettings) -> None:
    if settings.terminal:
        _in_terminal(settings)
        return
    from alphadiamond.client.app import App, WindowError
    from alphadiamond.client.scenes.game import GameScene
    from alphadiamond.client.scenes.title import TitleScene
    from alphadiamond.client.session import HUMAN, Session

    seats = {"green": settings.green, "red": settings.red}
    for spec in seats.values():
        if spec is not None and spec != HUMAN:
            _check(spec)
    try:
        app = App(headless=settings.headless, size=_size(settings.size), seed=settings.seed)
    except WindowError as error:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise AlphaDiamondError(f"{error}; or in the terminal: python scripts/play.py terminal=true") from None
        print(str(error).partition(":")[0])
        if input("Play in the terminal? [Y/n] ").strip().lower() not in ("", "y", "yes"):
            raise AlphaDiamondError("no window, no game: terminal=true plays in the terminal") from None
        _in_terminal(settings)
        return
    app.stack.append(TitleScene(app))
    app.scene.entered()
    if settings.green is not None or settings.red is not None:
        other = app.roster.usable(app.settings.opponent)
        green = settings.green or (HUMAN if settings.red != HUMAN else other)
        red = settings.red or (other if settings.green == HUMAN else HUMAN)
        app.push(GameScene(app, Session(green=green, red=red)))
    frames = settings.frames or (60 if settings.headless else 0)
    app.run(frames=frames, screenshot=Path(settings.screenshot) if settings.screenshot else None)


def _in_terminal(settings: PlaySettings) -> None:
    from alphadiamond.client.session import HUMAN
    from alphadiamond.terminal.play import play_in_terminal

    for spec in (settings.green, settings.red):
        if spec is not None and spec != HUMAN:
            _check(spec)
    play_in_terminal(
        green=settings.green, red=settings.red, plain=settings.plain, load=settings.load, seed=settings.seed
    )


def _check(spec: str) -> None:
    """A wrong name or parameter is refused before the window opens; what cannot be had here is explained inside it."""
    name = spec.partition(":")[0].strip()
    if name == "neural" and name in PLAYERS:
        return  # loading torch here would only keep the person waiting
    agent_class(name)
    try:
        make_agent(spec)
    except AgentError as error:
        if "parameter" in str(error) or " is no " in str(error):
            raise


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    width, cross, height = text.partition("x")
    if not cross or not width.isdigit() or not height.isdigit():
        raise AlphaDiamondError(f"size={text}: expected a width and a height, such as 1280x800")
    return int(width), int(height)


def _quoted(argument: str) -> str:
    """Text from the command line as Hydra's grammar wants it: a spec holds `=` and `,`, a path holds anything."""
    key, equals, value = argument.partition("=")
    if (
        key not in ("red", "green", "screenshot", "size", "load")
        or not equals
        or value in ("", "null")
        or value[0] in "'\""
    ):
        return argument
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{key}='{escaped}'"


if __name__ == "__main__":
    sys.argv[1:] = [_quoted(argument) for argument in sys.argv[1:]]
    cli.run(main, PlaySettings, "play")
