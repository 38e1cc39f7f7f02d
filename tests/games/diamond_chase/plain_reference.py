"""The plain rules as states with all that the draw rules need, for the contract that every game keeps to."""

from typing import NamedTuple

from tests.games.diamond_chase import reference
from tests.games.diamond_chase.reference import Board

RANKS = (
    ("n",),
    ("nw", "ne"),
    ("ni",),
    ("wn", "cn", "en"),
    ("w", "wi", "cw", "c", "ce", "ei", "e"),
    ("ws", "cs", "es"),
    ("si",),
    ("sw", "se"),
    ("s",),
)


class State(NamedTuple):
    board: Board
    side: str
    quiet: int
    seen: tuple[tuple[frozenset[tuple[str, str]], str], ...]
    """The boards since the last capture with the side to move, this one last."""


def _standing(board: Board, side: str) -> tuple[frozenset[tuple[str, str]], str]:
    return frozenset(board.items()), side


def start() -> State:
    board = reference.start()
    return State(board, "g", 0, (_standing(board, "g"),))


def moves(state: State) -> list[str]:
    if outcome(state) is not None:
        return []
    return [f"{source}-{target}" for source, target in reference.moves(state.board, state.side)]


def play(state: State, move: str) -> State:
    source, target = move.split("-")
    board, captured, lost = reference.play(state.board, state.side, (source, target))
    side = reference.other(state.side)
    if captured or lost:
        return State(board, side, 0, (_standing(board, side),))
    return State(board, side, state.quiet + 1, (*state.seen, _standing(board, side)))


def outcome(state: State) -> str | None:
    if winner := reference.winner(state.board, state.side):
        return winner
    return "draw" if state.quiet >= 100 or state.seen.count(state.seen[-1]) >= 3 else None


def text(state: State) -> str:
    rows = ("".join(state.board.get(node, ".") for node in rank) for rank in RANKS)
    return f"{'/'.join(rows)} {state.side} {state.quiet}"
