"""The board as it is seen: a position, a move under way, what is picked, pointed at and suggested."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pygame

from alphadiamond.base.drawing import CELLS, CHECKERS, GRAPH, GRID, MAZE, TRAP, Clicks, Drawing, Ply, Spot, Square
from alphadiamond.base.ways import Moment
from alphadiamond.client.board.art import Art
from alphadiamond.client.board.cells import CellsArt
from alphadiamond.client.board.checkers import CheckersArt
from alphadiamond.client.board.geometry import Geometry, Point
from alphadiamond.client.board.graph import GraphArt
from alphadiamond.client.board.grid import GridArt
from alphadiamond.client.board.maze import MazeArt
from alphadiamond.client.effects import Effects
from alphadiamond.client.motion import Approach, Tween
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour
from alphadiamond.client.widgets import Widget

_ARTS: Final[dict[str, type[Art]]] = {
    GRAPH: GraphArt,
    GRID: GridArt,
    CHECKERS: CheckersArt,
    CELLS: CellsArt,
    MAZE: MazeArt,
}
_FALL: Final = (0.9, 0.22)
"""How long a fall takes, in usual moves: at least, and more for every row."""
_JUMP: Final = 1.15
"""How long each jump takes, in usual moves."""


@dataclass(frozen=True)
class Arrow:
    """A move shown on the board; `weight` is how thick, 0 to 1."""

    move: Any
    weight: float
    colour: Colour
    label: str = ""


@dataclass(frozen=True)
class Way:
    """A way that could be gone, for a look ahead."""

    path: tuple[Square, ...]
    """From where the piece stands."""
    text: str
    """What it costs."""
    move: Any
    """Its first step."""


@dataclass
class Flight:
    """A ply under way."""

    ply: Ply
    pieces: dict[Square, Any]
    """What stood on the board before it."""
    blocks: tuple[tuple[Square, ...], ...]
    """The squares under each piece that covered several."""
    ground: dict[Square, str]
    """What lay on the squares."""
    tween: Tween
    landed: bool = False
    vanish: Tween = field(default_factory=lambda: Tween(0.35))


class BoardView(Widget):
    def __init__(self, drawing: Drawing, position: Any, *, effects: Effects, sound: Callable[[str], None]) -> None:
        super().__init__("board", pygame.Rect(0, 0, 600, 600))
        self.drawing = drawing
        self.effects = effects
        self.sound = sound
        self.position = position
        self.pieces: dict[Square, Any] = {}
        self.blocks: tuple[tuple[Square, ...], ...] = ()
        self.ground: dict[Square, str] = {}
        self.lit: tuple[Square, ...] = ()
        """Squares that show why the game is over."""
        self.last: Ply | None = None
        self.playable = False
        """Whether the side to move is moved by hand now."""
        self.arrows: Sequence[Arrow] = ()
        self.hint: tuple[Square, ...] = ()
        """The path of a suggested move, or only its beginning."""
        self.marks: dict[Square, Colour] = {}
        """Squares with a ring of a colour, for lessons."""
        self.trails: dict[Any, tuple[Square, ...]] = {}
        """By side where its piece has been, on a board with ways."""
        self.entered: frozenset[Square] = frozenset()
        """The squares that anybody has entered."""
        self.best_ways: dict[Any, tuple[Square, ...]] = {}
        """By side the cheapest way that there was, once the game is over."""
        self.seen: frozenset[Square] | None = None
        """In a fog: the squares that are not hidden."""
        self.distances: dict[Square, int] = {}
        """Numbers to lay over the squares."""
        self.moment: Moment | None = None
        """Of a walk that is shown in place of the position's own pieces: `walker` is the side that walks."""
        self.walker: Any = None
        self.foresight = True
        """Whether the cheapest way to a square is shown."""
        self._way: tuple[Any, Way | None] = (None, None)
        self.names = True
        self.picked: tuple[Spot, ...] = ()
        """What has been clicked of the next move so far."""
        self.cursor: Spot = drawing.home
        self.pointed: Spot | None = None
        self.drag: Point | None = None
        self.flight: Flight | None = None
        self.time = 0.0
        self.glow = [Approach(half_life=0.06) for _ in drawing.points]
        self.compulsory = False
        """Whether something has to be taken."""
        self._painter: Painter | None = None
        self._clicks = Clicks({})
        self._plies: dict[Any, Ply] = {}
        self._prepare()

    # What is shown

    def show(self, position: Any, last: Ply | None, *, seconds: float = 0.0, moved: bool = False) -> None:
        """Show a position and the ply that led to it; `moved`: it has just been played, and takes its time."""
        self.position, self.last = position, last
        self.picked = ()
        self.drag = None
        self.hint = ()
        self.flight = None
        if moved and last is not None:
            if seconds > 0:
                drawing, before = self.drawing, last.before
                shown = drawing.pieces(before), drawing.blocks(before), drawing.ground(before)
                self.flight = Flight(last, *shown, Tween(seconds * self._length(last)))
            else:
                self._land(last)
        self._prepare()

    def lay(self, pieces: Mapping[Square, Any]) -> None:
        """Show pieces that need not be a position, while one is set up."""
        self.show(self.position, None)
        self.pieces, self.blocks, self.lit = dict(sorted(pieces.items())), (), ()
        self._clicks, self._plies, self.compulsory = Clicks({}), {}, False

    def _length(self, ply: Ply) -> float:
        """How much longer than a usual move it takes to see this one."""
        if ply.how == "jump":
            return _JUMP * (len(ply.path) - 1)
        if ply.how == "fall" and self.drawing.columns:
            column = self.drawing.columns[self.drawing.spot_of(ply.path[-1])]
            return _FALL[0] + _FALL[1] * (len(column) - column.index(ply.path[-1]))
        return 1.0

    def _prepare(self) -> None:
        """The pieces, the legal moves, and what each of them would do."""
        self.pieces = self.drawing.pieces(self.position)
        self.blocks = self.drawing.blocks(self.position)
        self.ground = self.drawing.ground(self.position)
        self.lit = self.drawing.lit(self.position)
        self._clicks = self.drawing.clicks(self.position)
        self._plies = {move: self.drawing.ply(self.position, move) for move in self._clicks.paths}
        taking = [bool(ply.captured) for ply in self._plies.values()]
        self.compulsory = bool(taking) and all(taking)

    @property
    def selected(self) -> Spot | None:
        """The piece that is picked."""
        return self.picked[0] if self.picked else None

    @selected.setter
    def selected(self, spot: Spot | None) -> None:
        self.picked = () if spot is None else (spot,)

    @property
    def busy(self) -> bool:
        return self.flight is not None

    @property
    def geometry(self) -> Geometry:
        return Geometry.within(self.rect, self.drawing)

    @property
    def way(self) -> Way | None:
        """The cheapest way of the side to move to the square that is pointed at, or to the cursor."""
        ways = self.drawing.ways
        spot = self.pointed if self.pointed is not None else self.cursor if self.focused else None
        if ways is None or spot is None or not self.foresight:
            return None
        key = (self.position, spot, self.seen)
        if key != self._way[0]:
            path, cost = ways.to(self.position, spot, known=self.seen)
            step = next((move for move in self._plies if self.path(move) == path[:2]), None)
            text = f"{len(path) - 1} steps, cost {cost}" if len(path) > 2 else f"cost {cost}"
            self._way = (key, Way(path, text, step) if step is not None else None)
        return self._way[1]

    def targets(self, spot: Spot) -> list[Any]:
        """The moves that begin with a spot."""
        return self._clicks.following((spot,))

    def path(self, move: Any) -> tuple[Square, ...]:
        """The squares a move touches."""
        return self._plies[move].path if move in self._plies else self.drawing.path(self.position, move)

    def goals(self, picked: tuple[Spot, ...]) -> dict[Square, tuple[int, int]]:
        """The squares that a further click may mean, with how many pieces of each side come off up to there."""
        found: dict[Square, tuple[int, int]] = {}
        ends = self._clicks.ends(picked)
        for move in self._clicks.following(picked):
            ply, path = self._plies[move], self._clicks.paths[move]
            if len(path) <= len(picked):
                continue
            there = path[len(picked)]
            if len(path) > len(picked) + 1:
                found.setdefault(there, (len(picked), 0) if ply.captured else (0, 0))
                if path[-1] not in ends:
                    continue
            found[path[-1]] = (len(ply.captured), len(ply.lost))
        return found

    @property
    def movable(self) -> list[Spot]:
        return self._clicks.next(()) if self.playable and not self.busy else []

    # Time

    def update(self, dt: float) -> None:
        super().update(dt)
        self.time += dt
        if not self.hovered and self.drag is None:
            self.pointed = None
        movable = set(self.movable)
        for square, glow in enumerate(self.glow):
            pointed = square in movable and (square == self.pointed or (self.focused and square == self.cursor))
            glow.target = 1.0 if square == self.selected else 0.75 if pointed else 0.32 if square in movable else 0.0
            glow.update(dt)
        flight = self.flight
        if flight is not None:
            flight.tween.update(dt)
            if flight.tween.done and not flight.landed:
                flight.landed = True
                self._land(flight.ply)
            if flight.landed:
                flight.vanish.update(dt)
                if flight.vanish.done or not (flight.ply.captured or flight.ply.lost):
                    self.flight = None

    def _land(self, ply: Ply) -> None:
        """A piece has arrived: sound, sparks and numbers for what came off."""
        quiet = {"fall": "drop", "jump": "move"}.get(ply.how, "move")
        toll = self.drawing.toll(ply)
        bad, good = bool(toll) and self.ground.get(ply.path[-1]) == TRAP, toll.startswith("−")
        self.sound("capture" if ply.captured or good else "lost" if ply.lost or bad else quiet)
        if self._painter is None:
            return
        geometry, theme = self.geometry, self._painter.theme
        target = geometry.point(ply.path[-1])
        scale = self._painter.look.scale
        if toll and (self.seen is None or ply.path[-1] in self.seen):
            colour = theme.good if good else theme.danger if bad else theme.gold
            self.effects.word(toll, (target[0], target[1] - geometry.bead), colour)
            if good or bad:
                self.effects.ring(target, geometry.unit * 1.1, colour)
                self.effects.burst(target, colour, count=18, speed=200 * scale, size=5 * scale)
        if ply.captured or ply.lost:
            self.effects.ring(target, geometry.unit * 1.5, theme.gold)
        for squares, side in ((ply.captured, ply.side.other), (ply.lost, ply.side)):
            for square in squares:
                point = geometry.point(square)
                colour = theme.bead(side)
                self.effects.burst(point, colour, speed=300 * scale, size=6 * scale)
                self.effects.burst(point, theme.gold, count=10, speed=180 * scale, size=4 * scale)
                self.effects.ring(point, geometry.unit * 1.1, colour)
        if ply.captured:
            point = geometry.point(ply.captured[0])
            self.effects.word(f"+{len(ply.captured)}", (point[0], point[1] - geometry.bead), theme.gold)
        if ply.lost:
            point = geometry.point(ply.lost[0])
            self.effects.word(f"−{len(ply.lost)}", (point[0], point[1] - geometry.bead), theme.danger)

    # Drawing

    def prepare(self, painter: Painter) -> None:
        """Called at layout: the colours and sizes that effects start with."""
        self._painter = painter

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        _ARTS[self.drawing.surface](self, surface, painter).draw()

    def draw_arrow_labels(self, surface: pygame.Surface, painter: Painter) -> None:
        """Over the pieces: what each arrow is worth."""
        _ARTS[self.drawing.surface](self, surface, painter).draw_arrow_labels()
