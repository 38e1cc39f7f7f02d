"""Solving the game from the window, once: an offer, a bar, and exact values from then on."""

from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.building import Builder
from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import Button, Label, Paragraph, ProgressBar

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class SolvingScene(Scene):
    overlay = True

    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self.builder: Builder | None = None

    def _words(self) -> tuple[str, str]:
        if self.app.judge.ready:
            return (
                "The game is solved",
                "Exact values are there: in the analysis, in the replay and for the perfect player.",
            )
        if self.builder is None:
            return "Solve the game", self.app.game.drawing.solving or self._elsewhere()
        if self.builder.fault:
            return "It did not work", f"{self.builder.fault}. What was finished is not lost; you can try again."
        if self.builder.done:
            return "Nearly there", "Loading the solution."
        return "Solving", "You can leave this running only while this window is open; leaving this page stops it."

    def _elsewhere(self) -> str:
        """A game that is solved when it is asked, or cannot be."""
        judge, title = self.app.judge, self.app.game.title
        if judge.loading:
            return f"{title} is being solved at this moment; exact values will be there when it is done."
        return f"Nothing is known exactly of {title} here: {judge.fault or 'it has not been asked yet'}."

    def build(self) -> None:
        painter = self.painter
        pad = self.px(32)
        width = min(self.px(600), self.area.width - 2 * self.margin)
        title, text = self._words()
        body = painter.text.paragraph_height(text, "body", width - 2 * pad)
        head, control, small = (
            painter.text.line_step("heading"),
            painter.look.control(),
            painter.text.line_step("caption"),
        )
        running = self.builder is not None and not self.builder.fault and not self.app.judge.ready
        height = (
            2 * pad
            + head
            + self.gap
            + body
            + self.px(20)
            + (self.px(14) + small + self.px(20) if running else 0)
            + control
        )
        self.box = pygame.Rect(0, 0, width, height)
        self.box.center = self.area.center
        inner = self.box.inflate(-2 * pad, -2 * pad)
        self.add(Label("title", pygame.Rect(inner.left, inner.top, inner.width, head), title, style="heading"))
        top = inner.top + head + self.gap
        self.add(Paragraph("text", pygame.Rect(inner.left, top, inner.width, body), text, colour="muted"))
        top += body + self.px(20)
        self._bar = self._note = None
        if running:
            self._bar = self.add(ProgressBar("bar", pygame.Rect(inner.left, top, inner.width, self.px(14)), 0.0))
            self._note = self.add(
                Label(
                    "note",
                    pygame.Rect(inner.left, top + self.px(14) + self.px(4), inner.width, small),
                    "",
                    style="caption",
                    colour="faint",
                    fit=True,
                )
            )
        half = (inner.width - self.gap) // 2
        row = inner.bottom - control
        can_start = not running and not self.app.judge.ready and bool(self.app.game.drawing.solving)
        self.add(
            Button(
                "close",
                pygame.Rect(inner.left, row, half if can_start else inner.width, control),
                "Stop" if running else "Close" if self.app.judge.ready else "Not now",
                self.back,
            )
        )
        if can_start:
            self.add(
                Button(
                    "solve",
                    pygame.Rect(inner.right - half, row, half, control),
                    "Solve",
                    self.solve,
                    icon="diamond",
                    kind="primary",
                )
            )

    def solve(self) -> None:
        self.builder = Builder(self.app.game.name)
        self.refresh()

    def tick(self, dt: float) -> None:
        if self.builder is None:
            return
        before = (self.builder.done, self.builder.fault, self.app.judge.ready)
        self.builder.update()
        if self._bar is not None and self._note is not None:
            self._bar.share, self._note.text = self.builder.share, self.builder.note
        if self.builder.done and not self.app.judge.ready and not self.app.judge.loading:
            self.app.judge.load()
            self.app.roster.faults.pop("perfect", None)
            self.app.check_players()
        if before != (self.builder.done, self.builder.fault, self.app.judge.ready) or (
            self.app.judge.ready and self._bar is not None
        ):
            self.refresh()

    def left(self) -> None:
        if self.builder is not None:
            self.builder.stop()

    def paint(self, surface: pygame.Surface) -> None:
        self.painter.solid(surface, self.box)
