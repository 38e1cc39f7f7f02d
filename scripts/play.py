"""Open the window: play, watch and analyse. With terminal=true, play in the terminal."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import DEFAULT, GAMES, load
from alphadiamond.settings import between, maybe, one_of, setting
from alphadiamond.settings.places import A_FILE, Output
from alphadiamond.settings.players import A_SEAT
from alphadiamond.settings.ranges import SEED, Size, size_of

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@dataclass
class PlaySettings:
    game: str | None = setting(None, maybe(one_of(*GAMES), "that of the last time"))
    """Which game: diamond_chase, connect_four or dame; by default that of the last time, in the terminal Diamond
    Chase."""
    red: str | None = setting(None, maybe(A_SEAT))
    """Who plays second, who is red in Diamond Chase: `human`, or a player such as `neural:simulations=200`; with a seat
    given a game starts at once. Beside `game=` the sides of that game are seats too: `game=dame black=hard`."""
    green: str | None = setting(None, maybe(A_SEAT))
    """Who plays first, who is green in Diamond Chase."""
    terminal: bool = False
    """Play in the terminal, without a window."""
    plain: bool = False
    """In the terminal: sentences in place of pictures and colours, for screen readers."""
    load: str | None = setting(None, maybe(A_FILE))
    """In the terminal: go on with the game of this file."""
    size: str | None = setting(None, maybe(Size(), "that of the last time"))
    """The window's size, such as 1280x800; by default that of the last time."""
    headless: bool = False
    """Draw into memory, without a window."""
    frames: int = setting(0, between(0, 1_000_000_000, note="0 for no end"))
    """Close after so many frames; 0 means when the window is closed (60 frames if headless)."""
    screenshot: str | None = setting(None, maybe(Output(suffixes=(".png", ".jpg", ".jpeg", ".bmp", ".tga"))))
    """Where to put a picture of the last frame."""
    seed: int | None = setting(None, maybe(SEED))
    """Seeds the window's own dice (stars, sparks)."""


def main(settings: PlaySettings) -> None:
    if settings.terminal:
        _in_terminal(settings)
        return
    from alphadiamond.client.app import App, WindowError
    from alphadiamond.client.scenes.game import GameScene
    from alphadiamond.client.scenes.title import TitleScene
    from alphadiamond.client.session import HUMAN, Session

    try:
        app = App(
            headless=settings.headless, size=size_of(settings.size) if settings.size else None, seed=settings.seed
        )
    except WindowError as error:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise AlphaDiamondError(f"{error}; or in the terminal: python scripts/play.py terminal=true") from None
        print(error)
        if input("Play in the terminal? [Y/n] ").strip().lower() not in ("", "y", "yes"):
            raise AlphaDiamondError("no window, no game: terminal=true plays in the terminal") from None
        _in_terminal(settings)
        return
    if settings.game is not None:
        app.use_game(settings.game)
    app.stack.append(TitleScene(app))
    app.scene.entered()
    if settings.green is not None or settings.red is not None:
        other = app.roster.usable(app.settings.opponent)
        green = settings.green or (HUMAN if settings.red != HUMAN else other)
        red = settings.red or (other if settings.green == HUMAN else HUMAN)
        app.push(GameScene(app, Session(green, red, app.game)))
    frames = settings.frames or (60 if settings.headless else 0)
    app.run(frames=frames, screenshot=Path(settings.screenshot) if settings.screenshot else None)


def _in_terminal(settings: PlaySettings) -> None:
    from alphadiamond.terminal.play import play_in_terminal

    play_in_terminal(
        first=settings.green,
        second=settings.red,
        game=settings.game or DEFAULT,
        plain=settings.plain,
        load=settings.load,
        seed=settings.seed,
    )


def name_seats(arguments: list[str]) -> list[str]:
    """The same arguments, where the seats may go by the sides of the game that is named among them."""
    name = next((text.partition("=")[2] for text in reversed(arguments) if text.startswith("game=")), DEFAULT)
    sides = load(name).sides if name in GAMES and name != DEFAULT else ()
    seats = dict(zip(map(str, sides), ("green", "red"), strict=False))
    pairs = [text.partition("=") for text in arguments]
    return [f"{seats.get(key, key) if equals else key}{equals}{value}" for key, equals, value in pairs]


if __name__ == "__main__":
    sys.argv[1:] = name_seats(sys.argv[1:])
    cli.run(main, PlaySettings, "play")
