"""How a game is shown that says nothing about it: its squares as cells of a board, and what its texts say of them."""

import math
import string
from typing import Any, Final

from alphadiamond.base.drawing import CELLS, GRAPH, Drawing, Square

_MARGIN: Final = 0.9
"""From the outermost squares to the edge of the picture."""
_COLOURS: Final = {"white": "ivory", "black": "ebony", "yellow": "yellow", "red": "red", "green": "green"}
"""The theme's colours for sides that are called by one."""


class PlainDrawing(Drawing):
    """Drawn from the shape and the texts of a game, for games that have no drawing of their own; a subclass changes
    what it likes.

    The squares are the nodes. They lie as `shape.grid` says, or else as the rows of a position's text do, or else in a
    circle. What stands on them is read from the first word of that text, if it has a character for every square, with
    or without `/` between rows: the letter of a side is one of its pieces, small or large.
    """

    shape = "disc"
    colours = ("green", "red")

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        rows = _rows(game)
        board = _cells(rows) if rows else _circle(game)
        # What other drawings know as classes, this one knows of its game alone; what a subclass says goes before it.
        own = {
            name for kind in type(self).__mro__ if kind not in (PlainDrawing, Drawing, object) for name in vars(kind)
        }
        moves = [str(move) for move in game.sample_start().moves()]
        words = {
            "side_names": tuple(str(side) for side in game.sides),
            "colours": _colours(game),
            "longest_move": max([5, *map(len, moves)]),
            "home": len(board["points"]) // 2,
            "pictured_plies": min(self.pictured_plies, game.longest // 3),
        }
        vars(self).update({name: value for name, value in (board | words).items() if name not in own})

    def pieces(self, position: Any) -> dict[Square, Any]:
        cells = _board_of(position)
        if len(cells) != len(self.names):
            return {}
        sides = {side.letter: side for side in self.game.sides}
        return {square: sides[cell] for square, cell in enumerate(cells.lower()) if cell in sides}

    def advice(self, position: Any) -> str:
        return "Your move" if len(_board_of(position)) == len(self.names) else f"Your move: {position}"


def _colours(game: Any) -> tuple[str, str]:
    first, second = (_COLOURS.get(str(side)) for side in game.sides)
    return (first, second) if first and second and first != second else PlainDrawing.colours


def _board_of(position: Any) -> str:
    """What a text says of the squares, if it says that first."""
    return str(position).partition(" ")[0].replace("/", "")


def _rows(game: Any) -> list[int]:
    """How many squares each row has, from the top; none where the squares lie in no rows."""
    if game.shape.grid is not None:
        rows, columns = game.shape.grid
        return [columns] * rows
    found = [len(row) for row in str(game.sample_start()).partition(" ")[0].split("/")]
    return found if sum(found) == game.shape.nodes and len(found) > 1 else []


def _cells(rows: list[int]) -> dict[str, Any]:
    """A board of cells, each row in the middle; named by letters and numbers as on a chessboard."""
    widest, high = max(rows), len(rows)
    letters = string.ascii_lowercase if widest <= len(string.ascii_lowercase) else ""
    columns = [letters[x] if letters else str(x + 1) for x in range(widest)]
    places = [(x, y, count) for y, count in enumerate(rows) for x in range(count)]
    return {
        "surface": CELLS,
        "names": tuple(f"{columns[x]}{'' if letters else '-'}{high - y}" for x, y, _ in places),
        "points": tuple((x - (count - 1) / 2, (high - 1) / 2 - y) for x, y, count in places),
        "reach": max(widest, high) / 2 + _MARGIN / 2,
        "column_names": tuple(columns) if len(set(rows)) == 1 else (),
        "row_names": tuple(str(high - y) for y in range(high)) if len(set(rows)) == 1 else (),
    }


def _circle(game: Any) -> dict[str, Any]:
    """Nodes in a circle, from the top, joined where they are neighbours."""
    count = game.shape.nodes
    radius = max(1.2, count / math.tau * 1.15)
    turns = [math.tau * node / count for node in range(count)]
    edges = game.shape.edges.tolist()
    return {
        "surface": GRAPH,
        "names": tuple(str(node + 1) for node in range(count)),
        "points": tuple((radius * math.sin(turn), radius * math.cos(turn)) for turn in turns),
        "reach": radius + _MARGIN,
        "lines": tuple((a, b) for a, b in edges) if len(edges) <= 4 * count else (),
        "labels": tuple((1.5 * math.sin(turn), -1.5 * math.cos(turn)) for turn in turns),
    }
