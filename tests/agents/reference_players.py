"""Minimax and MCTS once more in straightforward Python over the reference rules: to measure speed beside, and to test.

The same algorithms with the same parameters: alpha-beta on the same evaluation, and UCT with the same rollouts.
"""

import math
import random
from dataclasses import dataclass, field

from alphadiamond.games.diamond_chase import Position
from tests.games.diamond_chase import reference
from tests.games.diamond_chase.samples import board_of

WON = 1_000_000


@dataclass
class State:
    """A game in progress: the board, who moves, plies since a capture, and the positions since then."""

    board: reference.Board
    side: str
    quiet: int
    seen: list[tuple[frozenset[tuple[str, str]], str]] = field(default_factory=list)

    @classmethod
    def of(cls, position: Position) -> "State":
        """From a position without the game before it."""
        state = cls(board_of(position.green, position.red), position.side.letter, position.quiet)
        state.seen = [state.key()]
        return state

    def key(self) -> tuple[frozenset[tuple[str, str]], str]:
        return frozenset(self.board.items()), self.side

    def play(self, move: tuple[str, str]) -> "State":
        board, captured, lost = reference.play(self.board, self.side, move)
        removed = bool(captured or lost)
        after = State(board, reference.other(self.side), 0 if removed else self.quiet + 1)
        after.seen = [*([] if removed else self.seen), after.key()]
        return after

    def moves(self) -> list[tuple[str, str]]:
        return [] if self.drawn() else reference.moves(self.board, self.side)

    def drawn(self) -> bool:
        return self.quiet >= 100 or self.seen.count(self.seen[-1]) >= 3

    def result(self) -> float | None:
        """1, 0.5 or 0 for the side to move, None while the game goes on."""
        winner = reference.winner(self.board, self.side)
        if winner:
            return float(winner == self.side)
        return 0.5 if self.drawn() else None


def mobility(board: reference.Board, side: str) -> int:
    return sum(
        neighbour not in board
        for node, owner in board.items()
        if owner == side
        for neighbour in reference.NEIGHBOURS[node]
    )


def alpha_beta(state: State, depth: int, ply: int = 0, alpha: int = -2 * WON, beta: int = 2 * WON) -> int:
    """The score for the side to move."""
    result = state.result()
    if result is not None:
        return 0 if result == 0.5 else (WON - ply if result else ply - WON)
    own, opp = state.side, reference.other(state.side)
    if depth == 0:
        beads = reference.count(state.board, own) - reference.count(state.board, opp)
        return mobility(state.board, own) - mobility(state.board, opp) + beads
    best = -2 * WON
    for move in state.moves():
        best = max(best, -alpha_beta(state.play(move), depth - 1, ply + 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def heuristic_value(board: reference.Board, own: str) -> float:
    opp = reference.other(own)
    mine, theirs = mobility(board, own), mobility(board, opp)
    beads = reference.count(board, own) - reference.count(board, opp)
    return 0.5 + 0.35 * beads / 6 + 0.15 * (mine - theirs) / ((mine + theirs) or 1)


class Node:
    def __init__(self, state: State, move: tuple[str, str] | None, rng: random.Random) -> None:
        self.state = state
        self.move = move
        self.children: list[Node] = []
        self.untried = state.moves()
        rng.shuffle(self.untried)
        self.visits = 0
        self.total = 0.0  # for the player who moved into the node


def mcts(state: State, simulations: int, rng: random.Random, exploration: float = math.sqrt(2)) -> Node:
    """The root after so many simulations."""
    root = Node(state, None, rng)
    for _ in range(simulations):
        path = [root]
        while not path[-1].untried and path[-1].children:
            node = path[-1]
            log_visits = math.log(node.visits)
            path.append(
                max(
                    node.children,
                    key=lambda child: child.total / child.visits + exploration * math.sqrt(log_visits / child.visits),
                )
            )
        if path[-1].untried:
            move = path[-1].untried.pop()
            child = Node(path[-1].state.play(move), move, rng)
            path[-1].children.append(child)
            path.append(child)
        result = rollout(path[-1].state, rng)
        for node in reversed(path):
            result = 1 - result
            node.visits += 1
            node.total += result
    return root


def rollout(state: State, rng: random.Random) -> float:
    """The result for the side to move after at most 80 plies, 70 % random and 30 % the best at first sight."""
    first = state.side
    for _ in range(80):
        result = state.result()
        if result is not None:
            return result if state.side == first else 1 - result
        moves = state.moves()
        if rng.random() < 0.7:
            state = state.play(rng.choice(moves))
        else:
            mover = state.side
            state = max((state.play(move) for move in moves), key=lambda after: _promise(after, mover))
    result = state.result()
    if result is None:
        return heuristic_value(state.board, first)
    return result if state.side == first else 1 - result


def _promise(after: State, mover: str) -> float:
    winner = reference.winner(after.board, after.side)
    if winner:
        return 2.0 if winner == mover else -1.0
    return heuristic_value(after.board, mover)
