"""How a game is shown, as plain data: a window, a terminal, a picture in a document and a web page can all draw it.

A game gives one `Drawing`, or one for each board where boards differ: where its squares lie and what surface they lie
on, what stands on them in a position, what happens there in a ply, what a person clicks for each move, and the words
for all of it. Nothing here draws.
"""

import abc
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

if TYPE_CHECKING:
    from alphadiamond.base.ways import Ways

Square: TypeAlias = int
Spot: TypeAlias = int
"""What a person clicks: a square, or a whole column where pieces fall."""
Paint: TypeAlias = Callable[[str, str], str]
"""Colours a piece of text; its second argument is the colour of a side, `mark`, `line` or `empty`."""

GRAPH: Final = "graph"
"""Nodes joined by lines, with round pieces."""
GRID: Final = "grid"
"""An upright board with a round hole in every cell."""
CHECKERS: Final = "checkers"
"""A board of light and dark squares; those that can be used are dark."""
CELLS: Final = "cells"
"""The same with every square in use, and pieces that may cover several of them."""
MAZE: Final = "maze"
"""Floor between walls, by the light of what runs there; the ground of a position says where they are."""

FLOOR: Final = "_"
WALL: Final = "#"
TRAP: Final = "T"
BONUS: Final = "P"
HOMES: Final = ("0", "1")
"""What can lie on a square: nothing, a wall, what one had better not enter, what one had better, a side's home."""


def plain(text: str, _: str) -> str:
    """Paints nothing."""
    return text


@dataclass(frozen=True)
class Ply:
    """A move as it was played, and what is seen of it."""

    number: int
    """Plies before it."""
    before: Any
    move: Any
    after: Any
    path: tuple[Square, ...]
    """Where the piece goes, in order; where it comes from outside, the squares that it will cover."""
    how: str
    """slide, fall or jump."""
    captured: tuple[Square, ...]
    """Squares from which pieces of the opponent came off."""
    lost: tuple[Square, ...]
    """Squares from which pieces of the mover came off."""
    text: str
    """The move, with what it removed where that is worth saying."""

    @property
    def side(self) -> Any:
        return self.before.side


@dataclass(frozen=True)
class Tally:
    """What a side has on the board, for the panel beside it."""

    left: int
    of: int = 0
    """How many it began with, shown as so many places; 0 where only the words are shown."""
    bar: int = 0
    """Below so many the game is lost: a bar stands after this many places; 0 for none."""
    words: str = ""
    figure: str = ""
    """A number that the whole game is about, shown apart."""


@dataclass(frozen=True)
class Facet:
    """A part of the surface in a tint: its corners, a colour of the theme and how strong it is."""

    squares: tuple[Square, ...]
    colour: str
    strength: float


@dataclass(frozen=True)
class Lesson:
    """A position, a task, and how to tell that it is done."""

    title: str
    text: str
    task: str
    position: str
    done: Callable[[Ply], bool]
    praise: str
    again: str = ""
    """Said after a legal move that is not the one asked for."""
    marks: tuple[str, ...] = ()
    """Names of squares to look at."""


class Clicks:
    """From clicks to moves: each move is a path of spots, and its end alone will do where that is unambiguous."""

    def __init__(self, paths: Mapping[Any, tuple[Spot, ...]]) -> None:
        self.paths = dict(paths)

    def following(self, picked: tuple[Spot, ...]) -> list[Any]:
        """The moves that begin with these clicks."""
        return [move for move, path in self.paths.items() if path[: len(picked)] == picked]

    def next(self, picked: tuple[Spot, ...]) -> list[Spot]:
        """The spots that go on from these clicks, in order, each once."""
        paths = [self.paths[move] for move in self.following(picked)]
        return sorted({path[len(picked)] for path in paths if len(path) > len(picked)})

    def ends(self, picked: tuple[Spot, ...]) -> list[Spot]:
        """The ends of moves that begin with these clicks and can be told by their end alone."""
        ends = [self.paths[move][-1] for move in self.following(picked)]
        return sorted(spot for spot in set(ends) if ends.count(spot) == 1)

    def take(self, picked: tuple[Spot, ...], spot: Spot) -> tuple[tuple[Spot, ...], Any | None] | None:
        """What a further click means: the clicks so far with the move they make, if any; None where it means nothing.

        A click that does not go on from what is picked begins anew, if a move begins there.
        """
        longer = (*picked, spot)
        for move, path in self.paths.items():
            if path == longer:
                return (), move
        if picked:
            if self.following(longer):
                return longer, None
            ending = [move for move in self.following(picked) if self.paths[move][-1] == spot]
            if len(ending) == 1:
                return (), ending[0]
        if self.following((spot,)):
            return ((spot,), None) if len(self.paths[self.following((spot,))[0]]) > 1 else self.take((), spot)
        return None


class Drawing(abc.ABC):
    """How one game is shown. The class attributes describe the board; the methods describe a position or a ply."""

    surface: ClassVar[str]
    """GRAPH, GRID, CHECKERS, CELLS or MAZE."""
    names: ClassVar[tuple[str, ...]]
    """The name of every square."""
    points: ClassVar[tuple[tuple[float, float], ...]]
    """Where every square lies: x to the right, y upwards, the middle of the board at 0, 0."""
    reach: ClassVar[float]
    """From the middle to the edge of the picture, in the same units."""
    radius: ClassVar[float] = 0.4
    """Of a piece."""
    hole: ClassVar[float] = 0.17
    """Radius of an empty place, on a graph."""
    touch: ClassVar[float] = 0.5
    """How near to its middle a click means a square."""
    lines: ClassVar[tuple[tuple[Square, Square], ...]] = ()
    """What is joined on a graph."""
    facets: ClassVar[tuple[Facet, ...]] = ()
    labels: ClassVar[tuple[tuple[float, float], ...]] = ()
    """Where each square's name stands beside it, in radii of a piece, to the right and down; none: no names."""
    columns: ClassVar[tuple[tuple[Square, ...], ...]] = ()
    """Where pieces fall: the squares of every column from below; a click anywhere in one means the whole."""
    column_names: ClassVar[tuple[str, ...]] = ()
    """Along the lower edge, from the left."""
    row_names: ClassVar[tuple[str, ...]] = ()
    """Along the left edge, from the top."""
    colours: ClassVar[tuple[str, str]]
    """Names of the theme's colours for the two sides."""
    side_names: ClassVar[tuple[str, str]]
    """What people call the two sides when they see them."""
    shape: ClassVar[str] = "bead"
    """How a piece looks: bead (a glass ball), disc (flat, with a rim) or man (a turned draughtsman)."""
    piece: ClassVar[str] = "piece"
    """What a piece is called."""
    pieces_are: ClassVar[str] = ""
    """What several are called; empty: the same with an s."""
    place: ClassVar[str] = "square"
    """What a square is called; its plural has an s."""
    how: ClassVar[str] = "slide"
    """How pieces move: slide, fall, or jump where they take something."""
    home: ClassVar[Spot] = 0
    """Where the cursor stands at first."""
    pictured_game: ClassVar[str] = ""
    """The moves of a game that is worth a picture; none: `sample` makes one up."""
    pictured_from: ClassVar[str] = ""
    """The position that games for pictures begin with; none: the sample start."""
    pictured_plies: ClassVar[int] = 10
    """After so many plies of `sample` a picture shows the game."""
    draws: ClassVar[bool] = True
    """Whether a game can end in a draw."""
    longest_move: ClassVar[int] = 5
    """Letters of the longest text of a move."""
    ways: ClassVar["Ways | None"] = None
    """What is known of ways on the board, in a game in which pieces look for theirs."""
    key_moves: ClassVar[Mapping[str, str]] = {}
    """Letters or digits that are a key for a move, with its text."""
    passes: ClassVar[str] = ""
    """The text of a move that is made for people, where it is their only one."""

    # Words

    tagline: ClassVar[str] = ""
    """A sentence or two under the game's name."""
    guess: ClassVar[str] = "Even"
    """What `balance` goes by, in a word or two."""
    endings: ClassVar[Mapping[str, str]] = {}
    """For the reason of an ending a clause that says it to people."""
    must_take: ClassVar[str] = ""
    """Said where nothing but captures can be played, in a game that demands them."""
    solving: ClassVar[str] = ""
    """What solving the game takes and gives, where it has to be done first."""
    lessons: ClassVar[tuple[Lesson, ...]] = ()
    editable: ClassVar[bool] = False
    """Whether `arranged` can be asked."""
    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """For each language but English a table of `base.translation`: the words above, the game's title, its endings."""
    lesson_texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The same for the lessons and what a coach says, which the window alone shows."""

    def __init__(self, game: Any) -> None:
        self.game = game

    # A position

    @abc.abstractmethod
    def pieces(self, position: Any) -> dict[Square, Any]:
        """Whose piece stands on each square that is not empty, in order of squares."""

    def blocks(self, position: Any) -> tuple[tuple[Square, ...], ...]:
        """The squares under each piece that covers more than one, such as a domino; they lie in a row or a column."""
        return ()

    def ground(self, position: Any) -> dict[Square, str]:
        """What lies on squares under the pieces: FLOOR, WALL, TRAP, BONUS or one of HOMES; none: a bare board."""
        return {}

    def lit(self, position: Any) -> tuple[Square, ...]:
        """Squares to be shown as the reason of an ending, such as four in a row."""
        return ()

    def balance(self, position: Any) -> float:
        """A rough guess in [-1, 1] for the side that moves first, for when no player has been asked."""
        outcome = position.outcome
        if outcome is None:
            return max(-0.95, min(0.95, self.lead(position)))
        return 0.0 if outcome.winner is None else (1.0 if outcome.winner == self.game.sides[0] else -1.0)

    def lead(self, position: Any) -> float:
        """What `balance` says of a game that goes on."""
        return 0.0

    def tally(self, position: Any, side: Any) -> Tally:
        left = len(self.standing(position, side))
        return Tally(left, words=self.count_of(left))

    def standing(self, position: Any, side: Any) -> list[str]:
        """Where the pieces of a side stand, by the names of their squares."""
        first = {square: block for block in self.blocks(position) for square in block}
        own = [square for square, owner in self.pieces(position).items() if owner == side]
        blocks = [first.get(square, (square,)) for square in own]
        return ["-".join(self.names[square] for square in block) for block in dict.fromkeys(blocks)]

    def arranged(self, pieces: Mapping[Square, Any], side: Any) -> Any:
        """The position with these pieces and this side to move; a `NotationError` says why there is none."""
        raise NotImplementedError

    def countdown(self, position: Any) -> str:
        """How much of the game is left, in a few words, where that is limited and matters all the time."""
        return ""

    def advice(self, position: Any) -> str:
        """What a coach would say to the side to move."""
        return "Your move"

    # A ply

    def path(self, position: Any, move: Any) -> tuple[Square, ...]:
        """The squares that the moving piece touches, its first one included unless it comes from outside."""
        return tuple(move.squares)

    def ply(self, before: Any, move: Any, number: int = 0) -> Ply:
        """What is seen of a legal move."""
        after = before.play(move)
        old, new = self.pieces(before), self.pieces(after)
        path = self.path(before, move)
        captured = tuple(square for square, side in old.items() if side != before.side and square not in new)
        gone = {square for square, side in old.items() if side == before.side and square not in new} - set(path)
        lost = tuple(sorted(gone | ({path[-1]} if path[-1] not in new else set())))
        how = (
            "jump"
            if len(path) > 2 or (self.how == "jump" and captured)
            else "slide"
            if self.how == "jump"
            else self.how
        )
        return Ply(number, before, move, after, path, how, captured, lost, self.move_text(move, captured, lost))

    def move_text(self, move: Any, captured: tuple[Square, ...], lost: tuple[Square, ...]) -> str:
        return str(move)

    def toll(self, ply: Ply) -> str:
        """What a ply has cost or brought, as a short text that rises from where the piece arrives; none by default."""
        return ""

    # Clicks and keys

    def keys(self, position: Any) -> dict[str, Any]:
        """The legal moves that have a key of their own, by its letter or digit."""
        legal = {str(move): move for move in position.moves()} if self.key_moves else {}
        return {key: legal[text] for key, text in self.key_moves.items() if text in legal}

    def forced(self, position: Any) -> Any | None:
        """A move that nobody needs to be asked for: a pass, where there is nothing else."""
        moves: Sequence[Any] = position.moves() if self.passes else ()
        return moves[0] if len(moves) == 1 and str(moves[0]) == self.passes else None

    def spots(self, move: Any) -> tuple[Spot, ...]:
        """What a person clicks for a move."""
        return tuple(move.squares)

    def clicks(self, position: Any) -> Clicks:
        return Clicks({move: self.spots(move) for move in position.moves()})

    def spot_of(self, square: Square) -> Spot:
        """What a click on a square means."""
        return next((number for number, column in enumerate(self.columns) if square in column), square)

    # Words that depend on a game

    def side_name(self, side: Any) -> str:
        return self.side_names[int(side)]

    def side_of(self, name: str) -> Any:
        """The side of that name, as settings and statistics keep it; the first if there is none."""
        return next((side for side in self.game.sides if str(side) == name), self.game.sides[0])

    def result_words(self, position: Any, winner: Any | None, reason: str) -> str:
        """Why it is over, after `You win: ` or `Draw: `."""
        return self.endings.get(reason, reason)

    def score(self, position: Any, side: Any | None) -> tuple[str, str] | None:
        """A pair of numbers and what they are, for the result's page, seen by the person of `side`; None for none."""
        return None

    def colour_of(self, side: Any) -> str:
        return self.colours[int(side)]

    # Lessons and pictures

    def solutions(self, lesson: Lesson) -> list[Any]:
        """The moves that do what a lesson asks for."""
        start = self.game.parse(lesson.position)
        return [move for move in start.moves() if lesson.done(self.ply(start, move))]

    def sample(self, count: int = 200, *, start: Any = None) -> list[Any]:
        """The moves of a game, the same each time, for pictures: no move that ends it before it is worth seeing. It
        begins at `start`, or where there is none on the board of seed 0."""
        if self.pictured_game:
            return [self.game.parse_move(text) for text in self.pictured_game.split()[:count]]
        position = self.game.sample_start() if start is None else start
        moves: list[Any] = []
        for number in itertools.count():
            legal = list(position.moves())
            if not legal or number >= count:
                return moves
            after = {move: position.play(move).outcome for move in legal}
            calm = [move for move in legal if after[move] is None] or legal
            move = calm[(7 * number + 3 * len(legal)) % len(calm)] if number < self.game.longest * 2 // 5 else legal[0]
            winning = [one for one in legal if after[one] is not None and after[one].winner is not None]
            if winning and number >= self.game.longest * 2 // 5:
                move = winning[0]
            position = position.play(move)
            moves.append(move)
        raise AssertionError("unreachable")

    # Text

    def picture(
        self, position: Any, *, paint: Paint = lambda text, _: text, marked: Collection[Square] = ()
    ) -> list[str]:
        """The lines of a picture in letters; `marked` squares stand between stars where no piece is on them."""
        columns = sorted({x for x, _ in self.points})
        rows = sorted({y for _, y in self.points}, reverse=True)
        at = {point: square for square, point in enumerate(self.points)}
        pieces, ground = self.pieces(position), self.ground(position)
        shown = []
        for number, y in enumerate(rows):
            name = self.row_names[number] if self.row_names else ""
            cells = [self._cell(at.get((x, y)), pieces, paint, marked, ground) for x in columns]
            shown.append(f"  {name:>2} " + " ".join(cells))
        if self.column_names:
            shown.append("     " + " ".join(f" {name} " for name in self.column_names))
        return shown

    def _cell(
        self,
        square: Square | None,
        pieces: Mapping[Square, Any],
        paint: Paint,
        marked: Collection[Square],
        ground: Mapping[Square, str],
    ) -> str:
        if square is None:
            return "   "
        side = pieces.get(square)
        if side is None:
            kind = ground.get(square, FLOOR)
            if kind == WALL:
                return paint("###", "line")
            if kind in HOMES and square not in marked:
                owner = self.game.sides[HOMES.index(kind)]
                return paint(f"<{owner.letter}>", self.colour_of(owner))
            letter = kind if kind in (TRAP, BONUS) else "."
            return paint(f"*{letter}*", "mark") if square in marked else paint(f" {letter} ", "line")
        text = f"[{side.letter}]" if int(side) else f"({side.letter})"
        return paint(text, self.colour_of(side))

    def legend(self, *, paint: Paint = plain) -> str:
        """What the brackets mean."""
        first, second = self.game.sides
        shown = ((f"({first})", first), (f"[{second}]", second))
        return "   ".join(paint(text, self.colour_of(side)) for text, side in shown)

    def words(self, position: Any) -> list[str]:
        """The same for listening: whose turn it is, and where the pieces are."""
        lines = [f"{str(position.side).capitalize()} to move."]
        for side in (position.side, position.side.other):
            names = self.standing(position, side)
            lines.append(
                f"{str(side).capitalize()} has {self.count_of(len(names))}"
                + (f": {', '.join(names)}." if names else ".")
            )
        return lines

    @property
    def plural(self) -> str:
        return self.pieces_are or f"{self.piece}s"

    def count_of(self, number: int) -> str:
        """`1 bead`, `3 beads`."""
        return f"{number} {self.piece if number == 1 else self.plural}"

    def names_of(self, squares: Sequence[Square]) -> str:
        return ",".join(self.names[square] for square in squares)

    def neighbours(self, square: Square) -> Iterator[Square]:
        """What a line joins it to, on a graph."""
        for a, b in self.lines:
            if square in (a, b):
                yield a + b - square
