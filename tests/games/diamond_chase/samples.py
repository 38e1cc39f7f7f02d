"""Random positions for tests, and the way between masks and the reference's boards."""

import itertools

import numpy as np

from alphadiamond.games.diamond_chase import GameRecord, Position, Side, kernels
from alphadiamond.games.diamond_chase.board import NODE_NAMES, NODES
from tests.games.diamond_chase import reference


def board_of(green: int, red: int) -> reference.Board:
    owners = {}
    for node, name in enumerate(NODE_NAMES):
        if green >> node & 1:
            owners[name] = "g"
        elif red >> node & 1:
            owners[name] = "r"
    return owners


def mask_of(board: reference.Board, owner: str) -> int:
    return sum(1 << node for node, name in enumerate(NODE_NAMES) if board.get(name) == owner)


def random_masks(rng: np.random.Generator, own_beads: int, opp_beads: int) -> tuple[int, int]:
    """A placement without trapped beads, each with the same chance."""
    while True:
        nodes = rng.permutation(NODES)
        own = sum(1 << int(node) for node in nodes[:own_beads])
        opp = sum(1 << int(node) for node in nodes[own_beads : own_beads + opp_beads])
        if not kernels.trapped(own, opp) and not kernels.trapped(opp, own):
            return own, opp


def random_position(rng: np.random.Generator) -> Position:
    own, opp = random_masks(rng, *(int(count) for count in rng.integers(4, 7, size=2)))
    return Position(own, opp, Side(int(rng.integers(2))))


def random_game(rng: np.random.Generator, start: Position | None = None) -> list[Position]:
    """The positions of a game of random moves, to its end."""
    positions = [start or Position.start()]
    while moves := positions[-1].moves():
        positions.append(positions[-1].play(moves[rng.integers(len(moves))]))
    return positions


def record_of(
    positions: list[Position], *, green: str = "a", red: str = "b", tags: dict[str, str] | None = None
) -> GameRecord:
    """The record of a game given by its positions."""
    moves = [
        next(move for move in before.moves() if before.play(move) == after)
        for before, after in itertools.pairwise(positions)
    ]
    return GameRecord.of(positions[0], moves, green=green, red=red, tags=tags)
