"""The title: a turning diamond, and everything one step away."""

import math
from typing import TYPE_CHECKING

import pygame

from alphadiamond.base.record import GameRecord
from alphadiamond.client.gem import draw_gem
from alphadiamond.client.layout import Space, grid
from alphadiamond.client.scene import Scene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_picker import game_segments
from alphadiamond.client.widgets import Button, Label, Paragraph
from alphadiamond.games import all_games
from alphadiamond.play.opponents import short_title_of
from alphadiamond.play.session import Session

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
        kicker_text = _THIN.join(painter.text.said(self.app.game.title).upper())
        several = len(all_games()) > 1
        column = min(self.px(560), round(area.width * 0.47))
        self.hero = pygame.Rect(0, 0, area.width - column - self.px(96), area.height)
        self.hero.right = area.right
        left = self.px(84)
        name = painter.text.size("AlphaDiamond", "display")
        tag = painter.text.paragraph_height(tagline, "body", column - self.px(40))
        kicker = painter.text.line_step("label")
        play = round(control * 1.45)
        ways = self.app.game.drawing.ways is not None
        rows = 4
        height = kicker + self.px(4) + name[1] + gap + tag + self.px(30) + play + gap + rows * (control + gap)
        if self._running:
            height += control + gap
        if several:
            height += control + gap
        top = max(self.margin, (area.height - height) // 2 - self.px(8))
        space = Space(pygame.Rect(left, top, column, area.height - top))
        self.add(Label("kicker", space.top(kicker, self.px(4)), kicker_text, style="label", colour="accent"))
        place = space.top(name[1], gap)
        place = pygame.Rect(place.left - self.px(3), place.top, max(column, name[0] + 4), place.height)
        self.add(Label("title", place, "AlphaDiamond", style="display"))
        place = space.top(tag, self.px(30))
        place.width -= self.px(40)
        self.add(Paragraph("tagline", place, tagline, colour="muted"))
        space = Space(space.left(min(column, self.px(440))))
        if several:
            self.add(game_segments(self, space.top(control, gap)))
        text = f"Play {short_title_of(self.opponent)}"
        self.add(Button("play", space.top(play, gap), text, self.play, icon="play", kind="primary", style="lead"))
        if self._running:
            text = f"Continue your game, move {len(self._running.moves) // 2 + 1}"
            self.add(Button("continue", space.top(control, gap), text, self.resume, icon="forward"))
        choices = [
            ("new", "New game", "diamond", self.new_game),
            ("learn", "How to play", "book", self.learn),
            ("analysis", "Analysis", "tree", self.analysis),
            ("games", "Games", "folder", self.games),
            ("statistics", "Statistics", "chart", self.statistics),
            ("settings", "Settings", "gear", self.settings),
            ("quit", "Quit", "door", self.back),
        ]
        if ways:
            choices.insert(2, ("simulation", "Path finders", "maze", self.simulation))
        places = grid(space.rest, len(choices), across=2, height=control, gap=gap)
        if len(choices) % 2:  # the last has a row of its own
            places[-1].width = 2 * places[-1].width + gap
        for place, (key, text, icon, action) in zip(places, choices, strict=True):
            self.add(Button(key, place, text, action, icon=icon, align="left"))

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

    def simulation(self) -> None:
        from alphadiamond.client.scenes.simulation import SimulationScene

        self.app.push(SimulationScene(self.app, self.app.game.start()))

    def analysis(self) -> None:
        from alphadiamond.client.scenes.analysis import AnalysisScene

        self.app.push(AnalysisScene.at_start(self.app))

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

        text = "A running game is kept for next time."
        self.app.push(ConfirmScene(self.app, "Quit?", text, "Quit", self.app.quit, no="Stay"))

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
