"""The board as text: a picture of letters for a terminal, and words for whoever listens to it."""

from collections.abc import Callable, Collection
from typing import Final

from alphadiamond.games.diamond_chase.board import COORDINATES, EDGES, NODE_NAMES, NODES, RANKS, Node
from alphadiamond.games.diamond_chase.position import Position, Side

Paint = Callable[[str, str], str]
"""Colours a piece of text; its second argument is a side, `mark` or `line`."""

_COLUMNS_A_UNIT: Final = 6
_BRACKETS: Final = {Side.GREEN: ("(", ")"), Side.RED: ("[", "]"), None: (" ", " ")}
"""What stands around the name of a node: the shape tells the sides apart where there are no colours."""


def _rows() -> list[int]:
    """The line of each node: two a rank."""
    rows: list[int] = []
    for rank, length in enumerate(RANKS):
        rows += [2 * rank] * length
    return rows


_ROWS: Final = _rows()
_COLUMNS: Final = [round(float(x) * _COLUMNS_A_UNIT) for x, _ in COORDINATES]
_MIDDLE: Final = max(_COLUMNS) + 2
WIDTH: Final = 2 * _MIDDLE + 1


def _plain(text: str, _: str) -> str:
    return text


def _lines() -> dict[tuple[int, int], str]:
    """(row, column) of every character that an edge is drawn with."""
    found: dict[tuple[int, int], str] = {}
    for a, b in EDGES:
        (top, left), (bottom, right) = sorted([(_ROWS[a], _COLUMNS[a]), (_ROWS[b], _COLUMNS[b])])
        steep, across = bottom - top, right - left
        if not steep:
            found |= {(top, column): "-" for column in range(min(left, right), max(left, right))}
            continue
        letter = "|" if not across else "\\" if across > 0 else "/"
        for row in range(top + 1, bottom):
            found[row, round(left + across * (row - top) / steep)] = letter
    return found


_EDGES: Final = _lines()


def picture(position: Position, *, paint: Paint = _plain, marked: Collection[Node] = ()) -> list[str]:
    """The lines of a picture, 71 columns wide; every node shows its name, beads in brackets of their side.

    `marked` nodes stand between stars, such as those of the last move.
    """
    nodes = {(_ROWS[node], _COLUMNS[node]): node for node in range(NODES)}
    pictured = []
    for row in range(max(_ROWS) + 1):
        pieces: dict[int, tuple[str, str]] = {}
        for (line, column), letter in _EDGES.items():
            if line == row:
                pieces[column] = (letter, "line")
        for (line, column), node in nodes.items():
            if line == row:
                text, style = _node(position, node, node in marked)
                first = column - len(text) // 2
                for covered in range(first, first + len(text)):
                    pieces.pop(covered, None)
                pieces[first] = (text, style)
        out, at = [], -_MIDDLE
        for column in sorted(pieces):
            text, style = pieces[column]
            out.append(" " * (column - at) + paint(text, style))
            at = column + len(text)
        pictured.append("".join(out))
    return pictured


def legend(*, paint: Paint = _plain) -> str:
    """What the brackets mean."""
    return "   ".join(paint(f"{_BRACKETS[side][0]}{side}{_BRACKETS[side][1]}", str(side)) for side in Side)


def words(position: Position) -> list[str]:
    """The same for listening: whose turn it is, and where the beads are."""
    lines = [f"{str(position.side).capitalize()} to move."]
    for side in (position.side, position.side.other):
        beads = [NODE_NAMES[node] for node in position.beads(side)]
        lines.append(f"{str(side).capitalize()} has {len(beads)} beads: {', '.join(beads)}.")
    return lines


def _node(position: Position, node: Node, marked: bool) -> tuple[str, str]:
    side = position.at(node)
    left, right = ("*", "*") if marked and side is None else _BRACKETS[side]
    text = f"{left}{NODE_NAMES[node]}{right}"
    return text, "mark" if marked and side is None else str(side) if side is not None else "empty"
