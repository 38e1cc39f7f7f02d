"""PUCT once more, with objects and recursion, sharing nothing with the search but the formula."""

import math
from dataclasses import dataclass, field

from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.search import SearchSettings
from tests.search.evaluators import GAME


@dataclass
class Node:
    position: Position
    visits: int = 0
    total: float = 0.0
    priors: dict[Move, float] = field(default_factory=dict)
    children: dict[Move, "Node"] = field(default_factory=dict)


class PlainPuct:
    def __init__(self, evaluator, settings: SearchSettings) -> None:  # type: ignore[no-untyped-def]
        self.evaluator = evaluator
        self.settings = settings

    def search(self, position: Position, simulations: int) -> Node:
        root = Node(position)
        for _ in range(simulations + 1):
            self.simulate(root, [])
        return root

    def simulate(self, node: Node, path: list[Position]) -> float:
        """Returns the value for the side to move at the node."""
        value = self.value_of(node, path)
        node.visits += 1
        node.total += value
        return value

    def value_of(self, node: Node, path: list[Position]) -> float:
        outcome = node.position.outcome
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1.0 if outcome.winner is node.position.side else -1.0
        if any(earlier.key == node.position.key for earlier in path):
            return 0.0  # the first occurrence is in the tree
        if not node.priors:
            policy, wdl = self.evaluator(GAME.state_of(node.position)[None])
            node.priors = {move: float(policy[0, move.action]) for move in node.position.moves()}
            return float(wdl[0, 0] - wdl[0, 2])
        move = self.choose(node, is_root=not path)
        child = node.children.setdefault(move, Node(node.position.play(move)))
        return -self.simulate(child, [*path, node.position])

    def choose(self, node: Node, *, is_root: bool) -> Move:
        settings = self.settings
        explored = sum(prior for move, prior in node.priors.items() if move in node.children)
        reduction = settings.root_fpu_reduction if is_root else settings.fpu_reduction
        unvisited = node.total / node.visits - reduction * math.sqrt(explored)
        c = settings.c_puct + math.log((node.visits + settings.c_base + 1) / settings.c_base)

        def score(move: Move) -> float:
            child = node.children.get(move)
            q = -child.total / child.visits if child else unvisited
            return q + c * node.priors[move] * math.sqrt(node.visits) / (1 + (child.visits if child else 0))

        return max(node.priors, key=score)
