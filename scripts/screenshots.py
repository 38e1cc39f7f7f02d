"""Make a picture of every scene at three sizes, for the documentation and for looking at."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.console import progress
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings import each, one_of, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import OUTPUT_DIRECTORY
from alphadiamond.settings.ranges import Size, size_of

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# As in `client.showcase` and `client.theme`, which bring the window with them; a test compares them.
SCENES = (
    *("title", "mode", "opponent", "watch-setup", "game", "analysis", "side-by-side", "watch", "game-over", "replay"),
    *("variations", "editor", "paste"),
    *("tutorial", "games", "statistics", "settings", "networks", "solving", "confirm", "online"),
)
WAY_SCENES = ("simulation", "log", "fog")
"""Of games in which pieces look for their way."""
THEMES = ("midnight", "daylight", "high contrast")
TEXT_SIZES = ("normal", "large", "largest")
PALETTES = ("classic", "colour-blind")
LANGUAGES = ("en", "de")


@dataclass
class ScreenshotSettings:
    output: str = setting("docs/pictures", OUTPUT_DIRECTORY)
    """Where the pictures go."""
    sizes: list[str] = setting(["960x600", "1280x800", "1920x1080"], each(Size(), least=1))
    """The sizes of the window."""
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Which game they show; those of another than Diamond Chase have its name before theirs."""
    scenes: list[str] = setting([], each(one_of(*SCENES, *WAY_SCENES)))
    """Which scenes; empty means all."""
    theme: str = setting("midnight", one_of(*THEMES))
    """midnight, daylight or high contrast."""
    text_size: str = setting("normal", one_of(*TEXT_SIZES))
    """normal, large or largest."""
    palette: str = setting("classic", one_of(*PALETTES))
    """classic or colour-blind."""
    language: str = setting("en", one_of(*LANGUAGES))
    """en or de."""
    kind: str = setting("jpg", one_of("jpg", "png"))
    """jpg is small, png exact."""


def main(settings: ScreenshotSettings) -> None:
    from alphadiamond.client.app import App
    from alphadiamond.client.settings import Settings
    from alphadiamond.client.showcase import prepare, stage
    from alphadiamond.games import load

    output = Path(settings.output)
    drawing = load(settings.game).drawing
    ways = drawing.ways is not None
    there = [name for name in SCENES if name != "editor" or drawing.editable]
    names = list(settings.scenes) or [*there, *(WAY_SCENES if ways else ())]
    if not ways and (wrong := [name for name in names if name in WAY_SCENES]):
        raise AlphaDiamondError(f"scene {wrong[0]}: {load(settings.game).title} has no path finders")
    after = "" if settings.language == "en" else f"-{settings.language}"
    before = "" if settings.game == DEFAULT_GAME else f"{settings.game}-"
    with progress("pictures", len(names) * len(settings.sizes)) as update, tempfile.TemporaryDirectory() as directory:
        count = 0
        for text in settings.sizes:
            chosen = Settings(
                language=settings.language,
                theme=settings.theme,
                text_size=settings.text_size,
                palette=settings.palette,
                game=settings.game,
            )
            app = App(
                headless=True,
                size=size_of(text),
                process=False,
                settings=chosen,
                directory=Path(directory) / text,
                seed=3,
            )
            prepare(app)
            for name in names:
                stage(app, name)
                app.screenshot(output / f"{before}{name}{after}-{text}.{settings.kind}")
                count += 1
                update(count, name)
            app.close()


if __name__ == "__main__":
    cli.run(main, ScreenshotSettings, "screenshots")
