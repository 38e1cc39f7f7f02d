"""What the game and the replay have below the sidebar: a row of icons and the speed."""

from collections.abc import Callable, Sequence

import pygame

from alphadiamond.client.layout import Space, columns
from alphadiamond.client.scene import Scene
from alphadiamond.client.settings import SPEEDS
from alphadiamond.client.widgets import IconButton, Slider

Action = tuple[str, str, Callable[[], None], str, bool]
"""Key, icon, what it does, the tip, and whether it can be pressed now."""


def add_icons(scene: Scene, area: pygame.Rect, actions: Sequence[Action]) -> None:
    """Equal buttons along the foot of an area."""
    row = Space(area).bottom(scene.painter.look.control())
    for place, (key, icon, action, tip, enabled) in zip(columns(row, len(actions), scene.px(8)), actions, strict=True):
        scene.add(IconButton(key, place, icon, action, tip=tip, enabled=enabled))


def add_speed(scene: Scene, area: pygame.Rect) -> None:
    """The speed at which moves follow each other, along the top of an area."""
    steps = len(SPEEDS) - 1
    settings = scene.app.settings

    def change(value: float) -> None:
        settings.speed = SPEEDS[round(value * steps)]
        scene.app.save_settings()

    slider = Slider(
        "speed",
        Space(area).top(scene.painter.look.control()),
        "Speed",
        SPEEDS.index(settings.speed) / steps,
        change,
        shown=lambda value: f"{SPEEDS[round(value * steps)]:g}×",
        steps=steps,
    )
    slider.place(scene.painter, scene.painter.text.width("0.25×", "label") + scene.px(16))
    scene.add(slider)
