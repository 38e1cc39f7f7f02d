"""How to play, by doing: a few short lessons on the real board, then a first game with a coach."""

from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.agents import players_of
from alphadiamond.base.drawing import Lesson
from alphadiamond.base.game import Game
from alphadiamond.client.board import BoardWidget
from alphadiamond.client.effects import Effects
from alphadiamond.client.layout import Space, columns, square
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import Button, Label, Panel, Paragraph
from alphadiamond.play.session import Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class TutorialScene(PageScene):
    heading = "How to play"

    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self.game = app.game
        self.drawing = app.game.drawing
        self.lessons = self.drawing.lessons or (_first_move(app.game),)
        self.number = 0
        self.said = ""
        self.done = False
        self.effects = Effects(app.rng, reduced=app.painter.look.motion.reduced)
        self.board = BoardWidget(
            self.drawing, self._position(), self._played, effects=self.effects, sound=app.sounds.play
        )
        self._retry = 0.0
        self._begin()

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.number]

    def _begin(self) -> None:
        self.said, self.done, self._retry = "", False, 0.0
        self._reset()
        self.refresh()

    def _position(self) -> Any:
        return self.game.parse(self.lesson.position)

    def _reset(self) -> None:
        self.board.show(self._position(), None)
        self.board.playable = True
        theme = self.painter.theme
        self.board.marks = {self.drawing.names.index(name): theme.accent for name in self.lesson.marks}
        self.board.cursor = self.drawing.spots(self.drawing.solutions(self.lesson)[0])[0]

    def _played(self, move: Any) -> None:
        ply = self.drawing.ply(self.board.position, move)
        self.board.marks = {}
        self.board.playable = False
        self.board.show(ply.after, ply, moved=True, seconds=self.painter.look.motion.move)
        if self.lesson.done(ply):
            self.done, self.said = True, self.lesson.praise
            self.focus_key = "next"
            if self.number == len(self.lessons) - 1:
                theme = self.painter.theme
                self.effects.confetti(
                    self.area.width, colours=(theme.bead(0), theme.gold, theme.accent), scale=self.painter.look.scale
                )
                self.app.sounds.play("win")
                self.app.settings.tutorial_done = True
        else:
            self.said = self.lesson.again
            self._retry = 1.4
        self.refresh()

    def tick(self, dt: float) -> None:
        self.effects.update(dt)
        if self._retry > 0 and not self.board.busy:
            self._retry -= dt
            if self._retry <= 0:
                self._reset()

    def build(self) -> None:
        painter, gap = self.painter, self.gap
        body = self.build_page()
        halves = Space(body)
        panel = halves.right(round(body.width * 0.40), self.px(20))
        self.board.rect = square(halves.rest)
        self.board.names = True
        self.board.prepare(painter)
        self.effects.reduced = painter.look.motion.reduced
        self.add(self.board)
        if self.focus_key in ("", "back"):
            self.focus_key = "board"
        self.add(Panel("panel", panel))
        pad = self.px(26)
        space = Space(panel.inflate(-2 * pad, -2 * pad))
        self.dots = space.top(self.px(18), self.px(10))
        lesson = self.lesson
        place = space.top(painter.text.line_step("heading"), self.px(6))
        self.add(Label("lesson", place, lesson.title, style="heading", colour="accent"))
        before, after = columns(space.bottom(painter.look.control()), 2, gap)
        for key, text, colour in (
            ("text", lesson.text, "text"),
            ("task", lesson.task, "gold"),
            ("said", self.said, "good" if self.done else "danger"),
        ):
            if text:
                height = painter.text.paragraph_height(text, "body", space.rest.width)
                self.add(Paragraph(key, space.top(height, gap), text, colour=colour))
        self.add(Button("before", before, "Back", self._before, icon="back", enabled=self.number > 0))
        last = self.number == len(self.lessons) - 1
        text, icon = ("First game", "play") if last else ("Next", "forward")
        kind = "primary" if self.done else "glass"
        self.add(Button("next", after, text, self._next, icon=icon, kind=kind))

    def _before(self) -> None:
        if self.number:
            self.number -= 1
            self._begin()

    def _next(self) -> None:
        if self.number < len(self.lessons) - 1:
            self.number += 1
            self.focus_key = "board"
            self._begin()
        else:
            rival = "beginner" if "beginner" in players_of(self.game) else "random"
            self.app.save_settings()
            self.app.start(GameScene(self.app, Session(second=rival, game=self.game), coach=True))

    def paint_over(self, surface: pygame.Surface) -> None:
        painter = self.painter
        for number in range(len(self.lessons)):
            centre = (self.dots.left + self.px(7) + number * self.px(24), self.dots.centery)
            here = number == self.number
            colour = painter.theme.accent if number <= self.number else painter.theme.faint
            painter.disc(surface, centre, self.px(6 if here else 4), colour)
            if here:
                painter.glow(surface, centre, self.px(18), colour, 0.7)
        self.effects.draw(surface, painter)


def _first_move(game: Game) -> Lesson:
    """For a game that brings no lessons."""
    return Lesson(
        title="A first move",
        text=game.drawing.tagline or f"{game.title} brings no lessons. Point at the board to see what can be played.",
        task=f"Play any move for {game.drawing.side_name(game.sides[0])}.",
        position=str(game.sample_start()),
        done=lambda ply: True,
        praise="That is a move. The other side is next.",
    )
