"""The board as it is seen: a position, moves under way, what is picked, pointed at and suggested."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pygame

from alphadiamond.client.board.art import board_sprite, label_point
from alphadiamond.client.board.geometry import Geometry, Point
from alphadiamond.client.effects import Effects
from alphadiamond.client.motion import Approach, Tween, clamp, ease_in_out, ease_out
from alphadiamond.client.paint import Painter
from alphadiamond.client.paint.painter import lerp_points
from alphadiamond.client.session import Ply
from alphadiamond.client.theme import Colour
from alphadiamond.client.widgets import Widget
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.board import NODE_NAMES, NODES, Node


@dataclass(frozen=True)
class Arrow:
    """A move shown on the board; `weight` is how thick, 0 to 1."""

    move: Move
    weight: float
    colour: Colour
    label: str = ""


@dataclass
class _Flight:
    ply: Ply
    tween: Tween
    landed: bool = False
    vanish: Tween = field(default_factory=lambda: Tween(0.35))


class BoardView(Widget):
    def __init__(self, *, effects: Effects, sound: Callable[[str], None]) -> None:
        super().__init__("board", pygame.Rect(0, 0, 600, 600))
        self.effects = effects
        self.sound = sound
        self.position = Position.start()
        self.last: Move | None = None
        self.playable = False
        """Whether the side to move is moved by hand now."""
        self.arrows: Sequence[Arrow] = ()
        self.hint_source: Node | None = None
        self.hint_target: Node | None = None
        self.marks: dict[Node, Colour] = {}
        """Nodes with a ring of a colour, for lessons."""
        self.names = True
        self.selected: Node | None = None
        self.cursor: Node = 17
        self._pointed: Node | None = None
        self._drag: Point | None = None
        self._flight: _Flight | None = None
        self._time = 0.0
        self._glow = [Approach(half_life=0.06) for _ in range(NODES)]
        self._painter: Painter | None = None
        self._moves: list[Move] = []
        self._removes: dict[Move, tuple[int, int]] = {}
        self._prepare()

    # What is shown

    def show(self, position: Position, last: Move | None, *, ply: Ply | None = None, seconds: float = 0.0) -> None:
        """Show a position; with a ply that led to it, its bead travels there first."""
        self.position, self.last = position, last
        self.selected = None
        self._drag = None
        self.hint_source = self.hint_target = None
        self._flight = _Flight(ply, Tween(seconds)) if ply is not None and seconds > 0 else None
        if ply is not None and self._flight is None:
            self._land(ply)
        self._prepare()

    def _prepare(self) -> None:
        """The legal moves, and how many beads of each side each would take off."""
        self._moves = self.position.moves()
        self._removes = {}
        for move in self._moves:
            removed = self.position.removed_by(move)
            theirs = sum(self.position.at(node) is self.position.side.other for node in removed)
            self._removes[move] = (theirs, len(removed) - theirs)

    @property
    def busy(self) -> bool:
        return self._flight is not None

    @property
    def geometry(self) -> Geometry:
        return Geometry.within(self.rect)

    def targets(self, source: Node) -> list[Move]:
        return [move for move in self._moves if move.source == source]

    @property
    def movable(self) -> list[Node]:
        return sorted({move.source for move in self._moves}) if self.playable and not self.busy else []

    # Time

    def update(self, dt: float) -> None:
        super().update(dt)
        self._time += dt
        if not self.hovered and self._drag is None:
            self._pointed = None
        movable = set(self.movable)
        for node, glow in enumerate(self._glow):
            pointed = node in movable and (node == self._pointed or (self.focused and node == self.cursor))
            glow.target = 1.0 if node == self.selected else 0.75 if pointed else 0.32 if node in movable else 0.0
            glow.update(dt)
        flight = self._flight
        if flight is not None:
            flight.tween.update(dt)
            if flight.tween.done and not flight.landed:
                flight.landed = True
                self._land(flight.ply)
            if flight.landed:
                flight.vanish.update(dt)
                if flight.vanish.done or not (flight.ply.captured or flight.ply.lost):
                    self._flight = None

    def _land(self, ply: Ply) -> None:
        """A bead has arrived: sound, sparks and numbers for what came off."""
        self.sound("capture" if ply.captured else "lost" if ply.lost else "move")
        if self._painter is None:
            return
        geometry, theme = self.geometry, self._painter.theme
        target = geometry.point(ply.move.target)
        scale = self._painter.look.scale
        if ply.captured or ply.lost:
            self.effects.ring(target, geometry.unit * 1.5, theme.gold)
        for nodes, side in ((ply.captured, ply.side.other), (ply.lost, ply.side)):
            for node in nodes:
                point = geometry.point(node)
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
        geometry = self.geometry
        size = min(self.rect.width, self.rect.height)
        board = painter.sprite(("board", size), lambda: board_sprite(painter, geometry, size))
        painter.blit(surface, board, geometry.centre)
        if self.names:
            self._draw_names(surface, painter, geometry)
        self._draw_last(surface, painter, geometry)
        self._draw_arrows(surface, painter, geometry)
        self._draw_targets(surface, painter, geometry)
        self._draw_beads(surface, painter, geometry)
        self._draw_hint(surface, painter, geometry)
        for node, colour in self.marks.items():
            pulse = 0.5 + 0.5 * math.sin(self._time * 4)
            painter.ring(
                surface,
                geometry.point(node),
                geometry.bead * 1.3,
                max(2, painter.px(3)),
                colour,
                0.5 + 0.5 * pulse,
                soft=8,
            )
        if self.focused:
            painter.ring(
                surface,
                geometry.point(self.cursor),
                geometry.bead * 1.42,
                max(2, painter.px(3)),
                painter.theme.gold,
                1.0,
            )
        if self._drag is not None and self.selected is not None and self.position.at(self.selected) is not None:
            side = self.position.side
            painter.glow(surface, self._drag, geometry.bead * 2.6, painter.theme.bead(side), 0.7)
            painter.bead(surface, self._drag, geometry.bead * 1.12, side)

    def _draw_names(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        for node in range(NODES):
            x, y = label_point(geometry, node)
            sprite = painter.text.render(NODE_NAMES[node], "caption", painter.theme.faint, 0.88)
            painter.blit(surface, sprite, (x, y))

    def _draw_last(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        if self.last is None or (self._flight is not None and not self._flight.landed):
            return
        a, b = geometry.point(self.last.source), geometry.point(self.last.target)
        for k in range(1, 9):  # a trail that grows towards where the bead went
            painter.disc(
                surface,
                lerp_points(a, b, k / 9),
                geometry.bead * (0.06 + 0.012 * k),
                painter.theme.gold,
                0.25 + 0.06 * k,
            )
        painter.ring(surface, a, geometry.socket * 1.5, max(1.5, geometry.unit * 0.035), painter.theme.gold, 0.75)
        if self.position.at(self.last.target) is not None:
            painter.ring(surface, b, geometry.bead * 1.18, max(1.5, geometry.unit * 0.045), painter.theme.gold, 0.95)

    def _draw_arrows(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        for arrow in reversed(self.arrows):
            a, b = geometry.point(arrow.move.source), geometry.point(arrow.move.target)
            width = geometry.unit * (0.12 + 0.16 * arrow.weight)
            painter.arrow(surface, a, b, width, arrow.colour, 0.35 + 0.55 * arrow.weight, gap=geometry.bead * 0.9)

    def draw_arrow_labels(self, surface: pygame.Surface, painter: Painter) -> None:
        """Over the beads: what each arrow is worth."""
        geometry = self.geometry
        for arrow in reversed(self.arrows):
            if not arrow.label:
                continue
            a, b = geometry.point(arrow.move.source), geometry.point(arrow.move.target)
            x, y = lerp_points(a, b, 0.5)
            length = math.dist(a, b)
            if length < 2.2 * geometry.unit:  # a short arrow would vanish under its label, so that stands beside it
                aside = 0.42 * geometry.unit
                from_centre = (x - geometry.centre[0], y - geometry.centre[1])
                outward = 1 if from_centre[1] * (b[0] - a[0]) >= from_centre[0] * (b[1] - a[1]) else -1
                x -= (b[1] - a[1]) / length * aside * outward
                y += (b[0] - a[0]) / length * aside * outward
            sprite = painter.text.render(arrow.label, "caption", painter.theme.text, 0.9)
            box = sprite.get_rect().inflate(painter.px(10), painter.px(3))
            box.center = (round(x), round(y))
            fill = painter.theme.sky[0] if painter.theme.dark else (255, 255, 255)
            painter.pane(surface, box, fill, 0.88, 0.8, edge_colour=arrow.colour, radius=8)
            painter.blit(surface, sprite, box.center)

    def _draw_targets(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        """Where the picked bead may go: gold where it takes something, red where it would be lost itself."""
        source = self.selected
        if source is None and self.playable and not self.busy:
            source = self._pointed if self._pointed in self.movable else None
        if source is None:
            return
        picked = source == self.selected
        pulse = 0.5 + 0.5 * math.sin(self._time * 4.5)
        for move in self.targets(source):
            theirs, own = self._removes[move]
            theme = painter.theme
            colour = theme.gold if theirs else theme.danger if own else theme.accent
            point = geometry.point(move.target)
            strength = 1.0 if picked else 0.45
            painter.glow(surface, point, geometry.bead * (1.6 + 0.25 * pulse), colour, 0.5 * strength)
            painter.ring(
                surface,
                point,
                geometry.bead * 0.78,
                max(2, geometry.unit * 0.05),
                colour,
                strength * (0.7 + 0.3 * pulse),
            )
            if theirs or own:
                text = f"+{theirs}" if theirs else "!"
                shade = theme.sky[0] if theme.dark else (255, 255, 255)
                painter.disc(surface, point, geometry.bead * 0.70, shade, 0.9 * strength)
                painter.blit(surface, painter.text.render(text, "label", colour), point, strength)
            else:
                painter.disc(surface, point, max(2, geometry.bead * 0.22), colour, strength)

    def _draw_beads(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        flight = self._flight
        flying = flight is not None and not flight.landed
        shown = flight.ply.before if flight is not None and flying else self.position
        breathe = 0.85 + 0.15 * math.sin(self._time * 2.4)
        for node in range(NODES):
            side = shown.at(node)
            if side is None or (flying and flight is not None and node == flight.ply.move.source):
                continue
            if node == self.selected and self._drag is not None:
                painter.bead(surface, geometry.point(node), geometry.bead, side, 0.3)
                continue
            glow = self._glow[node].value
            self._draw_bead(surface, painter, geometry, geometry.point(node), side, glow * breathe)
            if 0.05 < glow < 0.9 and node != self.selected:
                width = max(1.5, geometry.unit * 0.03)
                painter.ring(
                    surface,
                    geometry.point(node),
                    geometry.bead * 1.16,
                    width,
                    painter.theme.text,
                    glow * 0.75 * breathe,
                )
            if node == self.selected:
                self._draw_selection(surface, painter, geometry, node)
        if flight is None:
            return
        ply = flight.ply
        if flying:
            t = ease_in_out(flight.tween.progress)
            a, b = geometry.point(ply.move.source), geometry.point(ply.move.target)
            colour = painter.theme.bead(ply.side)
            for k in range(5, 0, -1):  # a comet's tail
                behind = lerp_points(a, b, max(0.0, t - 0.05 * k))
                painter.disc(surface, behind, geometry.bead * (0.85 - 0.12 * k), colour, 0.10)
            lift = math.sin(math.pi * t)
            centre = lerp_points(a, b, t)
            self._draw_bead(surface, painter, geometry, centre, ply.side, 0.8, size=1 + 0.10 * lift)
        else:
            t = flight.vanish.progress
            for nodes, side in ((ply.captured, ply.side.other), (ply.lost, ply.side)):
                for node in nodes:
                    painter.bead(surface, geometry.point(node), geometry.bead * (1 - ease_out(t)), side, clamp(1.2 - t))

    def _draw_bead(
        self,
        surface: pygame.Surface,
        painter: Painter,
        geometry: Geometry,
        centre: Point,
        side: Side,
        glow: float,
        *,
        size: float = 1.0,
    ) -> None:
        colour = painter.theme.bead(side)
        painter.glow(surface, centre, geometry.bead * 2.3, colour, 0.34 + 0.5 * glow)
        shadow = (centre[0], centre[1] + geometry.bead * 0.16)
        painter.disc(surface, shadow, geometry.bead * 1.03, (0, 0, 0), 0.28)
        painter.bead(surface, centre, geometry.bead * size, side)

    def _draw_selection(self, surface: pygame.Surface, painter: Painter, geometry: Geometry, node: Node) -> None:
        centre = geometry.point(node)
        painter.ring(
            surface, centre, geometry.bead * 1.24, max(2, geometry.unit * 0.055), painter.theme.gold, 1.0, soft=6
        )

    def _draw_hint(self, surface: pygame.Surface, painter: Painter, geometry: Geometry) -> None:
        if self.hint_source is None:
            return
        pulse = 0.5 + 0.5 * math.sin(self._time * 5)
        gold = painter.theme.gold
        centre = geometry.point(self.hint_source)
        painter.glow(surface, centre, geometry.bead * 2.8, gold, 0.3 + 0.3 * pulse)
        painter.ring(surface, centre, geometry.bead * (1.25 + 0.12 * pulse), max(2, geometry.unit * 0.06), gold, 1.0)
        if self.hint_target is not None:
            target = geometry.point(self.hint_target)
            painter.arrow(surface, centre, target, geometry.unit * 0.26, gold, 0.95, gap=geometry.bead * 0.9)
            painter.ring(surface, target, geometry.bead * (0.9 + 0.1 * pulse), max(2, geometry.unit * 0.06), gold, 1.0)
