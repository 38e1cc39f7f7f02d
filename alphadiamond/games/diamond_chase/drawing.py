"""How Diamond Chase is shown: nodes and lines in the shape of a cut stone, beads of glass, and the words for it."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Final

from alphadiamond.base.drawing import GRAPH, Drawing, Facet, Lesson, Paint, Ply, Square, Tally, plain
from alphadiamond.games.diamond_chase import picture
from alphadiamond.games.diamond_chase.board import (
    ALL_NODES,
    COORDINATES,
    EDGES,
    NEIGHBOURS,
    NODE_IDS,
    NODE_NAMES,
    NODES,
)
from alphadiamond.games.diamond_chase.german import GERMAN
from alphadiamond.games.diamond_chase.german import LESSONS as LESSONS_IN_GERMAN
from alphadiamond.games.diamond_chase.kernels import MAX_BEADS
from alphadiamond.games.diamond_chase.lessons import LESSONS, advice
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.notation import names_of
from alphadiamond.games.diamond_chase.position import Position, Side

_CORNERS: Final = (("n", "nw", "ni", "ne"), ("w", "wn", "wi", "ws"), ("s", "sw", "si", "se"), ("e", "en", "ei", "es"))
_LABELS: Final = {  # where each node's name stands beside it, in radii of a bead
    "n": (1.75, -0.1),
    "s": (1.75, 0.1),
    "w": (0, -1.75),
    "e": (0, -1.75),
    "nw": (-1.8, -0.5),
    "ne": (1.8, -0.5),
    "sw": (-1.8, 0.5),
    "se": (1.8, 0.5),
    "wn": (-0.9, -1.6),
    "en": (0.9, -1.6),
    "ws": (-0.9, 1.6),
    "es": (0.9, 1.6),
    "ni": (1.6, 0.85),
    "si": (1.6, -0.85),
    "wi": (0.85, -1.55),
    "ei": (-0.85, -1.55),
    "cn": (1.6, -0.75),
    "cs": (1.6, 0.75),
    "cw": (-0.9, -1.5),
    "ce": (0.9, -1.5),
    "c": (0.95, -0.95),
}
_SAMPLE: Final = "si-cs en-e cs-c ni-cn s-si e-ei se-s n-ni es-se ei-ce"
"""A few quiet moves, for pictures; those that turn out illegal are left out."""


def _facet(names: Collection[str], colour: str, strength: float) -> Facet:
    return Facet(tuple(NODE_IDS[name] for name in names), colour, strength)


class DiamondChaseDrawing(Drawing):
    surface: ClassVar[str] = GRAPH
    names: ClassVar[tuple[str, ...]] = NODE_NAMES
    points: ClassVar[tuple[tuple[float, float], ...]] = tuple((float(x), float(y)) for x, y in COORDINATES)
    reach: ClassVar[float] = 6.02  # the tips, a bead's radius and a little air
    radius: ClassVar[float] = 0.37
    hole: ClassVar[float] = 0.17
    touch: ClassVar[float] = 0.52
    lines: ClassVar[tuple[tuple[Square, Square], ...]] = tuple(EDGES)
    facets: ClassVar[tuple[Facet, ...]] = (
        _facet("nesw", "line", 0.045),
        *(_facet(corner, "line_2", 0.10) for corner in _CORNERS),
        _facet(("cn", "ce", "cs", "cw"), "line", 0.10),
    )
    labels: ClassVar[tuple[tuple[float, float], ...]] = tuple(_LABELS[name] for name in NODE_NAMES)
    colours: ClassVar[tuple[str, str]] = ("green", "red")
    side_names: ClassVar[tuple[str, str]] = ("green", "red")
    piece: ClassVar[str] = "bead"
    place: ClassVar[str] = "node"
    home: ClassVar[int] = NODE_IDS["si"]
    longest_move: ClassVar[int] = 5
    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": GERMAN}
    lesson_texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": LESSONS_IN_GERMAN}
    editable: ClassVar[bool] = True
    tagline: ClassVar[str] = (
        "Twenty-one nodes, twelve beads, no luck. Shut your opponent in before you are shut in yourself."
    )
    guess: ClassVar[str] = "Beads and freedom"
    endings: ClassVar[Mapping[str, str]] = {
        "repetition": "the position came up for the third time",
        "no capture": "a hundred plies without a capture",
    }
    solving: ClassVar[str] = (
        "Diamond Chase is small enough to be solved. It takes a minute or two and about 120 MB of disk, once. Then the "
        "perfect player can be had, every move has its exact value, and your accuracy can be counted."
    )
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS

    def pieces(self, position: Position) -> dict[Square, Side]:
        found = ((node, position.at(node)) for node in range(NODES))
        return {node: side for node, side in found if side is not None}

    def lead(self, position: Position) -> float:
        """Beads, and nodes that they can move to."""
        empty = ALL_NODES & ~(position.own | position.opp)
        freedom = {
            side: sum(1 for node in position.beads(side) for near in NEIGHBOURS[node] if empty >> near & 1)
            for side in Side
        }
        beads = {side: len(position.beads(side)) for side in Side}
        total = max(1, sum(freedom.values()))
        return 0.25 * (beads[Side.GREEN] - beads[Side.RED]) + 0.25 * (freedom[Side.GREEN] - freedom[Side.RED]) / total

    def tally(self, position: Position, side: Side) -> Tally:
        return Tally(len(position.beads(side)), of=MAX_BEADS, bar=3)

    def arranged(self, pieces: Mapping[Square, Side], side: Side) -> Position:
        own, opp = (sum(1 << node for node, owner in pieces.items() if owner is one) for one in (side, side.other))
        return Position(own, opp, side)

    def advice(self, position: Position) -> str:
        return advice(position)

    def ply(self, before: Position, move: Move, number: int = 0) -> Ply:
        after = before.play(move)
        removed = before.removed_by(move)
        captured = tuple(node for node in removed if before.at(node) is before.side.other)
        lost = tuple(node for node in removed if node not in captured)  # the moved bead counts where it went
        path = (move.source, move.target)
        return Ply(number, before, move, after, path, "slide", captured, lost, self.move_text(move, captured, lost))

    def move_text(self, move: Move, captured: tuple[Square, ...], lost: tuple[Square, ...]) -> str:
        removed = sorted((*captured, *lost))
        return f"{move}({names_of(removed)})" if removed else str(move)

    def result_words(self, position: Position, winner: Any | None, reason: str) -> str:
        if winner is None or reason != "beads":
            return super().result_words(position, winner, reason)
        return f"{winner.other} has {len(position.beads(winner.other))} beads left"

    def score(self, position: Position, side: Any | None) -> tuple[str, str]:
        taken = {one: MAX_BEADS - len(position.beads(one.other)) for one in Side}
        if side is not None:
            return f"{taken[side]} – {taken[side.other]}", "beads taken – lost"
        return f"{taken[Side.GREEN]} – {taken[Side.RED]}", "taken, green – red"

    def sample(self, count: int = 200, *, start: Position | None = None) -> list[Move]:
        """A game that ends: greedy for captures, otherwise the first move that repeats nothing."""
        position, moves = Position.start(), []
        for text in _SAMPLE.split():
            move = Move.parse(text)
            if move in position.moves():
                position = position.play(move)
                moves.append(move)
        while position.outcome is None and len(moves) < count:
            best = max(position.moves(), key=lambda move: _worth(position, move))
            position = position.play(best)
            moves.append(best)
        return moves

    def picture(self, position: Position, *, paint: Paint = plain, marked: Collection[Square] = ()) -> list[str]:
        return picture.picture(position, paint=paint, marked=marked)

    def legend(self, *, paint: Paint = plain) -> str:
        return picture.legend(paint=paint)

    def words(self, position: Position) -> list[str]:
        return picture.words(position)


def _worth(position: Position, move: Move) -> tuple[int, int, int]:
    removed = position.removed_by(move)
    theirs = sum(position.at(node) is position.side.other for node in removed)
    after = position.play(move)
    return (
        2 * theirs - len(removed),
        -after.occurrences,
        -len(after.moves()) + (move.action * 7 + position.quiet * 5) % 11,
    )
