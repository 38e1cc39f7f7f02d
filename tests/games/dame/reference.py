"""The rules once more, as plainly as they can be said: a dictionary of square names, no bits, no compilation.

Written from the rules alone and sharing nothing with the package, it is what the kernels are compared with.
"""

import itertools
from typing import NamedTuple

FILES = "abcdef"
RANKS = "123456"


class State(NamedTuple):
    men: dict[str, str]
    """Square: "w" or "b"; empty squares are absent."""
    side: str


def start() -> State:
    men = dict.fromkeys(("a1", "c1", "e1", "b2", "d2", "f2"), "w")
    return State(men | dict.fromkeys(("a5", "c5", "e5", "b6", "d6", "f6"), "b"), "w")


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def neighbour(square: str, side: str, across: int, distance: int) -> str | None:
    """The square so far forward, to the left (-1) or right (1) by the same; None off the board."""
    file = FILES.index(square[0]) + across * distance
    rank = RANKS.index(square[1]) + (distance if side == "w" else -distance)
    return FILES[file] + RANKS[rank] if 0 <= file < 6 and 0 <= rank < 6 else None


def steps(state: State, square: str) -> list[str]:
    found = (neighbour(square, state.side, across, 1) for across in (-1, 1))
    return [f"{square}-{to}" for to in found if to is not None and to not in state.men]


def chains(state: State, square: str) -> list[list[str]]:
    """Every way in which a man can capture until it cannot, as lists of squares; the man's own alone if it cannot."""
    found = []
    for across in (-1, 1):
        over, to = (neighbour(square, state.side, across, distance) for distance in (1, 2))
        if over is not None and to is not None and state.men.get(over) == other(state.side) and to not in state.men:
            men = {name: side for name, side in state.men.items() if name not in (square, over)}
            after = State(men | {to: state.side}, state.side)
            found += [[square, *rest] for rest in chains(after, to)]
    return found or [[square]]


def moves(state: State) -> list[str]:
    if outcome_on_board(state) is not None:
        return []
    own = [square for square, side in state.men.items() if side == state.side]
    captures = ["x".join(chain) for square in own for chain in chains(state, square) if len(chain) > 1]
    return sorted(captures or [step for square in own for step in steps(state, square)])


def play(state: State, move: str) -> State:
    squares = move.replace("x", "-").split("-")
    men = dict(state.men)
    for a, b in itertools.pairwise(squares):
        men[b] = men.pop(a)
        if "x" in move:
            file = (FILES.index(a[0]) + FILES.index(b[0])) // 2
            rank = (RANKS.index(a[1]) + RANKS.index(b[1])) // 2
            del men[FILES[file] + RANKS[rank]]
    return State(men, other(state.side))


def outcome_on_board(state: State) -> tuple[str, str] | None:
    for side, far in (("w", "6"), ("b", "1")):
        if any(square[1] == far and owner == side for square, owner in state.men.items()):
            return side, "far rank"
    for side in (state.side, other(state.side)):
        if side not in state.men.values():
            return other(side), "no men"
    return None


def outcome(state: State) -> tuple[str, str] | None:
    """(the winner, why), or None while the game goes on."""
    found = outcome_on_board(state)
    if found is None and not moves(state):
        return other(state.side), "no move"
    return found


def text(state: State) -> str:
    lines = ("".join(state.men.get(file + rank, ".") for file in FILES) for rank in reversed(RANKS))
    return f"{'/'.join(lines)} {state.side}"


def parse(line: str) -> State:
    """A position that is known to be one."""
    board, side = line.split(" ")
    men = {
        file + rank: letter
        for rank, row in zip(reversed(RANKS), board.split("/"), strict=True)
        for file, letter in zip(FILES, row, strict=True)
        if letter != "."
    }
    return State(men, side)


def perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(play(state, move), depth - 1) for move in moves(state))
