"""The path finders in the same maze side by side, step by step: what each explores, which way it goes, what it pays."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import pygame

from alphadiamond.base.ways import Walk
from alphadiamond.client.board.view import BoardView
from alphadiamond.client.effects import Effects
from alphadiamond.client.layout import Space, columns, square
from alphadiamond.client.scenes.controls import add_speed
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import IconButton, Label, Segments
from alphadiamond.client.widgets.walk_table import WalkTable

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_FRAMES_A_SECOND: Final = 14
"""Moments shown in a second at speed 1."""
_ACROSS: Final = 3


class SimulationScene(PageScene):
    heading = "Path finders"

    def __init__(
        self,
        app: "App",
        position: Any,
        *,
        side: Any | None = None,
        heuristic: str = "",
        finders: Sequence[str] = (),
    ) -> None:
        super().__init__(app)
        self.game, self.drawing = app.game, app.game.drawing_for(position)
        assert self.drawing.ways is not None
        self.ways = self.drawing.ways
        self.position = position
        self.side = position.side if side is None else side
        self.heuristic = heuristic or self.ways.heuristics[0]
        self.finders = tuple(finders or self.ways.finders)
        self.playing = True
        self.map = False
        self._time = 0.0
        self.walks: dict[str, Walk] = {}
        self.boards: dict[str, BoardView] = {}
        self.focus_key = "run"
        self._begin()

    def _begin(self) -> None:
        """All at the start again, with the heuristic and in the maze of now."""
        self.walks = {
            name: self.ways.walk(self.position, name, self.heuristic, side=self.side) for name in self.finders
        }
        self.boards = {name: self._board(name) for name in self.walks}
        self.frame = 0
        self._time = 0.0
        self.refresh()

    def _board(self, name: str) -> BoardView:
        effects = Effects(self.app.rng, reduced=True)
        board = BoardView(self.drawing, self.position, effects=effects, sound=lambda _: None)
        board.key = f"board-{name}"
        board.focusable = False
        board.names = False
        board.walker = self.side
        return board

    @property
    def last(self) -> int:
        """The moment in which the slowest is done."""
        return max(walk.frames for walk in self.walks.values()) - 1

    def go(self, frame: int) -> None:
        self.frame = max(0, min(self.last, frame))
        self._time = float(self.frame)
        self.refresh()

    # Layout

    def build(self) -> None:
        painter = self.painter
        self.subtitle = f"The same maze for all, from {self._place(0)} to {self._place(-1)}, alone in it"
        body = Space(self.build_page())
        if self.controls:
            self._build_controls(body.bottom(painter.look.control(), self.gap))
        rows = -(-(len(self.walks) + 1) // _ACROSS)
        height = (body.rest.height - (rows - 1) * self.gap) // rows
        title = painter.text.line_step("label")
        places = []
        for number in range(rows):
            row = pygame.Rect(body.rest.left, body.rest.top + number * (height + self.gap), body.rest.width, height)
            places += columns(row, _ACROSS, self.gap)
        for place, (name, board) in zip(places, self.boards.items(), strict=False):
            space = Space(place)
            walk = self.walks[name]
            words = self.ways.finders[name] + (f" · {walk.heuristic.capitalize()}" if walk.heuristic else "")
            above = space.top(title, self.px(2))
            board.rect = square(space.rest)
            above.bottom = board.rect.top - self.px(2)
            self.add(Label(f"name-{name}", above, words, style="label", align="center", fit=True))
            board.prepare(painter)
            self.add(board)
        self.table = self.add(WalkTable("table", places[len(self.boards)], self.ways))
        self._show()

    def _place(self, end: int) -> str:
        return self.drawing.names[next(iter(self.walks.values())).path[end]]

    def _build_controls(self, box: pygame.Rect) -> None:
        size, gap = box.height, self.px(8)
        space = Space(box)
        icons: list[tuple[str, str, Callable[[], None], str, bool]] = [
            ("first", "first", lambda: self.go(0), "To the start (Home)", self.frame > 0),
            ("before", "step_back", lambda: self.step(-1), "Back (,)", self.frame > 0),
            ("run", "pause" if self.playing else "play", self.toggle, "Pause or play (Space)", True),
            ("after", "step", lambda: self.step(1), "Forward (.)", self.frame < self.last),
            ("last", "last", lambda: self.go(self.last), "To the end (End)", self.frame < self.last),
        ]
        for key, icon, action, tip, enabled in icons:
            self.add(IconButton(key, space.left(size, gap), icon, action, tip=tip, enabled=enabled))
        self.add(IconButton("new", space.right(size, gap), "new", self.new, tip="Another maze (N)"))
        tip = "Steps to the goal, breadth first (D)"
        self.add(IconButton("map", space.right(size, gap), "maze", self.toggle_map, tip=tip, on=self.map))
        names = [name.capitalize() for name in self.ways.heuristics]
        chosen = self.ways.heuristics.index(self.heuristic)
        width = min(self.px(380), space.rest.width * 56 // 100)
        style, widths = Segments.fitting(self.painter, names, width, pad=self.px(10))
        place = space.right(width, gap)
        self.add(Segments("heuristic", place, names, chosen, self._choose, style=style, widths=widths))
        add_speed(self, space.rest)

    # What can be done

    def toggle(self) -> None:
        if self.frame == self.last and not self.playing:
            self.go(0)
        self.playing = not self.playing
        self.refresh()

    def step(self, count: int) -> None:
        self.playing = False
        self.go(self.frame + count)

    def toggle_map(self) -> None:
        self.map = not self.map
        self.refresh()

    def _choose(self, number: int) -> None:
        self.heuristic = self.ways.heuristics[number]
        self.app.sounds.play("click")
        self._begin()

    def new(self) -> None:
        """Another maze, for the same side."""
        self.position = self.game.start()
        self.playing = True
        self._begin()

    def shortcut(self, key: int) -> bool:
        actions: dict[int, Callable[[], None]] = {
            pygame.K_SPACE: self.toggle,
            pygame.K_COMMA: lambda: self.step(-1),
            pygame.K_PERIOD: lambda: self.step(1),
            pygame.K_HOME: lambda: self.go(0),
            pygame.K_END: lambda: self.go(self.last),
            pygame.K_d: self.toggle_map,
            pygame.K_n: self.new,
        }
        if key not in actions:
            return False
        actions[key]()
        return True

    # Every frame

    def tick(self, dt: float) -> None:
        if not self.playing:
            return
        self._time += dt * _FRAMES_A_SECOND * self.app.settings.speed
        frame = min(self.last, int(self._time))
        if frame != self.frame:
            ends = frame == self.last or self.frame == 0  # buttons change there
            self.frame = frame
            if ends:
                self.playing = frame < self.last
                self.refresh()
            else:
                self._show()

    def _show(self) -> None:
        """Give the boards and the table the moment of now."""
        distances = self.ways.distances(self.position, self.side) if self.map else {}
        for name, board in self.boards.items():
            moment = self.walks[name].at(self.frame)
            board.moment = moment
            board.distances = distances
            board.entered = frozenset(moment.path[1:])
        self.table.show(self.walks, self.frame)
