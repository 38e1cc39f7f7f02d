"""Choosing: one of a few, on or off, more or less."""

from collections.abc import Callable, Sequence

import pygame

from alphadiamond.client.motion import Approach
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import mix
from alphadiamond.client.widgets.base import Widget


class Segments(Widget):
    """A row of choices, one of them taken; left and right change it."""

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        choices: Sequence[str],
        chosen: int,
        action: Callable[[int], None],
        *,
        style: str = "label",
        widths: Sequence[int] | None = None,
    ) -> None:
        """All parts are as wide as each other, or each as its text with as much room around it as the others."""
        super().__init__(key, rect)
        self.choices, self.chosen, self.action, self.style = list(choices), chosen, action, style
        room = rect.width - sum(widths or ())
        count = len(self.choices)
        self._edges = [rect.width * number // count for number in range(count + 1)]
        if widths:
            self._edges = [sum(widths[:number]) + room * number // count for number in range(count + 1)]
        self._slide = Approach(chosen, chosen, half_life=0.045)
        self._pointed = -1

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, Segments) and len(old.choices) == len(self.choices):
            self._slide = old._slide

    @staticmethod
    def fitting(painter: Painter, choices: Sequence[str], width: int, *, pad: int) -> tuple[str, list[int] | None]:
        """The style and the widths for a row of this width: equal parts of the larger style if it has room, or else
        the smaller style, each part as wide as its text."""
        if (max(painter.text.width(choice, "label") for choice in choices) + pad) * len(choices) <= width:
            return "label", None
        return "caption", [painter.text.width(choice, "caption") for choice in choices]

    @staticmethod
    def width_for(painter: Painter, choices: Sequence[str], style: str = "label") -> int:
        """Room for the longest choice in every part."""
        return max(painter.text.width(choice, style) for choice in choices) * len(choices) + painter.px(26) * len(
            choices
        )

    def part(self, number: int) -> pygame.Rect:
        left, right = self._edges[number : number + 2]
        return pygame.Rect(self.rect.left + left, self.rect.top, right - left, self.rect.height)

    def _at(self, x: int) -> int:
        return sum(x - self.rect.left >= edge for edge in self._edges[1:-1])

    def _thumb(self) -> tuple[float, float]:
        """Left edge and width of what slides between the parts."""
        number = min(len(self.choices) - 1, max(0, int(self._slide.value)))
        share = self._slide.value - number
        here, there = self.part(number), self.part(min(len(self.choices) - 1, number + 1))
        return here.left + share * (there.left - here.left), here.width + share * (there.width - here.width)

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.choose(self._at(event.pos[0]))
            return True
        if event.type == pygame.MOUSEMOTION:
            self._pointed = self._at(event.pos[0])
        return False

    def choose(self, number: int) -> None:
        if self.enabled and number != self.chosen:
            self.chosen = number
            self.action(number)

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            step = 1 if event.key == pygame.K_RIGHT else -1
            self.choose(min(len(self.choices) - 1, max(0, self.chosen + step)))
            return True
        return False

    def press(self) -> None:
        self.choose((self.chosen + 1) % len(self.choices))

    def update(self, dt: float) -> None:
        super().update(dt)
        self._slide.target = self.chosen
        self._slide.update(dt)
        if not self.hovered:
            self._pointed = -1

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        strong = theme.high_contrast
        painter.pane(
            surface,
            self.rect,
            theme.glass,
            0.10 if theme.dark else 0.6,
            0.25 if not strong else 0.6,
            edge_colour=theme.edge,
        )
        left, width = self._thumb()
        gap = painter.px(3)
        thumb = pygame.Rect(round(left) + gap, self.rect.top + gap, round(width) - 2 * gap, self.rect.height - 2 * gap)
        painter.pane(surface, thumb, theme.accent, 0.24 if not strong else 1.0, 0.75, radius=7)
        for number, choice in enumerate(self.choices):
            chosen = number == self.chosen
            colour = theme.text if chosen or number == self._pointed else theme.muted
            if strong and chosen:
                colour = theme.on_accent
            painter.text.draw(surface, choice, self.part(number), self.style, colour, align="center")
        if self.focused:
            painter.focus(surface, self.rect)


class Toggle(Widget):
    """A labelled switch."""

    def __init__(self, key: str, rect: pygame.Rect, text: str, on: bool, action: Callable[[bool], None]) -> None:
        super().__init__(key, rect)
        self.text, self.on, self.action = text, on, action
        self._slide = Approach(float(on), float(on), half_life=0.04)

    def adopt(self, old: Widget) -> None:
        super().adopt(old)
        if isinstance(old, Toggle):
            self._slide = old._slide

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.press()
            return True
        return False

    def press(self) -> None:
        self.on = not self.on
        self.action(self.on)

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            if self.on != (event.key == pygame.K_RIGHT):
                self.press()
            return True
        return False

    def update(self, dt: float) -> None:
        super().update(dt)
        self._slide.target = float(self.on)
        self._slide.update(dt)

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        width, height = painter.px(46), painter.px(26)
        track = pygame.Rect(self.rect.right - width, self.rect.centery - height // 2, width, height)
        box = pygame.Rect(self.rect.left, self.rect.top, track.left - self.rect.left - painter.px(8), self.rect.height)
        painter.text.draw(surface, self.text, box, "body", mix(theme.text, theme.accent, 0.4 * self.hover.value))
        on = self._slide.value
        painter.pane(
            surface, track, theme.glass if theme.dark else theme.edge, 0.22, 0.4, radius=13, edge_colour=theme.edge
        )
        painter.pane(surface, track, theme.accent, 0.9, 0.0, radius=13, alpha=on)
        knob = (track.left + height / 2 + (width - height) * on, track.centery)
        strong = theme.high_contrast
        face = theme.on_accent if strong and on > 0.5 else (255, 255, 255)
        painter.disc(surface, knob, height / 2 - painter.px(4), face)
        if self.focused:
            painter.focus(surface, self.rect.inflate(painter.px(8), 0))


class Slider(Widget):
    """A labelled amount between 0 and 1, or one of a few steps."""

    def __init__(
        self,
        key: str,
        rect: pygame.Rect,
        text: str,
        value: float,
        action: Callable[[float], None],
        *,
        shown: Callable[[float], str],
        steps: int = 20,
    ) -> None:
        super().__init__(key, rect)
        self.text, self.value, self.action, self.shown, self.steps = text, value, action, shown, steps
        self._held = False
        self._track = pygame.Rect(rect)

    def place(self, painter: Painter, value_width: int) -> None:
        """The track between the label and the value."""
        label = painter.text.width(self.text, "body") + painter.px(16) if self.text else 0
        left = self.rect.left + label
        self._track = pygame.Rect(left, self.rect.top, self.rect.right - left - value_width, self.rect.height)

    def _set(self, value: float) -> None:
        value = round(min(1.0, max(0.0, value)) * self.steps) / self.steps
        if value != self.value:
            self.value = value
            self.action(value)

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._held = True
        if event.type == pygame.MOUSEBUTTONUP:
            self._held = False
            return True
        if self._held and event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION):
            self._set((event.pos[0] - self._track.left) / max(1, self._track.width))
            return True
        return False

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self._set(self.value + (1 if event.key == pygame.K_RIGHT else -1) / self.steps)
            return True
        return False

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        if self.text:
            box = pygame.Rect(self.rect.left, self.rect.top, self._track.left - self.rect.left, self.rect.height)
            painter.text.draw(surface, self.text, box, "body", theme.text)
        thick = painter.px(6)
        line = pygame.Rect(self._track.left, self.rect.centery - thick // 2, self._track.width, thick)
        painter.pane(
            surface, line, theme.glass if theme.dark else theme.edge, 0.3, 0.3, radius=3, edge_colour=theme.edge
        )
        filled = pygame.Rect(line.left, line.top, max(thick, round(line.width * self.value)), thick)
        painter.pane(surface, filled, theme.accent, 0.9, 0.0, radius=3)
        knob = (line.left + line.width * self.value, line.centery)
        painter.glow(surface, knob, painter.px(20), theme.accent, 0.3 + 0.3 * self.hover.value)
        painter.disc(surface, knob, painter.px(9), theme.text if theme.dark else theme.accent)
        box = pygame.Rect(
            line.right + painter.px(14), self.rect.top, self.rect.right - line.right - painter.px(14), self.rect.height
        )
        painter.text.draw(surface, self.shown(self.value), box, "label", theme.muted, align="right")
        if self.focused:
            painter.focus(surface, self.rect.inflate(painter.px(8), 0))
