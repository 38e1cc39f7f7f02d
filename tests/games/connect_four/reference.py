"""The rules written plainly from their description, to check the compiled ones against."""

import functools
from typing import NamedTuple

COLUMNS, ROWS = 7, 6


class State(NamedTuple):
    columns: tuple[str, ...]
    """The discs of each column from below."""
    side: str


def start() -> State:
    return State(("",) * COLUMNS, "x")


def moves(state: State) -> list[str]:
    if outcome(state) is not None:
        return []
    return [str(number + 1) for number, column in enumerate(state.columns) if len(column) < ROWS]


def play(state: State, move: str) -> State:
    columns = list(state.columns)
    columns[int(move) - 1] += state.side
    return State(tuple(columns), "o" if state.side == "x" else "x")


def outcome(state: State) -> str | None:
    """x, o, draw, or None while the game goes on."""
    for side in "xo":
        if any(all(at(state, *cell) == side for cell in line) for line in lines()):
            return side
    return "draw" if all(len(column) == ROWS for column in state.columns) else None


def text(state: State) -> str:
    rows = ["".join(at(state, column, row) for column in range(COLUMNS)) for row in range(ROWS - 1, -1, -1)]
    return f"{'/'.join(rows)} {state.side}"


def at(state: State, column: int, row: int) -> str:
    discs = state.columns[column]
    return discs[row] if row < len(discs) else "."


@functools.cache
def lines() -> list[list[tuple[int, int]]]:
    """Every window of four cells in a row, a column or on a diagonal, as (column, row)."""
    found = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= c < COLUMNS and 0 <= r < ROWS for c, r in line):
                    found.append(line)
    return found


def window_score(state: State, side: str) -> int:
    """The document's: four own +100, three and an empty cell +5, two and two +2, three of the opponent's and one -4."""
    total = 0
    for line in lines():
        cells = [at(state, *cell) for cell in line]
        own, empty = cells.count(side), cells.count(".")
        opp = 4 - own - empty
        if own == 4:
            total += 100
        elif (own, empty) == (3, 1):
            total += 5
        elif (own, empty) == (2, 2):
            total += 2
        elif (opp, empty) == (3, 1):
            total -= 4
    return total


WON = 1_000_000


def alpha_beta(state: State, depth: int, ply: int = 0, alpha: int = -2 * WON, beta: int = 2 * WON) -> int:
    """The score for the side to move, by the document's minimax."""
    result = outcome(state)
    if result is not None:
        return 0 if result == "draw" else (WON - ply if result == state.side else ply - WON)
    if depth == 0:
        return window_score(state, state.side)
    best = -2 * WON
    for move in moves(state):
        best = max(best, -alpha_beta(play(state, move), depth - 1, ply + 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
