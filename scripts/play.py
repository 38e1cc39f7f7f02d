"""Open the window: play, watch and analyse. With terminal=true, play in the terminal."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from alphadiamond import cli
from alphadiamond.console import print_written
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GAMES, all_games, load
from alphadiamond.settings import between, maybe, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME, with_game_names
from alphadiamond.settings.places import A_FILE, Output
from alphadiamond.settings.players import A_SEAT, PlayerSpec
from alphadiamond.settings.ranges import SEED, Size, size_of

if TYPE_CHECKING:
    from alphadiamond.base.game import Game

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@dataclass
class PlaySettings:
    game: str | None = setting(None, maybe(A_GAME, "that of the last time"))
    """Which game; by default that of the networks at the seats, else that of the last time, in the terminal Diamond
    Chase."""
    first: str | None = setting(None, maybe(A_SEAT))
    """Who moves first: `human`, or a player such as `neural:simulations=200`; with a seat given a game starts at once.
    The sides of a game are seats too: `white=hard`, `game=connect_four red=perfect`."""
    second: str | None = setting(None, maybe(A_SEAT))
    """Who moves second."""
    green: str | None = setting(None, maybe(A_SEAT))
    """In Diamond Chase the same as first."""
    red: str | None = setting(None, maybe(A_SEAT))
    """In Diamond Chase the same as second."""
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

    @property
    def networks(self) -> dict[str, str]:
        """The checkpoint or run at each seat that names one."""
        seats = {seat: getattr(self, seat) for seat in ("first", "second", "green", "red")}
        named = {seat: PlayerSpec.of_seat(spec or "").get("checkpoint") for seat, spec in seats.items()}
        return {seat: checkpoint for seat, checkpoint in named.items() if checkpoint}

    @property
    def played(self) -> str | None:
        """The game: what was given, else what the networks at the seats play."""
        from alphadiamond.network.headers import read_metadata

        return self.game or next((read_metadata(checkpoint).game for checkpoint in self.networks.values()), None)

    def faults(self) -> Iterator[tuple[str, str]]:
        """A network must play the game; the window would find that out later and give its seat to another."""
        from alphadiamond.network.headers import CheckpointError, read_metadata

        for seat, checkpoint in self.networks.items():
            try:
                found = read_metadata(checkpoint).game
                if self.played not in (None, found):
                    yield seat, f"{checkpoint} plays {found}, not {self.played}"
            except CheckpointError as error:
                yield seat, str(error)


def main(settings: PlaySettings) -> None:
    if settings.terminal:
        _in_terminal(settings)
        return
    from alphadiamond.client.app import App, WindowError
    from alphadiamond.client.scenes.game import GameScene
    from alphadiamond.client.scenes.title import TitleScene
    from alphadiamond.play.session import HUMAN, Session

    try:
        app = App(
            headless=settings.headless, size=size_of(settings.size) if settings.size else None, seed=settings.seed
        )
    except WindowError as error:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise AlphaDiamondError(f"{error}; `alphadiamond play terminal=true` needs none") from None
        print(error)
        if input("Play in the terminal? [Y/n] ").strip().lower() not in ("", "y", "yes"):
            raise AlphaDiamondError("no window, no game: terminal=true plays in the terminal") from None
        _in_terminal(settings)
        return
    if settings.played is not None:
        app.use_game(load(settings.played))
    app.stack.append(TitleScene(app))
    app.scene.entered()
    first, second = settings.first or settings.green, settings.second or settings.red
    if first is not None or second is not None:
        other = app.roster.usable(app.settings.opponent)
        first, second = first or (HUMAN if second != HUMAN else other), second or (other if first == HUMAN else HUMAN)
        app.push(GameScene(app, Session(first, second, game=app.game)))
    frames = settings.frames or (60 if settings.headless else 0)
    app.run(frames=frames, screenshot=Path(settings.screenshot) if settings.screenshot else None)
    if settings.screenshot:
        print_written(settings.screenshot)


def _in_terminal(settings: PlaySettings) -> None:
    from alphadiamond.terminal.play import play_in_terminal

    play_in_terminal(
        first=settings.first or settings.green,
        second=settings.second or settings.red,
        game=load(settings.played or DEFAULT_GAME),
        plain=settings.plain,
        load=settings.load,
        seed=settings.seed,
    )


def played(settings: PlaySettings) -> list[str]:
    """Which game it begins with; others are compiled when they are chosen."""
    if settings.game or settings.terminal:
        return [settings.game or DEFAULT_GAME]
    from alphadiamond.client.settings import last_game

    return [last_game()]


def seats_of(game: "Game") -> dict[str, str]:
    """What a seat may be called: by its turn, and by its side as texts write it and as people see it."""
    names = {"first": "first", "second": "second"}
    for seat, side, shown in zip(("first", "second"), game.sides, game.drawing.side_names, strict=True):
        names |= {str(side): seat, shown: seat}
    return names


def name_seats(arguments: list[str]) -> list[str]:
    """The same arguments, with `first` and `second` in place of sides, which also say which game is meant."""
    pairs = [text.partition("=") for text in arguments]
    others = {field.name for field in fields(PlaySettings)} - {"first", "second", "green", "red"}
    if all(not equals or key in others for key, equals, _ in pairs):
        return arguments  # nobody has to wait for the games' code
    seats = {game.name: seats_of(game) for game in all_games()}
    given = [key for key, equals, _ in pairs if equals and any(key in names for names in seats.values())]
    chosen = next((value for key, _, value in reversed(pairs) if key == "game"), None)
    if not given or (chosen is not None and chosen not in GAMES):
        return arguments
    if chosen is None and set(given) - {"first", "second"}:
        chosen = next((name for name, names in seats.items() if names.keys() >= set(given)), None)
        if chosen is None:
            raise AlphaDiamondError(f"{' and '.join(f'{key}=' for key in given)}: sides of different games")
        arguments = [*arguments, f"game={chosen}"]
        pairs.append(("game", "=", chosen))
    names = seats[chosen or DEFAULT_GAME]
    for key in given:
        if key not in names:
            raise AlphaDiamondError(f"{key}=: no side of {load(chosen or DEFAULT_GAME).title}; {_shown(names)}")
        twins = [other for other in given if other != key and names.get(other) == names[key]]
        if twins:
            raise AlphaDiamondError(f"{key}= and {twins[0]}= are the same seat: give one of them")
    if chosen == DEFAULT_GAME:  # its sides are settings themselves
        return arguments
    return [f"{names[key] if key in given else key}{equals}{value}" for key, equals, value in pairs]


def _shown(names: dict[str, str]) -> str:
    sides = [[f"{name}=" for name, where in names.items() if where == seat] for seat in ("first", "second")]
    return "its seats are " + " and ".join(" or ".join(one) for one in sides)


if __name__ == "__main__":
    try:
        sys.argv[1:] = name_seats(with_game_names(sys.argv[1:], PlaySettings))
    except AlphaDiamondError as error:
        cli.fail(str(error))
    cli.run(main, PlaySettings, "play", games=played)
