"""Path finders side by side as a file: a picture of the last moment, or an animation of all of them."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pygame
from PIL import Image

from alphadiamond.base.game import Game
from alphadiamond.client.app import App
from alphadiamond.client.scenes.simulation import SimulationScene
from alphadiamond.client.settings import Settings
from alphadiamond.console import progress

_MOST: Final = 240
"""Pictures of an animation at most: a longer walk takes larger steps."""
_COLOURS: Final = 240
"""Of 256, so that one is left for what does not change from one picture to the next."""
_SAMPLED: Final = 5
"""Pictures from the first to the last whose colours all of them share."""
_PAUSE: Final = 2500
"""Milliseconds for which the last picture stands."""


def write_simulation(
    path: Path,
    game: Game,
    position: Any,
    *,
    side: Any,
    heuristic: str,
    finders: Sequence[str] = (),
    steps_map: bool,
    size: tuple[int, int],
    speed: float,
) -> None:
    """Write a .png of the last moment, or a .gif of every moment at so many a second."""
    with tempfile.TemporaryDirectory() as directory:
        chosen = Settings(game=game.name, reduced_motion=True)
        app = App(headless=True, size=size, process=False, settings=chosen, directory=Path(directory), seed=1)
        try:
            scene = SimulationScene(app, position, side=side, heuristic=heuristic, finders=finders)
            scene.playing, scene.map, scene.controls = False, steps_map, False
            app.stack.append(scene)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".png":
                _picture(app, scene, scene.last).save(path)
            else:
                _animate(app, scene, path, speed)
        finally:
            app.close()


def _animate(app: App, scene: SimulationScene, path: Path, speed: float) -> None:
    stride = -(-scene.last // _MOST) or 1
    moments = [*range(0, scene.last, stride), scene.last]
    palette = _palette([_picture(app, scene, number * scene.last // (_SAMPLED - 1)) for number in range(_SAMPLED)])
    pictures = []
    with progress("pictures", len(moments)) as update:
        for number, moment in enumerate(moments, start=1):
            picture = _picture(app, scene, moment)
            pictures.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))  # so that little changes
            update(number, "")
    each = round(1000 * stride / max(speed, 1.0))
    times = [each] * (len(pictures) - 1) + [_PAUSE]
    # optimize: what does not change is left out, a fifth of the bytes
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=times, loop=0, optimize=True)


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """The colours of all of them, rare ones too: the octree keeps gold and red, which are few among much blue."""
    width, height = pictures[0].size
    together = Image.new("RGB", (width, height * len(pictures)))
    for number, picture in enumerate(pictures):
        together.paste(picture, (0, number * height))
    return together.quantize(_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def _picture(app: App, scene: SimulationScene, moment: int) -> Image.Image:
    scene.go(moment)
    for _ in range(2):  # the first lays it out
        app.frame(0.0)
    return Image.frombytes("RGB", app.size, pygame.image.tobytes(app.surface, "RGB"))
