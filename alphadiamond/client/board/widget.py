"""The board under a person's hand.

A click on a bead picks it and a click on a node puts it there; dragging does both at once; from the keyboard the arrows
move a cursor, Tab goes round the beads that can move or the nodes they can move to, and Enter picks and puts.
"""

from collections.abc import Callable

import pygame

from alphadiamond.client.board.geometry import Point, neighbour_towards
from alphadiamond.client.board.view import BoardView
from alphadiamond.client.effects import Effects
from alphadiamond.games.diamond_chase import Move
from alphadiamond.games.diamond_chase.board import Node

_ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}


class BoardWidget(BoardView):
    def __init__(self, on_move: Callable[[Move], None], *, effects: Effects, sound: Callable[[str], None]) -> None:
        super().__init__(effects=effects, sound=sound)
        self.on_move = on_move

    def mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEMOTION:
            self._pointed = self.geometry.node_at(event.pos)
            if self._drag is not None:
                self._drag = event.pos
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press_at(self.geometry.node_at(event.pos), event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 3:
            self.selected = None
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self._drag is not None:
            self._drag = None
            node = self.geometry.node_at(event.pos)
            if node is not None and node != self.selected:
                self._put(node)
            return True
        return False

    def _press_at(self, node: Node | None, point: Point | None) -> None:
        if node is None:
            self.selected = None
            return
        self.cursor = node
        if not self.playable or self.busy:
            return
        if self.position.at(node) is self.position.side:
            if node == self.selected and point is None:
                self.selected = None
                return
            self.selected = node
            self._drag = point
            self.sound("select" if self.targets(node) else "refuse")
        elif self.selected is not None:
            self._put(node)

    def _put(self, node: Node) -> None:
        move = next((move for move in self.targets(self.selected or 0) if move.target == node), None)
        if self.selected is None or move is None:
            self.sound("refuse")
            return
        self.selected = None
        self.on_move(move)

    def press(self) -> None:
        self._press_at(self.cursor, None)

    def key_down(self, event: pygame.event.Event) -> bool:
        if event.key in _ARROWS:
            found = neighbour_towards(self.cursor, _ARROWS[event.key])
            if found is None:
                return False
            self.cursor = found
            return True
        if event.key == pygame.K_TAB:
            return self._tab(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        if event.key == pygame.K_ESCAPE and self.selected is not None:
            self.selected = None
            return True
        return False

    def tabbed(self, step: int) -> None:
        stops = self._stops()
        if stops:
            self.cursor = stops[0 if step > 0 else -1]

    def _stops(self) -> list[Node]:
        """The nodes that matter now: where the picked bead may go, or the beads that can be picked."""
        if self.selected is not None:
            return [move.target for move in self.targets(self.selected)]
        return self.movable

    def _tab(self, step: int) -> bool:
        """Round the nodes that matter now; past the last of them the focus leaves the board."""
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

    def _wrap(self, stops: list[Node], step: int) -> bool:
        if self.selected is None:
            return False
        self.cursor = stops[0 if step > 0 else -1]
        return True
