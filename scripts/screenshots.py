"""Make a picture of every scene at three sizes, for the documentation and for looking at."""

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from alphadiamond import cli
from alphadiamond.console import progress

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@dataclass
class ScreenshotSettings:
    output: str = "docs/pictures"
    """Where the pictures go."""
    sizes: list[str] = field(default_factory=lambda: ["960x600", "1280x800", "1920x1080"])
    """The sizes of the window."""
    scenes: list[str] = field(default_factory=list)
    """Which scenes; empty means all."""
    theme: str = "midnight"
    """midnight, daylight or high contrast."""
    text_size: str = "normal"
    """normal, large or largest."""
    palette: str = "classic"
    """classic or colour-blind."""
    kind: str = "jpg"
    """jpg is small, png exact."""


def main(settings: ScreenshotSettings) -> None:
    from alphadiamond.client.app import App
    from alphadiamond.client.settings import Settings
    from alphadiamond.client.showcase import SCENES, prepare, stage

    output = Path(settings.output)
    names = list(settings.scenes) or list(SCENES)
    with progress("pictures", len(names) * len(settings.sizes)) as update, tempfile.TemporaryDirectory() as directory:
        count = 0
        for text in settings.sizes:
            width, _, height = text.partition("x")
            chosen = Settings(theme=settings.theme, text_size=settings.text_size, palette=settings.palette)
            app = App(
                headless=True,
                size=(int(width), int(height)),
                process=False,
                settings=chosen,
                directory=Path(directory) / text,
                seed=3,
            )
            prepare(app)
            for name in names:
                stage(app, name)
                app.screenshot(output / f"{name}-{text}.{settings.kind}")
                count += 1
                update(count, name)
            app.close()


if __name__ == "__main__":
    cli.run(main, ScreenshotSettings, "screenshots")
