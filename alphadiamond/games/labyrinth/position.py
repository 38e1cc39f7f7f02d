"""A position: a maze, two runners, what they have paid, and the plies that are left."""

import enum
import functools
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError, require_text, shown
from alphadiamond.console import count_of
from alphadiamond.games.labyrinth import kernels
from alphadiamond.games.labyrinth.board import (
    COLUMN_STEPS,
    LARGEST,
    LATE_COST,
    MOST_A_STEP,
    PASS,
    POWER_UP_GAIN,
    POWER_UPS,
    ROW_STEPS,
    SIZE,
    STEP_COST,
    TRAPS,
    Cell,
    Cells,
    cell_of,
    cells_of,
    contains,
    deadline_of,
    name_of,
    set_of,
)
from alphadiamond.games.labyrinth.maze_kernels import fill_maze
from alphadiamond.games.labyrinth.move import Move
from alphadiamond.games.labyrinth.side import Side


class Reason(enum.Enum):
    """How a game ends by the rules."""

    HOME = "both at home"
    DEADLINE = "the deadline"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    winner: Side | None
    """None for a draw."""
    reason: Reason
    totals: tuple[int, int]
    """What runner a and runner b have paid, the 100 for being late included."""

    def __str__(self) -> str:
        paid = f"{self.totals[0]} to {self.totals[1]}"
        who = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{who} by the totals, {paid}, at {self.reason}"


@dataclass(frozen=True, slots=True)
class Maze:
    """Walls and traps, and where power-ups lie at the beginning or still do."""

    open: Cells
    traps: Cells
    power_ups: Cells
    size: int = SIZE

    @classmethod
    def of_seed(cls, seed: int, size: int = SIZE) -> "Maze":
        """The maze of a seed, always the same one."""
        state = np.zeros(12, dtype=np.int64)
        fill_maze(np.array([seed], dtype=np.uint64), size, state)
        sets = [(int(state[part]), int(state[part + 1])) for part in (0, 2, 4)]
        return cls(sets[0], sets[1], sets[2], size)

    @property
    def last(self) -> Cell:
        """The cell at the bottom right."""
        return self.size * self.size - 1

    def rows(self) -> str:
        """As a position's text has it."""
        letters = [
            "#"
            if not contains(self.open, cell)
            else "T"
            if contains(self.traps, cell)
            else "P"
            if contains(self.power_ups, cell)
            else "."
            for cell in range(self.size * self.size)
        ]
        return "/".join("".join(letters[row * self.size :][: self.size]) for row in range(self.size))


@dataclass(frozen=True, slots=True)
class Position:
    maze: Maze
    """With the power-ups that are still there."""
    cells: tuple[Cell, Cell]
    """Where runner a and runner b are."""
    totals: tuple[int, int]
    """What they have paid so far."""
    plies_left: int

    START: ClassVar[str] = (
        ".....#T../####.#.#./.....T.#T/.#.##..#P/.#.....#P/.#PP##.#./.#......./.#T#.####/...#..... a1 i9 0 0 48 a"
    )
    """A position as people write it: the example of the rules."""

    def __post_init__(self) -> None:
        _check(self)

    @classmethod
    def start(cls, seed: int, size: int = SIZE) -> "Position":
        maze = Maze.of_seed(seed, size)
        return cls(maze, (0, maze.last), (0, 0), deadline_of(size))

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read `rows a b total total plies side`, for example Position.START."""
        return _parse(text)

    def __str__(self) -> str:
        size = self.maze.size
        a, b = (name_of(cell, size) for cell in self.cells)
        return f"{self.maze.rows()} {a} {b} {self.totals[0]} {self.totals[1]} {self.plies_left} {self.side.letter}"

    @property
    def deadline(self) -> int:
        return deadline_of(self.maze.size)

    @property
    def plies(self) -> int:
        """How many have been played."""
        return self.deadline - self.plies_left

    @property
    def side(self) -> Side:
        """Who is to move."""
        return Side(self.plies % 2)

    def home(self, side: Side) -> Cell:
        return self.maze.last if side is Side.A else 0

    def at_home(self, side: Side) -> bool:
        return self.cells[side] == self.home(side)

    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        arrived = [self.at_home(side) for side in Side]
        if not all(arrived) and self.plies_left:
            return None
        a, b = (total + (0 if there else LATE_COST) for total, there in zip(self.totals, arrived, strict=True))
        winner = None if a == b else Side.A if a < b else Side.B
        return Outcome(winner, Reason.HOME if all(arrived) else Reason.DEADLINE, (a, b))

    def moves(self) -> list[Move]:
        """The legal moves in order of action; none in a finished game."""
        if self.outcome is not None:
            return []
        found = [
            move for move in (self.bound(Move(direction)) for direction in range(PASS + 1)) if self._fault(move) is None
        ]
        return sorted(found, key=lambda move: move.action)

    def bound(self, move: Move) -> Move:
        """The move with its runner and cells, as this position's side plays it."""
        cell = self.cells[self.side]
        target = None if move.is_pass else _neighbour(cell, move.direction, self.maze.size)
        return Move(move.direction, self.side, (cell,) if target is None else (cell, target))

    def cost(self, move: Move) -> int:
        """What a legal move costs its runner."""
        return self.play(move).totals[self.side] - self.totals[self.side]

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move."""
        move = self.bound(Move.parse(move) if isinstance(move, str) else move)
        if (outcome := self.outcome) is not None:
            raise IllegalMoveError(f"{move}: the game is over, {outcome}")
        if fault := self._fault(move):
            raise IllegalMoveError(f"{move}: {fault}")
        if move.is_pass:
            return replace(self, plies_left=self.plies_left - 1)
        side, target = self.side, move.squares[1]
        state = state_of(self)
        cost = int(
            kernels.step_cost(move.direction)
            + kernels.entry_cost(state, target, self.cells[side.other], self.maze.size)
        )
        cells, totals = list(self.cells), list(self.totals)
        cells[side] = target
        totals[side] += cost
        left = set_of([cell for cell in cells_of(self.maze.power_ups, self.maze.size) if cell != target])
        maze = replace(self.maze, power_ups=left) if left != self.maze.power_ups else self.maze
        return Position(maze, (cells[0], cells[1]), (totals[0], totals[1]), self.plies_left - 1)

    def image(self, symmetry: int) -> "Position":
        """This position, reflected in the diagonal from top left to bottom right by symmetry 1."""
        images = kernels.transpose_states(state_of(self)[None], np.array([symmetry]), self.maze.size)
        return position_of(images[0], self.maze.size)

    def _fault(self, move: Move) -> str | None:
        """Why a bound move of a game that goes on is not legal."""
        home = self.at_home(self.side)
        if move.is_pass:
            return None if home else f"runner {self.side} is not at home, and only there one passes"
        if home:
            return f"runner {self.side} is at home and passes, with -"
        if len(move.squares) < 2:
            return f"there is nothing {move} of {name_of(move.squares[0], self.maze.size)}"
        if not contains(self.maze.open, move.squares[1]):
            return f"{name_of(move.squares[1], self.maze.size)} is a wall"
        return None


def state_of(position: Position) -> npt.NDArray[np.int64]:
    maze = position.maze
    sets = (*maze.open, *maze.traps, *maze.power_ups)
    return np.array([*sets, *position.cells, *position.totals, position.plies_left, 1], dtype=np.int64)


def position_of(state: npt.NDArray[np.int64], size: int) -> Position:
    numbers = [int(number) for number in state]
    maze = Maze((numbers[0], numbers[1]), (numbers[2], numbers[3]), (numbers[4], numbers[5]), size)
    return Position(maze, (numbers[6], numbers[7]), (numbers[8], numbers[9]), numbers[10])


def _neighbour(cell: Cell, direction: int, size: int) -> Cell | None:
    row, column = cell // size + int(ROW_STEPS[direction]), cell % size + int(COLUMN_STEPS[direction])
    return row * size + column if 0 <= row < size and 0 <= column < size else None


def _parse(text: str) -> Position:
    fields = require_text(text, "a position").strip(" ").split(" ")
    if len(fields) != 7:
        raise NotationError(
            f"position {shown(text)}: expected the rows, the cells of a and b, their totals, the plies left and the "
            f"side to move, one space apart, but found {len(fields)} field{'s' if len(fields) != 1 else ''}"
        )
    rows = fields[0].split("/")
    size = len(rows)
    if size % 2 == 0 or not 5 <= size <= LARGEST:
        raise NotationError(f"maze {shown(fields[0])}: expected {SIZE} rows, found {size}")
    found: dict[str, list[Cell]] = {".": [], "T": [], "P": [], "#": []}
    for number, row in enumerate(rows):
        if len(row) != size:
            raise NotationError(f"row {number + 1} {shown(row)}: expected {size} cells, found {len(row)}")
        for column, letter in enumerate(row):
            if letter not in found:
                raise NotationError(
                    f"row {number + 1} {shown(row)}: {shown(letter)} on {name_of(number * size + column, size)} is "
                    "none of # (wall), . (open), T (trap) and P (power-up)"
                )
            found[letter].append(number * size + column)
    cells = []
    for runner, name in zip("ab", fields[1:3], strict=True):
        cell = cell_of(name, size)
        if cell is None:
            raise NotationError(f"runner {runner} on {shown(name)}: no cell is called that")
        cells.append(cell)
    numbers = []
    for what, number_text in zip(("total of a", "total of b", "plies left"), fields[3:6], strict=True):
        if not number_text.removeprefix("-").isdecimal() or not number_text.isascii() or len(number_text) > 6:
            raise NotationError(f"{what} {shown(number_text)}: expected a whole number")
        numbers.append(int(number_text))
    if fields[6] not in ("a", "b"):
        raise NotationError(f"side to move {shown(fields[6])}: expected a or b")
    walls = set_of(found["."] + found["T"] + found["P"])
    maze = Maze(walls, set_of(found["T"]), set_of(found["P"]), size)
    position = Position(maze, (cells[0], cells[1]), (numbers[0], numbers[1]), numbers[2])
    if fields[6] != position.side.letter:
        raise PositionError(
            f"with {numbers[2]} plies left {position.side} is to move, not {fields[6]}: a moves first, then in turn"
        )
    if str(position) != " ".join(fields):
        raise NotationError(f"position {shown(text)}: numbers are written without leading zeros")
    return position


def _check(position: Position) -> None:
    check_maze(position.maze)
    if not 0 <= position.plies_left <= position.deadline:
        raise PositionError(f"{position.plies_left} plies left: a game has {position.deadline}")
    for side in Side:
        _check_runner(position, side)


@functools.lru_cache(maxsize=256)
def check_maze(maze: Maze) -> None:
    """Refuse what is no maze; a game asks about the same one again and again."""
    size, last = maze.size, maze.last
    for cell in range(size * size):
        if contains(maze.open, cell) != contains(maze.open, last - cell):
            here, there = name_of(cell, size), name_of(last - cell, size)
            raise PositionError(f"{here} and {there} differ: walls are the same after a half turn")
    for corner in (0, last):
        if not contains(maze.open, corner):
            raise PositionError(f"{name_of(corner, size)} is a wall: both corners are open")
    for what, items, most in (("traps", maze.traps, TRAPS), ("power-ups", maze.power_ups, POWER_UPS)):
        places = cells_of(items, size)
        for cell in places:
            if not contains(maze.open, cell) or cell in (0, last):
                where = "in a wall" if not contains(maze.open, cell) else "on a corner"
                raise PositionError(f"one of the {what} lies {where}: {name_of(cell, size)}")
        if len(places) > most:
            raise PositionError(f"{len(places)} {what}: there are {most} at the most")
    if steps_from(maze.open, last, size)[0] >= kernels.FAR:
        raise PositionError(f"no way leads from {name_of(0, size)} to {name_of(last, size)}")


@functools.lru_cache(maxsize=256)
def steps_from(cells: Cells, goal: Cell, size: int) -> npt.NDArray[np.int64]:
    """[cells] the steps from a goal over open cells."""
    return kernels.steps_from(np.array([*cells, 0, 0], dtype=np.int64), goal, size)


def _check_runner(position: Position, side: Side) -> None:
    maze, cell, total = position.maze, position.cells[side], position.totals[side]
    size = maze.size
    if not 0 <= cell <= maze.last or not contains(maze.open, cell):
        raise PositionError(f"runner {side} stands in a wall: {name_of(cell, size)}")
    begin = position.home(side.other)
    moves = (position.plies + 1 - int(side)) // 2
    after = f"after {count_of(moves, 'move')}"
    least = int(steps_from(maze.open, begin, size)[cell])
    if least > moves:
        what = "no way leads there" if least >= kernels.FAR else f"{count_of(least, 'step')} from its corner, {after}"
        raise PositionError(f"runner {side} cannot be on {name_of(cell, size)}: {what}")
    if not position.at_home(side):
        least = moves
    taken = POWER_UPS - len(cells_of(maze.power_ups, size))
    lowest, highest = STEP_COST * least - POWER_UP_GAIN * taken, MOST_A_STEP * moves
    if not lowest <= total <= highest or total % 2:
        odd = "totals are even" if total % 2 else f"{after} it lies between {lowest} and {highest}"
        raise PositionError(f"runner {side} cannot have paid {total}: {odd}")
