"""A board on axes of matplotlib, by what its drawing says, with what a policy thinks of the moves."""

import itertools
import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.drawing import BONUS, FLOOR, GRAPH, GRID, TRAP, WALL, Drawing, Square

_NIGHT, _DARK, _LINE, _PALE, _HEAT = "#0b1030", "#26305f", "#3a4a8c", "#4a5690", "#ffd35c"
_SIDES: Final = {"red": "#ff5050", "green": "#50ff96", "yellow": "#ffd040", "ivory": "#ece2ce", "ebony": "#2e243a"}
_GROUNDS: Final = {FLOOR: _DARK, WALL: _NIGHT, TRAP: "#8c3a52", BONUS: "#2f7a5c"}
_TURN: Final = np.linspace(0, math.tau, 49)
_LEAST: Final = 0.01
"""Moves that get less are left out."""


def plot_board(axes: Any, drawing: Drawing, position: Any, policy: npt.NDArray[np.float32]) -> None:
    """Each move is as strong as the policy [A] is on it, with its percent; the axes fill a dark square."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-drawing.reach, drawing.reach)
    axes.set_ylim(-drawing.reach, drawing.reach)
    _plot_surface(axes, drawing, position)
    pieces = drawing.pieces(position)
    colours = dict(zip(drawing.game.sides, drawing.colours, strict=True))
    for square, side in pieces.items():
        axes.fill(
            *_circle(drawing, square), facecolor=_SIDES[colours[side]], edgecolor="white", linewidth=0.8, zorder=2
        )
    moves = [(float(policy[move.action]), drawing.path(position, move)) for move in position.moves()]
    largest = max((chance for chance, _ in moves), default=1.0)
    for chance, path in sorted(moves):  # the likeliest on top
        if path and chance > _LEAST:
            look = {"color": _HEAT, "alpha": 0.25 + 0.75 * chance / largest, "linewidth": 1 + 4 * chance}
            place = (
                _plot_way(axes, drawing, path, look) if path[0] in pieces else _plot_rings(axes, drawing, path, look)
            )
            style = {"color": "white", "fontsize": 8, "ha": "center", "va": "center", "zorder": 4}
            behind = {"facecolor": _NIGHT, "alpha": 0.75, "linewidth": 0, "boxstyle": "round,pad=0.1"}
            axes.text(*place, f"{100 * chance:.0f}", bbox=behind, **style)


def _plot_surface(axes: Any, drawing: Drawing, position: Any) -> None:
    if drawing.surface == GRAPH:
        for ends in drawing.lines:
            axes.plot(*zip(*(drawing.points[end] for end in ends), strict=True), color=_LINE, linewidth=1.2, zorder=1)
    elif drawing.surface == GRID:
        for square in range(len(drawing.points)):
            axes.fill(*_circle(drawing, square), facecolor=_DARK, edgecolor=_LINE, linewidth=0.8, zorder=1)
    else:
        ground = drawing.ground(position)
        for square, (x, y) in enumerate(drawing.points):
            colour = _GROUNDS.get(ground[square], _PALE) if ground else _DARK
            corners = [x - 0.47, x + 0.47, x + 0.47, x - 0.47], [y - 0.47, y - 0.47, y + 0.47, y + 0.47]
            axes.fill(*corners, facecolor=colour, linewidth=0, zorder=1)


def _circle(drawing: Drawing, square: Square) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    x, y = drawing.points[square]
    return x + drawing.radius * np.cos(_TURN), y + drawing.radius * np.sin(_TURN)


def _plot_way(axes: Any, drawing: Drawing, path: tuple[Square, ...], look: dict[str, Any]) -> tuple[float, float]:
    """Arrows from the piece to where it goes; a place on the last, where no other move has its number."""
    points = [drawing.points[square] for square in path]
    for start, end in itertools.pairwise(points):
        style = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, **look}
        axes.annotate("", end, start, arrowprops=style, zorder=3)
    (x0, y0), (x1, y1) = points[-2:]
    return x0 + 0.45 * (x1 - x0), y0 + 0.45 * (y1 - y0)


def _plot_rings(axes: Any, drawing: Drawing, path: tuple[Square, ...], look: dict[str, Any]) -> tuple[float, float]:
    """A ring on every square that a new piece covers; their middle."""
    for square in path:
        axes.plot(*_circle(drawing, square), zorder=3, **look)
    x, y = np.mean([drawing.points[square] for square in path], axis=0)
    return float(x), float(y)
