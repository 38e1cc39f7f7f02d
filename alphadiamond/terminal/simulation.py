"""Path finders side by side in letters, and Huffman codes of their logs."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from alphadiamond.base import huffman
from alphadiamond.base.drawing import BONUS, HOMES, TRAP, WALL, Drawing, Square
from alphadiamond.base.ways import Moment, Walk, Ways
from alphadiamond.console import count_of
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.terminal.screen import Screen

LEGEND: Final = "@ runner   * way   + explored   ? waits   T trap   P power-up   ## wall"
_ACROSS: Final = 3
_GAP: Final = "    "
_UP: Final = "\x1b[{}A"


class NoWaysError(AlphaDiamondError):
    """A game in which nobody looks for a way."""


def ways_of(drawing: Drawing) -> Ways:
    if drawing.ways is None:
        raise NoWaysError(f"{drawing.game.title} has no path finders: game=labyrinth has")
    return drawing.ways


def walks_of(
    drawing: Drawing, position: Any, *, heuristic: str = "", side: Any | None = None, finders: Sequence[str] = ()
) -> dict[str, Walk]:
    ways = ways_of(drawing)
    if heuristic and heuristic not in ways.heuristics:
        raise NoWaysError(f"no heuristic is called {heuristic!r}: there are {', '.join(ways.heuristics)}")
    for name in finders:
        if name not in ways.finders:
            raise NoWaysError(f"no path finder is called {name!r}: there are {', '.join(ways.finders)}")
    return {name: ways.walk(position, name, heuristic, side=side) for name in finders or ways.finders}


def board_lines(
    drawing: Drawing, position: Any, moment: Moment, screen: Screen, distances: Mapping[Square, int]
) -> list[str]:
    """One board, two letters a square."""
    columns = sorted({x for x, _ in drawing.points})
    rows = sorted({y for _, y in drawing.points}, reverse=True)
    at = {point: square for square, point in enumerate(drawing.points)}
    ground = drawing.ground(position)
    return ["".join(_letters(at[x, y], ground, moment, screen, distances) for x in columns) for y in rows]


def _letters(
    square: Square, ground: Mapping[Square, str], moment: Moment, screen: Screen, distances: Mapping[Square, int]
) -> str:
    kind = ground[square]
    if kind == WALL:
        return screen.paint("##", "line")
    if moment.path and square == moment.path[-1]:
        return screen.paint(" @", "way")
    if square in moment.path:
        return screen.paint(" *", "way")
    if kind == TRAP or (kind == BONUS and square not in moment.path):
        return screen.paint(f" {kind}", "mark")
    if square in moment.frontier:
        return screen.paint(" ?", "frontier")
    if square in moment.explored:
        return screen.paint(" +", "explored")
    if square in distances:
        return screen.paint(f"{distances[square]:2}", "map")
    return " o" if kind in HOMES else screen.paint(" .", "line")


def frame_lines(
    drawing: Drawing,
    position: Any,
    walks: Mapping[str, Walk],
    frame: int,
    screen: Screen,
    distances: Mapping[Square, int],
) -> list[str]:
    """All boards of a moment, three beside each other."""
    ways = ways_of(drawing)
    lines: list[str] = []
    names = list(walks)
    for first in range(0, len(names), _ACROSS):
        some = names[first : first + _ACROSS]
        boards = [board_lines(drawing, position, walks[name].at(frame), screen, distances) for name in some]
        wide = 2 * len({x for x, _ in drawing.points})
        lines.append(_GAP.join(f"{ways.finders[name]:<{wide}}" for name in some).rstrip())
        lines += [_GAP.join(parts).rstrip() for parts in zip(*boards, strict=True)]
        lines.append("")
    return lines


def table_lines(ways: Ways, walks: Mapping[str, Walk], *, plain: bool = False) -> list[str]:
    """Cost, steps, explored cells and efficiency of each."""
    rows = []
    for name, walk in walks.items():
        share = "did not arrive" if walk.efficiency is None else f"{100 * walk.efficiency:.0f} %"
        heuristic = walk.heuristic or "-"
        rows.append((ways.finders[name], heuristic, str(walk.cost), str(walk.steps), str(walk.seen), share))
    if plain:
        return [
            f"{name}{'' if heuristic == '-' else f', {heuristic}'}: cost {cost}, {steps} steps, {seen} cells explored, "
            f"efficiency {share}."
            for name, heuristic, cost, steps, seen, share in rows
        ]
    heads = ("path finder", "heuristic", "cost", "steps", "explored", "efficiency")
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    return [
        "  ".join(
            f"{text:<{width}}" if column < 2 else f"{text:>{width}}"
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heads, *rows)
    ]


def coding_lines(coding: huffman.Coding, letters: Mapping[str, str]) -> list[str]:
    """The log, its tree, its codes, and the bits before and after."""
    if coding.tree is None:
        return ["nothing to code: no step was made"]
    counts = Counter(coding.text)
    lines = [coding.text, *tree_lines(coding.tree)]
    for letter, bits in coding.codes.items():
        lines.append(f"{letter} {letters[letter]}: {count_of(counts[letter], 'time')}, {bits}")
    saved = f"{100 * coding.saving:.0f} % saved"
    return [*lines, f"{coding.bits_before} bits plain, {coding.bits_after} coded, {saved}: {coding.bits}"]


def tree_lines(tree: huffman.Tree, before: str = "", bit: str = "") -> list[str]:
    """A tree that lies on its side: 0 above, 1 below."""
    tag = f"{bit}: " if bit else ""
    if tree.left is None or tree.right is None:
        return [f"{before}{tag}{tree.letter} ({tree.count})"]
    inner = before + "    "
    return [f"{before}{tag}({tree.count})", *tree_lines(tree.left, inner, "0"), *tree_lines(tree.right, inner, "1")]


def show_simulation(
    screen: Screen,
    drawing: Drawing,
    position: Any,
    walks: Mapping[str, Walk],
    *,
    distances: Mapping[Square, int],
    speed: float = 0.0,
) -> None:
    """The last moment with the table; before it, where the terminal can, every moment at so many a second."""
    ways = ways_of(drawing)
    last = max(walk.frames for walk in walks.values()) - 1
    if screen.plain:
        for line in table_lines(ways, walks, plain=True):
            screen.say(line)
        return
    lines = frame_lines(drawing, position, walks, 0 if screen.colours and speed else last, screen, distances)
    screen.show(*lines)
    if screen.colours and speed:
        for frame in range(1, last + 1):
            time.sleep(1 / speed)
            shown = [f"{line}\x1b[K" for line in frame_lines(drawing, position, walks, frame, screen, distances)]
            screen.show(_UP.format(len(lines)) + shown[0], *shown[1:])
    screen.show(LEGEND, "", *table_lines(ways, walks))
