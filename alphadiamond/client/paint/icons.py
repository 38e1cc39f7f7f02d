"""Line icons on a grid of 24, drawn large and scaled down."""

import itertools
import math
from collections.abc import Callable
from typing import Final

import pygame

from alphadiamond.client.theme import Colour

_OVERSAMPLING: Final = 4
_STROKE: Final = 2.0


class _Pen:
    def __init__(self, size: int, colour: Colour) -> None:
        self.surface = pygame.Surface((size, size), pygame.SRCALPHA)
        self.surface.fill((*colour, 0))
        self.unit = size / 24
        self.colour = colour

    def line(self, *points: tuple[float, float], width: float = _STROKE) -> None:
        thick = max(1, round(width * self.unit))
        scaled = [(x * self.unit, y * self.unit) for x, y in points]
        for a, b in itertools.pairwise(scaled):
            length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
            nx, ny = -(b[1] - a[1]) / length * thick / 2, (b[0] - a[0]) / length * thick / 2
            corners = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
            pygame.draw.polygon(self.surface, self.colour, corners)
        for point in scaled:
            pygame.draw.circle(self.surface, self.colour, point, thick / 2)

    def fill(self, *points: tuple[float, float]) -> None:
        pygame.draw.polygon(self.surface, self.colour, [(x * self.unit, y * self.unit) for x, y in points])
        self.line(*points, points[0], width=1.2)

    def dot(self, x: float, y: float, radius: float) -> None:
        pygame.draw.circle(self.surface, self.colour, (x * self.unit, y * self.unit), radius * self.unit)

    def circle(self, x: float, y: float, radius: float) -> None:
        self.arc(x, y, radius, 0, 360)

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        """Degrees, clockwise from the east."""
        steps = max(8, int(abs(end - start) / 6))
        angles = [math.radians(start + (end - start) * k / steps) for k in range(steps + 1)]
        self.line(*[(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles])


def _back(p: _Pen) -> None:
    p.line((14.5, 5.5), (8, 12), (14.5, 18.5))


def _forward(p: _Pen) -> None:
    p.line((9.5, 5.5), (16, 12), (9.5, 18.5))


def _undo(p: _Pen) -> None:
    p.line((8.5, 5), (4.5, 9), (8.5, 13))
    p.line((5, 9), (14, 9))
    p.arc(14, 13.75, 4.75, -90, 90)
    p.line((14, 18.5), (9, 18.5))


def _redo(p: _Pen) -> None:
    p.line((15.5, 5), (19.5, 9), (15.5, 13))
    p.line((19, 9), (10, 9))
    p.arc(10, 13.75, 4.75, -90, -270)
    p.line((10, 18.5), (15, 18.5))


def _hint(p: _Pen) -> None:
    p.arc(12, 9.5, 5.8, 130, 410)
    p.line((8.3, 14), (9.3, 16.6), (14.7, 16.6), (15.7, 14))
    p.line((10, 20), (14, 20))


def _flag(p: _Pen) -> None:
    p.line((6, 21), (6, 4))
    p.line((6, 4.5), (18, 4.5), (15, 8.75), (18, 13), (6, 13))


def _play(p: _Pen) -> None:
    p.fill((8, 5), (19, 12), (8, 19))


def _pause(p: _Pen) -> None:
    p.line((8.5, 6), (8.5, 18), width=3.4)
    p.line((15.5, 6), (15.5, 18), width=3.4)


def _step(p: _Pen) -> None:
    p.fill((6, 5.5), (14.5, 12), (6, 18.5))
    p.line((18, 5.5), (18, 18.5), width=2.6)


def _step_back(p: _Pen) -> None:
    p.fill((18, 5.5), (9.5, 12), (18, 18.5))
    p.line((6, 5.5), (6, 18.5), width=2.6)


def _first(p: _Pen) -> None:
    p.line((11, 6), (5.5, 12), (11, 18))
    p.line((18, 6), (12.5, 12), (18, 18))


def _last(p: _Pen) -> None:
    p.line((6, 6), (11.5, 12), (6, 18))
    p.line((13, 6), (18.5, 12), (13, 18))


def _gear(p: _Pen) -> None:
    p.circle(12, 12, 3.0)
    p.circle(12, 12, 6.4)
    for k in range(8):
        a = math.radians(45 * k)
        p.line(
            (12 + 6.6 * math.cos(a), 12 + 6.6 * math.sin(a)), (12 + 9 * math.cos(a), 12 + 9 * math.sin(a)), width=3.2
        )


def _chart(p: _Pen) -> None:
    p.line((4, 20), (20, 20))
    for x, top in ((7, 13), (12, 5), (17, 9.5)):
        p.line((x, 16.5), (x, top), width=3.2)


def _book(p: _Pen) -> None:
    p.line((12, 6.5), (12, 19.5))
    p.line((12, 6.5), (9.5, 4.8), (3.8, 4.8), (3.8, 17.6), (9.5, 17.6), (12, 19.5))
    p.line((12, 6.5), (14.5, 4.8), (20.2, 4.8), (20.2, 17.6), (14.5, 17.6), (12, 19.5))


def _save(p: _Pen) -> None:
    p.line((12, 4), (12, 14.5))
    p.line((7.5, 10.5), (12, 15), (16.5, 10.5))
    p.line((4.5, 16), (4.5, 19.8), (19.5, 19.8), (19.5, 16))


def _folder(p: _Pen) -> None:
    p.line((3.8, 6), (9.5, 6), (11.5, 8.5), (20.2, 8.5), (20.2, 19), (3.8, 19), (3.8, 6))


def _close(p: _Pen) -> None:
    p.line((6.5, 6.5), (17.5, 17.5))
    p.line((17.5, 6.5), (6.5, 17.5))


def _speaker(p: _Pen) -> None:
    p.fill((4.5, 9.5), (7.5, 9.5), (12, 5.5), (12, 18.5), (7.5, 14.5), (4.5, 14.5))
    p.arc(13, 12, 3.4, -50, 50)
    p.arc(13, 12, 7, -50, 50)


def _mute(p: _Pen) -> None:
    p.fill((4.5, 9.5), (7.5, 9.5), (12, 5.5), (12, 18.5), (7.5, 14.5), (4.5, 14.5))
    p.line((15.5, 9.3), (20.8, 14.7))
    p.line((20.8, 9.3), (15.5, 14.7))


def _person(p: _Pen) -> None:
    p.circle(12, 8, 3.8)
    p.arc(12, 20.5, 7, 180, 360)


def _people(p: _Pen) -> None:
    p.circle(8.5, 8.5, 3.2)
    p.arc(8.5, 19.5, 5.5, 180, 360)
    p.arc(16.2, 8.8, 2.8, -120, 130)
    p.arc(16.5, 19.5, 5, 265, 360)


def _chip(p: _Pen) -> None:
    p.line((7, 7), (17, 7), (17, 17), (7, 17), (7, 7))
    p.dot(12, 12, 2.2)
    for x in (9.5, 14.5):
        p.line((x, 3.5), (x, 6))
        p.line((x, 18), (x, 20.5))
        p.line((3.5, x), (6, x))
        p.line((18, x), (20.5, x))


def _chips(p: _Pen) -> None:
    p.line((4, 4), (12, 4), (12, 12), (4, 12), (4, 4))
    p.line((15, 12), (20, 12), (20, 20), (12, 20), (12, 15))
    p.dot(8, 8, 1.8)
    p.dot(16, 16, 1.8)


def _eye(p: _Pen) -> None:
    p.arc(12, 18, 11, 215, 325)
    p.arc(12, 6, 11, 35, 145)
    p.dot(12, 12, 2.8)


def _eye_off(p: _Pen) -> None:
    _eye(p)
    p.line((4.5, 20), (19.5, 4))


def _maze(p: _Pen) -> None:
    p.line((4, 9), (4, 4), (20, 4), (20, 20), (4, 20), (4, 14))
    p.line((9, 20), (9, 9), (15, 9), (15, 14))


def _diamond(p: _Pen) -> None:
    p.line((12, 3.5), (20, 12), (12, 20.5), (4, 12), (12, 3.5))
    p.line((12, 8), (16, 12), (12, 16), (8, 12), (12, 8))


def _check(p: _Pen) -> None:
    p.line((5, 12.5), (10, 17.5), (19, 7), width=2.4)


def _door(p: _Pen) -> None:
    p.line((13, 4), (5, 4), (5, 20), (13, 20))
    p.line((10, 12), (20, 12))
    p.line((16.5, 8.2), (20.3, 12), (16.5, 15.8))


def _new(p: _Pen) -> None:
    p.arc(12, 12, 7.4, -50, 250)
    p.line((12.2, 4.6), (17.2, 5.2), (16.4, 10))


def _swap(p: _Pen) -> None:
    p.line((7, 4.5), (7, 19))
    p.line((3.4, 8), (7, 4.5), (10.6, 8))
    p.line((17, 19.5), (17, 5))
    p.line((13.4, 16), (17, 19.5), (20.6, 16))


def _warning(p: _Pen) -> None:
    p.line((12, 4.5), (21, 19.5), (3, 19.5), (12, 4.5))
    p.line((12, 10), (12, 14))
    p.dot(12, 16.8, 1.2)


def _equal(p: _Pen) -> None:
    p.line((5, 9), (19, 9))
    p.line((5, 15), (19, 15))


def _globe(p: _Pen) -> None:
    p.arc(12, 12, 8.2, 0, 360)
    p.line((3.8, 12), (20.2, 12))
    p.line((12, 3.8), (8.6, 8), (8.6, 16), (12, 20.2), (15.4, 16), (15.4, 8), (12, 3.8))


def _trash(p: _Pen) -> None:
    p.line((4.5, 7), (19.5, 7))
    p.line((9, 7), (9, 4.5), (15, 4.5), (15, 7))
    p.line((6.5, 7), (7.5, 20), (16.5, 20), (17.5, 7))


def _tree(p: _Pen) -> None:
    p.line((6, 4.5), (6, 19.5))
    p.line((6, 8.5), (10.5, 12), (17, 12))
    for x, y in ((6, 4.5), (6, 19.5), (18, 12)):
        p.dot(x, y, 2.5)


def _edit(p: _Pen) -> None:
    p.line((5, 19), (6, 14.5), (15.8, 4.7), (19.3, 8.2), (9.5, 18), (5, 19))
    p.line((13.2, 7.3), (16.7, 10.8))


def _paste(p: _Pen) -> None:
    p.line((9, 5.5), (5.5, 5.5), (5.5, 20), (18.5, 20), (18.5, 5.5), (15, 5.5))
    p.line((9, 4), (15, 4), (15, 7.5), (9, 7.5), (9, 4))
    p.line((9, 12), (15, 12))
    p.line((9, 15.8), (13, 15.8))


def _link(p: _Pen) -> None:
    p.line((10, 14), (14, 10))
    p.line((11, 7.5), (14, 4.8), (17, 4.8), (19.2, 7), (19.2, 10), (16.5, 13))
    p.line((13, 16.5), (10, 19.2), (7, 19.2), (4.8, 17), (4.8, 14), (7.5, 11))


def _up(p: _Pen) -> None:
    p.line((12, 20), (12, 5))
    p.line((6, 11), (12, 5), (18, 11))


def _clock(p: _Pen) -> None:
    p.circle(12, 12, 8)
    p.line((12, 7.5), (12, 12), (15, 14))


_ICONS: Final[dict[str, Callable[[_Pen], None]]] = {
    name.removeprefix("_"): draw
    for name, draw in {
        "_back": _back,
        "_forward": _forward,
        "_undo": _undo,
        "_redo": _redo,
        "_hint": _hint,
        "_flag": _flag,
        "_play": _play,
        "_pause": _pause,
        "_step": _step,
        "_step_back": _step_back,
        "_first": _first,
        "_last": _last,
        "_gear": _gear,
        "_chart": _chart,
        "_book": _book,
        "_save": _save,
        "_folder": _folder,
        "_close": _close,
        "_speaker": _speaker,
        "_mute": _mute,
        "_person": _person,
        "_people": _people,
        "_chip": _chip,
        "_chips": _chips,
        "_eye": _eye,
        "_eye_off": _eye_off,
        "_maze": _maze,
        "_diamond": _diamond,
        "_check": _check,
        "_door": _door,
        "_new": _new,
        "_swap": _swap,
        "_warning": _warning,
        "_trash": _trash,
        "_equal": _equal,
        "_globe": _globe,
        "_tree": _tree,
        "_edit": _edit,
        "_paste": _paste,
        "_link": _link,
        "_up": _up,
        "_clock": _clock,
    }.items()
}


def icon(name: str, size: int, colour: Colour) -> pygame.Surface:
    pen = _Pen(size * _OVERSAMPLING, colour)
    _ICONS[name](pen)
    return pygame.transform.smoothscale(pen.surface, (size, size)).convert_alpha()
