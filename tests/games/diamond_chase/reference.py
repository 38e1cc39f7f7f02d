"""The rules once more, as plainly as they can be said: sets of node names, no bits, no compilation, no shortcuts.

Written from the rules alone and sharing nothing with the package, it is what the kernels are compared with.
"""

import random

CORNERS = {"n": "we", "e": "ns", "s": "we", "w": "ns"}  # tip: the directions of its two sides
EDGES: set[frozenset[str]] = set()
for tip, (a, b) in CORNERS.items():
    for side in (tip + a, tip + b):
        EDGES |= {frozenset({tip, side}), frozenset({tip + "i", side})}
    EDGES |= {frozenset({tip, tip + "i"}), frozenset({tip + "i", "c" + tip}), frozenset({"c", "c" + tip})}
for a, b in ("ne", "es", "sw", "wn"):
    EDGES |= {frozenset({a + b, b + a}), frozenset({"c" + a, "c" + b})}
NODES = sorted({node for edge in EDGES for node in edge})
NEIGHBOURS = {node: {other for edge in EDGES if node in edge for other in edge if other != node} for node in NODES}

Board = dict[str, str]  # node: "g" or "r"; empty nodes are absent


def start() -> Board:
    red = dict.fromkeys(("n", "nw", "ne", "ni", "wn", "en"), "r")
    return red | dict.fromkeys(("s", "sw", "se", "si", "ws", "es"), "g")


def other(side: str) -> str:
    return "r" if side == "g" else "g"


def moves(board: Board, side: str) -> list[tuple[str, str]]:
    if finished(board):
        return []
    beads = [node for node in NODES if board.get(node) == side]
    return [(source, target) for source in beads for target in sorted(NEIGHBOURS[source]) if target not in board]


def trapped(board: Board, side: str) -> set[str]:
    found = set()
    for node, owner in board.items():
        around = [board.get(neighbour) for neighbour in NEIGHBOURS[node]]
        if owner == side and None not in around and other(side) in around:
            found.add(node)
    return found


def play(board: Board, side: str, move: tuple[str, str]) -> tuple[Board, set[str], set[str]]:
    """The board after a move, the opponent's beads that came off, and the mover's."""
    source, target = move
    board = dict(board)
    board[target] = board.pop(source)
    captured = trapped(board, other(side))
    for node in captured:
        del board[node]
    lost = trapped(board, side)
    for node in lost:
        del board[node]
    return board, captured, lost


def count(board: Board, side: str) -> int:
    return sum(owner == side for owner in board.values())


def finished(board: Board) -> bool:
    return count(board, "g") < 4 or count(board, "r") < 4


def winner(board: Board, to_move: str) -> str | None:
    """Who has won; where both have too few it is the player who has just moved, whose captures count first."""
    if count(board, to_move) < 4:
        return other(to_move)
    return to_move if count(board, other(to_move)) < 4 else None


def sequences(board: Board, side: str, length: int) -> int:
    if length == 0:
        return 1
    return sum(sequences(play(board, side, move)[0], other(side), length - 1) for move in moves(board, side))


def random_game(rng: random.Random, limit: int) -> int:
    """Play random moves from the start, with the draw rules; the number of plies played."""
    board, side, quiet, plies = start(), "g", 0, 0
    seen = [(board, side)]
    while plies < limit:
        options = moves(board, side)
        if not options or seen.count((board, side)) >= 3 or quiet >= 100:
            break
        board, captured, lost = play(board, side, rng.choice(options))
        side = other(side)
        plies += 1
        quiet = 0 if captured or lost else quiet + 1
        seen = [*([] if captured or lost else seen), (board, side)]
    return plies
