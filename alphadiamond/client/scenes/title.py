"""The title: a turning diamond, and everything one step away."""

import math
from typing import TYPE_CHECKING

import pygame

from alphadiamond.base.record import GameRecord
from alphadiamond.client.gem import draw_gem
from alphadiamond.client.opponents import short_title_of
from alphadiamond.client.scene import Scene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_picker import game_segments
from alphadiamond.client.session import Session
from alphadiamond.client.widgets import Button, Label, Paragraph
from alphadiamond.games import all_games

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_THIN = "\u2009\u2009"
"""Spaces between capitals."""


class TitleScene(Scene):
    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self._time = 0.0
        self._running: GameRecord | None = None
        self._painted = False
        self._unread = False
        self.focus_key = "play"

    def entered(self) -> None:
        """The first frame does not wait for a game that was left: to read it takes the rules' compiled code."""
        self._unread = not self._painted
        if not self._unread:
            self._running = self.app.library.running()
        self.refresh()

    @property
    def opponent(self) -> str:
        return self.app.roster.usable(self.app.settings.opponent)

    def build(self) -> None:
        painter, area = self.painter, self.area
        control = painter.look.control()
        gap = self.gap
        tagline = self.app.game.drawing.tagline
        kicker_text = _THIN.join(self.app.game.title.upper())
        several = len(all_games()) > 1
        column = min(self.px(560), round(area.width * 0.47))
        self.hero = pygame.Rect(0, 0, area.width - column - self.px(96), area.height)
        self.hero.right = area.right
        left = self.px(84)
        name = painter.text.size("AlphaDiamond", "display")
        tag = painter.text.paragraph_height(tagline, "body", column - self.px(40))
        kicker = painter.text.line_step("label")
        play = round(control * 1.45)
        rows = 3
        height = kicker + self.px(4) + name[1] + gap + tag + self.px(30) + play + gap + rows * (control + gap)
        if self._running:
            height += control + gap
        if several:
            height += control + gap
        top = max(self.margin, (area.height - height) // 2 - self.px(8))
        self.add(Label("kicker", pygame.Rect(left, top, column, kicker), kicker_text, style="label", colour="accent"))
        top += kicker + self.px(4)
        self.add(
            Label(
                "title",
                pygame.Rect(left - self.px(3), top, max(column, name[0] + 4), name[1]),
                "AlphaDiamond",
                style="display",
            )
        )
        top += name[1] + gap
        self.add(Paragraph("tagline", pygame.Rect(left, top, column - self.px(40), tag), tagline, colour="muted"))
        top += tag + self.px(30)
        width = min(column, self.px(440))
        rival = short_title_of(self.opponent)
        if several:
            self.add(game_segments(self, pygame.Rect(left, top, width, control)))
            top += control + gap
        self.add(
            Button(
                "play",
                pygame.Rect(left, top, width, play),
                f"Play {rival}",
                self.play,
                icon="play",
                kind="primary",
                style="lead",
            )
        )
        top += play + gap
        if self._running:
            plies = len(self._running.moves)
            rect = pygame.Rect(left, top, width, control)
            self.add(
                Button("continue", rect, f"Continue your game, move {plies // 2 + 1}", self.resume, icon="forward")
            )
            top += control + gap
        choices = [
            ("new", "New game", "diamond", self.new_game),
            ("learn", "How to play", "book", self.learn),
            ("games", "Games", "folder", self.games),
            ("statistics", "Statistics", "chart", self.statistics),
            ("settings", "Settings", "gear", self.settings),
            ("quit", "Quit", "door", self.back),
        ]
        half = (width - gap) // 2
        for number, (key, text, icon, action) in enumerate(choices):
            rect = pygame.Rect(left + number % 2 * (half + gap), top + number // 2 * (control + gap), half, control)
            self.add(Button(key, rect, text, action, icon=icon, align="left"))

    # Ways on

    def play(self) -> None:
        self.app.sounds.play("click")
        self.app.push(GameScene.against(self.app, self.opponent, self.app.settings.colour))

    def resume(self) -> None:
        if self._running is not None:
            self.app.push(GameScene(self.app, Session.of_record(self._running), resumed=True))

    def new_game(self) -> None:
        from alphadiamond.client.scenes.mode import ModeScene

        self.app.push(ModeScene(self.app))

    def learn(self) -> None:
        from alphadiamond.client.scenes.tutorial import TutorialScene

        self.app.push(TutorialScene(self.app))

    def games(self) -> None:
        from alphadiamond.client.scenes.games import GamesScene

        self.app.push(GamesScene(self.app))

    def statistics(self) -> None:
        from alphadiamond.client.scenes.statistics import StatisticsScene

        self.app.push(StatisticsScene(self.app))

    def settings(self) -> None:
        from alphadiamond.client.scenes.settings import SettingsScene

        self.app.push(SettingsScene(self.app))

    def back(self) -> None:
        from alphadiamond.client.scenes.confirm import ConfirmScene

        stay = ("Stay", "glass", lambda: None)
        self.app.push(
            ConfirmScene(
                self.app, "Quit?", "A running game is kept for next time.", [stay, ("Quit", "primary", self.app.quit)]
            )
        )

    # The hero

    def tick(self, dt: float) -> None:
        if self._unread and self._painted:
            self.entered()
        if not self.painter.look.motion.reduced:
            self._time += dt

    def paint(self, surface: pygame.Surface) -> None:
        self._painted = True
        painter = self.painter
        radius = min(self.hero.width * 0.31, self.hero.height * 0.29)
        centre = (self.hero.centerx - self.px(24), self.hero.centery + self.px(6) * math.sin(self._time * 0.9))
        for number in range(10):
            angle = self._time * 0.32 + number * math.tau / 10
            if math.sin(angle) < 0:
                self._bead(surface, centre, radius, angle, number)
        draw_gem(surface, painter, centre, radius, 0.35 + self._time * 0.28)
        for number in range(10):
            angle = self._time * 0.32 + number * math.tau / 10
            if math.sin(angle) >= 0:
                self._bead(surface, centre, radius, angle, number)

    def _bead(
        self, surface: pygame.Surface, centre: tuple[float, float], radius: float, angle: float, number: int
    ) -> None:
        """Pieces of both colours on a tilted circle round the gem; the far ones are smaller and dimmer."""
        near = 0.5 + 0.5 * math.sin(angle)
        point = (
            centre[0] + math.cos(angle) * radius * 1.42,
            centre[1] + math.sin(angle) * radius * 0.40 + radius * 0.12,
        )
        side = number % 2
        size = self.px(9) + self.px(8) * near
        self.painter.glow(surface, point, size * 2.6, self.painter.theme.bead(side), 0.25 + 0.45 * near)
        self.painter.piece(surface, point, size, side, 0.45 + 0.55 * near)
