"""Solving the game from the window, once: an offer, a bar, and exact values from then on."""

from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.layout import Space, centred, columns
from alphadiamond.client.scene import Scene
from alphadiamond.client.solve_process import SolveProcess
from alphadiamond.client.widgets import Button, Label, Paragraph, ProgressBar

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class SolveScene(Scene):
    overlay = True

    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self.solve_process: SolveProcess | None = None

    def _words(self) -> tuple[str, str]:
        if self.app.solution_lookup.ready:
            return (
                "The game is solved",
                "Exact values are there: in the analysis, in the replay and for the perfect player.",
            )
        if self.solve_process is None:
            return "Solve the game", self.app.game.drawing.solving or self._elsewhere()
        if self.solve_process.fault:
            return "It did not work", f"{self.solve_process.fault}. What was finished is not lost; you can try again."
        if self.solve_process.done:
            return "Nearly there", "Loading the solution."
        return "Solving", "You can leave this running only while this window is open; leaving this page stops it."

    def _elsewhere(self) -> str:
        """A game that is solved when it is asked, or cannot be."""
        solution_lookup, title = self.app.solution_lookup, self.app.game.title
        if solution_lookup.loading:
            return f"{title} is being solved at this moment; exact values will be there when it is done."
        return f"Nothing is known exactly of {title} here: {solution_lookup.fault or 'it has not been asked yet'}."

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
        running = self.solve_process is not None and not self.solve_process.fault and not self.app.solution_lookup.ready
        height = (
            2 * pad
            + head
            + self.gap
            + body
            + self.px(20)
            + (self.px(14) + small + self.px(20) if running else 0)
            + control
        )
        self.box = centred((width, height), self.area)
        space = Space(self.box.inflate(-2 * pad, -2 * pad))
        self.add(Label("title", space.top(head, self.gap), title, style="heading"))
        self.add(Paragraph("text", space.top(body, self.px(20)), text, colour="muted"))
        self._bar = self._note = None
        if running:
            self._bar = self.add(ProgressBar("bar", space.top(self.px(14), self.px(4)), 0.0))
            self._note = self.add(Label("note", space.top(small), "", style="caption", colour="faint", fit=True))
        row = space.bottom(control)
        word = "Stop" if running else "Close" if self.app.solution_lookup.ready else "Not now"
        if not running and not self.app.solution_lookup.ready and self.app.game.drawing.solving:
            row, place = columns(row, 2, self.gap)
            self.add(Button("close", row, word, self.back))
            self.add(Button("solve", place, "Solve", self.solve, icon="diamond", kind="primary"))
        else:
            self.add(Button("close", row, word, self.back))

    def solve(self) -> None:
        self.solve_process = SolveProcess(self.app.game)
        self.refresh()

    def tick(self, dt: float) -> None:
        if self.solve_process is None:
            return
        before = (self.solve_process.done, self.solve_process.fault, self.app.solution_lookup.ready)
        self.solve_process.update()
        if self._bar is not None and self._note is not None:
            self._bar.share, self._note.text = self.solve_process.share, self.solve_process.note
        if self.solve_process.done and not self.app.solution_lookup.ready and not self.app.solution_lookup.loading:
            self.app.solution_lookup.load()
            self.app.roster.faults.pop("perfect", None)
            self.app.check_players()
        if before != (self.solve_process.done, self.solve_process.fault, self.app.solution_lookup.ready) or (
            self.app.solution_lookup.ready and self._bar is not None
        ):
            self.refresh()

    def left(self) -> None:
        if self.solve_process is not None:
            self.solve_process.stop()

    def paint(self, surface: pygame.Surface) -> None:
        self.painter.solid(surface, self.box)
