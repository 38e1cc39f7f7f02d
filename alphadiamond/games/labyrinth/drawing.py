"""How the Labyrinth is shown: the cells of a maze with what lies on them, two runners, and the words for it."""

import itertools
from collections.abc import Mapping
from typing import Any, ClassVar

from alphadiamond.base.drawing import (
    BONUS,
    FLOOR,
    HOMES,
    MAZE,
    TRAP,
    WALL,
    Drawing,
    Lesson,
    Paint,
    Ply,
    Square,
    Tally,
    plain,
)
from alphadiamond.games.labyrinth.board import DIRECTIONS, SIZE, cells_of, contains, name_of
from alphadiamond.games.labyrinth.german import GERMAN
from alphadiamond.games.labyrinth.german import LESSONS as LESSONS_IN_GERMAN
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.lessons import LESSONS
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.position import Position, Reason, state_of
from alphadiamond.games.labyrinth.rules import SCORE_SCALE
from alphadiamond.games.labyrinth.side import Side
from alphadiamond.games.labyrinth.ways import LabyrinthWays

_PICTURED = ("dijkstra", "greedy_best_first")
_MIDDLE = (SIZE - 1) / 2


class LabyrinthDrawing(Drawing):
    """The same for every maze: what differs is on the ground, which a position knows."""

    surface: ClassVar[str] = MAZE
    names: ClassVar[tuple[str, ...]] = tuple(name_of(cell) for cell in range(SIZE * SIZE))
    points: ClassVar[tuple[tuple[float, float], ...]] = tuple(
        (cell % SIZE - _MIDDLE, _MIDDLE - cell // SIZE) for cell in range(SIZE * SIZE)
    )
    reach: ClassVar[float] = SIZE / 2 + 0.45
    radius: ClassVar[float] = 0.34
    column_names: ClassVar[tuple[str, ...]] = tuple("abcdefghi")
    row_names: ClassVar[tuple[str, ...]] = tuple("123456789")
    colours: ClassVar[tuple[str, str]] = ("green", "red")
    side_names: ClassVar[tuple[str, str]] = ("green", "red")
    shape: ClassVar[str] = "bead"
    piece: ClassVar[str] = "runner"
    place: ClassVar[str] = "cell"
    home: ClassVar[int] = 0
    pictured_from: ClassVar[str] = Position.START
    pictured_plies: ClassVar[int] = 16
    longest_move: ClassVar[int] = 2
    ways: ClassVar[LabyrinthWays] = LabyrinthWays()
    key_moves: ClassVar[dict[str, str]] = dict(zip("896321475", (*DIRECTIONS, "-"), strict=True))
    """As they lie on a keypad; the one in the middle passes."""
    passes: ClassVar[str] = "-"
    lessons: ClassVar[tuple[Lesson, ...]] = LESSONS
    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": GERMAN}
    lesson_texts: ClassVar[Mapping[str, Mapping[str, str]]] = {"de": LESSONS_IN_GERMAN}
    tagline: ClassVar[str] = (
        "A new maze in every game. Two runners want to the other's corner, and whoever pays less on the way wins."
    )
    guess: ClassVar[str] = "What is paid, and the cheapest ways home"

    def pieces(self, position: Position) -> dict[Square, Side]:
        """Where both stand in one cell, the runner to move is seen: he is the one to be picked."""
        first, second = position.side.other, position.side
        return dict(sorted({position.cells[first]: first, position.cells[second]: second}.items()))

    def standing(self, position: Position, side: Side) -> list[str]:
        return [self.names[position.cells[side]]]

    def ground(self, position: Position) -> dict[Square, str]:
        maze = position.maze
        found = {cell: FLOOR if contains(maze.open, cell) else WALL for cell in range(len(self.names))}
        for kind, cells in ((TRAP, maze.traps), (BONUS, maze.power_ups)):
            found |= dict.fromkeys(cells_of(cells, maze.size), kind)
        return found | {position.home(side): HOMES[side] for side in Side}

    def spots(self, move: Move) -> tuple[Square, ...]:
        """Where it leads: a side has one runner, which need not be picked."""
        return move.squares[-1:]

    def path(self, position: Position, move: Move) -> tuple[Square, ...]:
        return position.bound(move).squares

    def lead(self, position: Position) -> float:
        a, b = self._in_the_end(position)
        return (b - a) / (2 * SCORE_SCALE)

    def _in_the_end(self, position: Position) -> tuple[int, int]:
        """What both will have paid if each takes the cheapest way home from here."""
        homes = position.home(Side.A), position.home(Side.B)
        to_go = cheapest_ways(state_of(position), position.cells, homes, position.maze.size)
        return position.totals[0] + int(to_go[0]), position.totals[1] + int(to_go[1])

    def tally(self, position: Position, side: Side) -> Tally:
        where = "at home" if position.at_home(side) else f"on {self.names[position.cells[side]]}"
        return Tally(1, words=f"paid {position.totals[side]}, {where}", figure=str(position.totals[side]))

    def countdown(self, position: Position) -> str:
        return f"{position.plies_left} {'ply' if position.plies_left == 1 else 'plies'} left"

    def advice(self, position: Position) -> str:
        left = self.countdown(position)
        if position.at_home(position.side):
            return f"You are at home and pass. {left.capitalize()}"
        to_go = self._in_the_end(position)[position.side] - position.totals[position.side]
        return f"{left.capitalize()}; alone, your cheapest way home costs {to_go}"

    def toll(self, ply: Ply) -> str:
        cost = ply.after.totals[ply.side] - ply.before.totals[ply.side]
        return "" if ply.move.is_pass else f"+{cost}" if cost >= 0 else f"−{-cost}"

    def result_words(self, position: Position, winner: Any | None, reason: str) -> str:
        outcome = position.outcome
        if outcome is None:
            return reason
        a, b = outcome.totals
        late = ", lateness included" if outcome.reason is Reason.DEADLINE else ""
        return f"{self.side_names[0]} has paid {a}, {self.side_names[1]} {b}{late}"

    def score(self, position: Position, side: Any | None) -> tuple[str, str] | None:
        outcome = position.outcome
        a, b = position.totals if outcome is None else outcome.totals
        if side is None:
            return f"{a} – {b}", f"paid, {self.side_names[0]} – {self.side_names[1]}"
        return (f"{a} – {b}" if side is Side.A else f"{b} – {a}"), "paid – by the other"

    # Pictures

    def sample(self, count: int = 200, *, start: Position | None = None) -> list[Move]:
        """Two path finders: the first goes the cheapest way, the second the one that looks shortest."""
        position = self.game.sample_start() if start is None else start
        plans = [self.ways.walk(position, finder, side=side).path for finder, side in zip(_PICTURED, Side, strict=True)]
        moves: list[Move] = []
        while position.outcome is None and len(moves) < count:
            side = position.side
            after = dict(itertools.pairwise(plans[side])).get(position.cells[side])
            steps = {move.squares[-1]: move for move in position.moves()}
            moves.append(steps.get(after, position.moves()[0]))
            position = position.play(moves[-1])
        return moves

    # Text

    def legend(self, *, paint: Paint = plain) -> str:
        return f"{super().legend(paint=paint)}   ### wall   T trap   P power-up   <a> <b> homes"

    def words(self, position: Position) -> list[str]:
        maze = position.maze
        lines = [f"{str(position.side).capitalize()} to move.", f"Plies left: {position.plies_left}."]
        for side in (position.side, position.side.other):
            lines.append(f"{str(side).capitalize()}: {self.tally(position, side).words}.")
        for title, cells in (("Traps", maze.traps), ("Power-ups", maze.power_ups)):
            lines.append(f"{title}: {self.names_of(cells_of(cells, maze.size)).replace(',', ', ') or 'none'}.")
        here = name_of(position.cells[position.side], maze.size)
        ways = [f"{move} to {self.names[move.squares[-1]]}" for move in position.moves() if str(move) in DIRECTIONS]
        return [*lines, f"From {here}: {', '.join(ways)}."] if ways else lines
