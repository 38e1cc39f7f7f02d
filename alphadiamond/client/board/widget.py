"""The board under a person's hand.

A click on a piece picks it and a click on a square puts it there; dragging does both at once; a chain is clicked square
by square, or by its end where that can mean only one; in a game of columns one click is a move. From the keyboard the
arrows move a cursor, Tab goes round what can be picked or where it can go, Enter picks and puts, and a column goes by
its name too, as does any move that has a key. Where pieces look for their way a far square means the first step there.
"""

from collections.abc import Callable
from typing import Any

import pygame

from alphadiamond.base.drawing import Drawing, Spot
from alphadiamond.client.board.geometry import Point, neighbour_towards
from alphadiamond.client.board.view import BoardView
from alphadiamond.client.effects import Effects

_ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
_KEYPAD = {getattr(pygame, f"K_KP{digit}"): str(digit) for digit in range(10)}


class BoardWidget(BoardView):
    def __init__(
        self,
        drawing: Drawing,
        position: Any,
        on_move: Callable[[Any], None],
        *,
        effects: Effects,
        sound: Callable[[str], None],
    ) -> None:
        super().__init__(drawing, position, effects=effects, sound=sound)
        self.on_move = on_move
        self.on_edit: Callable[[Spot], None] | None = None
        """While a position is set up: hears what is clicked, and no move is made."""

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self.pointed = self.geometry.spot_at(event.pos)
            if self.drag is not None:
                self.drag = event.pos
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press_at(self.geometry.spot_at(event.pos), event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self.picked = ()
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.drag is not None:
            self.drag = None
            spot = self.geometry.spot_at(event.pos)
            if spot is not None and spot != self.selected:
                self._put(spot)
            return True
        return False

    def _press_at(self, spot: Spot | None, point: Point | None) -> None:
        if spot is None:
            self.picked = ()
            return
        self.cursor = spot
        if self.on_edit is not None:
            self.on_edit(spot)
            return
        if not self.playable or self.busy:
            return
        if not self.drawing.columns and self.pieces.get(spot) == self.position.side:
            if spot == self.selected and point is None:
                self.picked = ()
                return
            self.picked = (spot,)
            self.drag = point
            self.sound("select" if self.targets(spot) else "refuse")
        elif self._far(spot) is not None:
            self.picked = ()
            self.on_move(self._far(spot))
        elif self.picked or self.targets(spot) or self.drawing.columns:
            self._put(spot)

    def _far(self, spot: Spot) -> Any | None:
        """The first step of the way to a square that no single move leads to."""
        self.pointed = spot
        return self.way.move if self.way is not None and not self.targets(spot) else None

    def _put(self, spot: Spot) -> None:
        """Go on with what is picked, or begin where a single click is a move."""
        taken = self._clicks.take(self.picked, spot)
        if taken is None:
            self.sound("refuse")
            return
        again = taken[0] == self.picked  # the same square once more lets go of it
        self.picked, move = ((), None) if again and taken[1] is None else taken
        if move is None:
            self.sound("select")  # one jump of a chain
        else:
            self.on_move(move)

    def press(self) -> None:
        self._press_at(self.cursor, None)

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in _ARROWS:
            found = neighbour_towards(self.drawing, self.cursor, _ARROWS[event.key])
            if found is None:
                return False
            self.cursor = found
            return True
        if event.key == pygame.K_TAB:
            return self._tab(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        if event.key == pygame.K_ESCAPE and self.picked:
            self.picked = ()
            return True
        return self._named(event)

    def _named(self, event: pygame.event.Event) -> bool:
        """The key of a move or of a column."""
        name = _KEYPAD.get(event.key) or (chr(event.key) if 32 < event.key < 127 else "")
        if self.playable and not self.busy and name in (keys := self.drawing.keys(self.position)):
            self.picked = ()
            self.on_move(keys[name])
            return True
        if not self.drawing.columns or name not in self.drawing.column_names:
            return False
        self._press_at(self.drawing.column_names.index(name), None)
        return True

    def tabbed(self, step: int) -> None:
        stops = self._stops()
        if stops:
            self.cursor = stops[0 if step > 0 else -1]

    def _stops(self) -> list[Spot]:
        """The spots that matter now: where the picked piece may go, or what can be picked."""
        return list(self.goals(self.picked)) if self.picked else self.movable

    def _tab(self, step: int) -> bool:
        """Round the spots that matter now; past the last of them the focus leaves the board."""
        stops = self._stops()
        if not stops:
            return False
        if self.cursor in stops:
            wanted = stops.index(self.cursor) + step
            if not 0 <= wanted < len(stops):
                return self._wrap(stops, step)
            self.cursor = stops[wanted]
        else:
            self.cursor = stops[0 if step > 0 else -1]
        return True

    def _wrap(self, stops: list[Spot], step: int) -> bool:
        if not self.picked:
            return False
        self.cursor = stops[0 if step > 0 else -1]
        return True
