"""Setting up a position by hand: what to put down, where, and who is to move."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.drawing import Spot, Square
from alphadiamond.client.board import BoardWidget
from alphadiamond.client.effects import Effects
from alphadiamond.client.layout import Space, columns, square
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import Button, Label, Panel, Paragraph, Segments
from alphadiamond.errors import AlphaDiamondError

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class EditorScene(PageScene):
    heading = "Set up a position"

    def __init__(self, app: "App", position: Any, on_done: Callable[[Any], None]) -> None:
        """`on_done` hears the new position when it is one."""
        super().__init__(app)
        self.game, self.on_done = app.game, on_done
        self.drawing = app.game.drawing_for(position)
        self.pieces: dict[Square, Any] = self.drawing.pieces(position)
        self.owner: Any | None = app.game.sides[0]
        """Whose piece a click puts down; None takes away."""
        self.turn = position.side
        self.fault = ""
        effects = Effects(app.rng, reduced=True)
        self.board = BoardWidget(self.drawing, position, lambda move: None, effects=effects, sound=app.sounds.play)
        self.board.on_edit = self._put
        self.board.lay(self.pieces)
        self.focus_key = "board"

    def build(self) -> None:
        painter, gap = self.painter, self.gap
        halves = Space(self.build_page())
        panel = halves.right(round(self.area.width * 0.38), self.px(20))
        self.board.rect = square(halves.rest)
        self.board.names = self.app.settings.names
        self.board.prepare(painter)
        self.add(self.board)
        self.add(Panel("panel", panel))
        pad = self.px(24)
        space = Space(panel.inflate(-2 * pad, -2 * pad))
        sides = [name.capitalize() for name in self.drawing.side_names]
        cancel, done = columns(space.bottom(painter.look.control(), gap), 2, gap)
        empty, start = columns(space.bottom(painter.look.control(), gap), 2, gap)
        owners = [*self.game.sides, None]
        self._choice("owner", "A click puts down", space, [*sides, "Nothing"], owners.index(self.owner), self._own)
        self._choice("turn", "To move", space, sides, int(self.turn), self._move)
        if self.fault:
            text, colour = self.fault, "danger"
        elif self.drawing.columns:
            text = f"A click in a column puts a {self.drawing.piece} on top; with “Nothing” it takes the top one away."
            colour = "muted"
        else:
            text = f"A click on a {self.drawing.place} puts a {self.drawing.piece} there, and another takes it away."
            colour = "muted"
        self.add(Paragraph("said", space.rest, text, colour=colour))
        self.add(Button("empty", empty, "Empty", self._empty))
        self.add(Button("start", start, "Start position", self._start))
        self.add(Button("cancel", cancel, "Cancel", self.back))
        self.add(Button("done", done, "Done", self._done, icon="check", kind="primary"))

    def _choice(
        self, key: str, text: str, space: Space, names: list[str], chosen: int, choose: Callable[[int], None]
    ) -> None:
        place = space.top(self.painter.text.line_step("label"), self.px(4))
        self.add(Label(f"{key}-label", place, text, style="label", colour="muted"))
        self.add(Segments(key, space.top(self.painter.look.control(), self.gap), names, chosen, choose))

    # What is put where

    def _own(self, number: int) -> None:
        self.owner = [*self.game.sides, None][number]
        self.refresh()

    def _move(self, number: int) -> None:
        self.turn = self.game.sides[number]
        self.refresh()

    def _square(self, spot: Spot) -> Square | None:
        """Where a click puts something: in a column on top, and what is taken away there is the top one."""
        if not self.drawing.columns:
            return spot
        column = self.drawing.columns[spot]
        taken = [cell for cell in column if cell in self.pieces]
        if self.owner is None:
            return taken[-1] if taken else None
        return column[len(taken)] if len(taken) < len(column) else None

    def _put(self, spot: Spot) -> None:
        place = self._square(spot)
        if place is None:
            self.app.sounds.play("refuse")
            return
        again = not self.drawing.columns and self.pieces.get(place) == self.owner
        if self.owner is None or again:
            self.pieces.pop(place, None)
        else:
            self.pieces[place] = self.owner
        self.app.sounds.play("select")
        self._show()

    def _empty(self) -> None:
        self.pieces = {}
        self._show()

    def _start(self) -> None:
        start = self.game.sample_start()
        self.pieces, self.turn = self.drawing.pieces(start), start.side
        self._show()

    def _show(self) -> None:
        self.fault = ""
        self.board.lay(self.pieces)
        self.refresh()

    def _done(self) -> None:
        try:
            position = self.drawing.arranged(self.pieces, self.turn)
        except (AlphaDiamondError, ValueError) as error:
            self.fault = " ".join(str(error).split())
            self.fault = self.fault[:1].upper() + self.fault[1:] + "."
            self.app.sounds.play("refuse")
            self.refresh()
            return
        self.app.pop()
        self.on_done(position)

    # Every frame

    def paint_over(self, surface: pygame.Surface) -> None:
        """The piece that a click would put down."""
        board = self.board
        spot = board.pointed if board.pointed is not None else board.cursor if board.focused else None
        place = None if spot is None or self.owner is None else self._square(spot)
        if place is not None and place not in self.pieces:
            geometry = board.geometry
            self.painter.piece(surface, geometry.point(place), geometry.bead, self.owner, 0.45)
