"""What a widget is: a place, a way to be pressed, and a drawing."""

import pygame

from alphadiamond.client.motion import Approach
from alphadiamond.client.paint import Painter


class Widget:
    """`key` names it within its scene, so that focus and animation survive a new layout."""

    focusable = True
    typing = False
    """Whether letters go to it, so that it shows when they do."""
    container = False
    """Whether others may lie on it."""

    def __init__(self, key: str, rect: pygame.Rect) -> None:
        self.key = key
        self.rect = pygame.Rect(rect)
        self.enabled = True
        self.focused = False
        self.hovered = False
        self.hover = Approach(half_life=0.04)
        self.tip = ""

    @property
    def can_focus(self) -> bool:
        return self.focusable and self.enabled

    def adopt(self, old: "Widget") -> None:
        """Take over what should outlive a new layout."""
        self.hover = old.hover

    def set_hover(self, on: bool) -> None:
        self.hovered = on and self.enabled

    def mouse(self, event: pygame.event.Event) -> bool:
        """A mouse event inside the widget, or any while it is held; True if it was meant for it."""
        return False

    def key_down(self, event: pygame.event.Event) -> bool:
        """A key while focused; True if it was used."""
        return False

    def text_input(self, text: str) -> None:
        """Letters while focused."""

    def press(self) -> None:
        """Enter or space."""

    def tabbed(self, step: int) -> None:
        """Focus has come by Tab, forwards (1) or backwards (-1)."""

    def update(self, dt: float) -> None:
        self.hover.target = 1.0 if self.hovered else 0.0
        self.hover.update(dt)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        raise NotImplementedError
