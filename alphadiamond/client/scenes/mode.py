"""How to play: against a player, two people, watching two players, or online."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.layout import Space, centred, columns
from alphadiamond.client.motion import ease_out
from alphadiamond.client.paint import Painter
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_picker import add_games
from alphadiamond.client.scenes.opponent import OpponentScene
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.settings import CLOCKS
from alphadiamond.client.widgets import Button, Label, Segments
from alphadiamond.play.session import Clock, Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class ModeCard(Button):
    """A tall button with a picture, a title and a line."""

    def __init__(
        self, key: str, rect: pygame.Rect, text: str, line: str, icon: str, action: Callable[[], None]
    ) -> None:
        super().__init__(key, rect, text, action, icon=icon)
        self.line = line

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        theme = painter.theme
        lift = round(painter.px(6) * ease_out(self.hover.value))
        rect = self.rect.move(0, -lift)
        painter.panel(surface, rect)
        painter.pane(surface, rect, theme.accent, 0.10, 0.8, radius=14, alpha=self.hover.value)
        centre = (rect.centerx, rect.top + rect.height * 0.33)
        painter.glow(surface, centre, rect.width * 0.42, theme.accent_2, 0.28 + 0.2 * self.hover.value)
        painter.icon(surface, self.icon, centre, 72, theme.accent)
        heading = painter.text.line_step("lead")
        top = rect.top + round(rect.height * 0.58)
        inner = rect.inflate(-2 * painter.px(22), 0)
        painter.text.draw(
            surface, self.text, pygame.Rect(inner.left, top, inner.width, heading), "lead", theme.text, align="center"
        )
        below = pygame.Rect(
            inner.left, top + heading + painter.px(6), inner.width, rect.bottom - top - heading - painter.px(16)
        )
        painter.text.paragraph(surface, self.line, below, "body", theme.muted, align="center")
        if self.focused:
            painter.focus(surface, rect, radius=14)


def clock_words(clock: Clock | None) -> str:
    """`3 + 2`: minutes for the game, seconds for each move."""
    return f"{clock.seconds // 60} + {clock.increment}" if clock else "None"


class ModeScene(PageScene):
    heading = "New game"
    subtitle = "Who is playing?"

    def __init__(self, app: "App") -> None:
        super().__init__(app)

    def build(self) -> None:
        body = self.build_page()
        body = add_games(self, body)
        modes = [
            ("versus", "Against a player", "Choose your colour and whom to beat", "person", self.versus),
            ("people", "Two people", "Take turns at one screen", "people", self.people),
            ("watch", "Watch", "Any two players, at any speed", "chips", self.watch),
            ("online", "Online", "People and players on a server", "globe", self.online),
        ]
        body = self._add_clock(body)
        gap = self.px(24)
        count = len(modes)
        width = min(self.px(340), (body.width - (count - 1) * gap) // count)
        height = min(self.px(400), body.height - self.px(40))
        row = centred((count * width + (count - 1) * gap, height), body).move(0, -self.px(10))
        for place, (key, text, line, icon, action) in zip(columns(row, count, gap), modes, strict=True):
            self.add(ModeCard(key, place, text, line, icon, action))
        if self.focus_key in ("", "back"):
            self.focus_key = "versus"

    def _add_clock(self, body: pygame.Rect) -> pygame.Rect:
        """The time for a game played here, along the foot; returns what is left."""
        space = Space(body)
        row = space.bottom(self.painter.look.control(), self.px(8))
        words = [clock_words(Clock.parse(text)) for text in CLOCKS]
        label = self.painter.text.width("Clock", "label")
        width = min(row.width, self.px(640))
        place = Space(pygame.Rect(row.centerx - width // 2, row.top, width, row.height))
        self.add(Label("clock-label", place.left(label + 2, self.gap), "Clock", style="label", colour="muted"))
        self.add(Segments("clock", place.rest, words, CLOCKS.index(self.app.settings.clock), self._choose_clock))
        return space.rest

    def _choose_clock(self, number: int) -> None:
        self.app.sounds.play("click")
        self.app.settings.clock = CLOCKS[number]
        self.app.save_settings()

    def versus(self) -> None:
        self.app.push(OpponentScene(self.app))

    def people(self) -> None:
        self.app.start(GameScene(self.app, Session(game=self.app.game, clock=Clock.parse(self.app.settings.clock))))

    def watch(self) -> None:
        self.app.push(OpponentScene(self.app, watch=True))

    def online(self) -> None:
        from alphadiamond.client.scenes.lobby import LobbyScene

        self.app.push(LobbyScene(self.app))
