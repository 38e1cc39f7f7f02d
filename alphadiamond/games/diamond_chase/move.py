"""A move: one bead from a node to an adjacent one."""

from dataclasses import dataclass

from alphadiamond.base.notation import NotationError, require_text, shown
from alphadiamond.games.diamond_chase.board import (
    ACTION_IDS,
    ACTION_NODES,
    ACTION_SYMMETRIES,
    NODE_IDS,
    NODE_NAMES,
    NODES,
    Action,
    Node,
)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """From `source` to `target`, two nodes joined by an edge; written `si-cs`."""

    source: Node
    target: Node

    def __post_init__(self) -> None:
        for node in (self.source, self.target):
            if not 0 <= node < NODES:
                raise NotationError(f"no node {node}: nodes are 0 to {NODES - 1}")
        if ACTION_IDS[self.source, self.target] < 0:
            raise NotationError(f"no edge joins {NODE_NAMES[self.source]} and {NODE_NAMES[self.target]}")

    @classmethod
    def parse(cls, text: str) -> "Move":
        parts = require_text(text, "a move").split("-")
        if len(parts) != 2:
            raise NotationError(f"move {shown(text)}: a move is two nodes joined by one dash, such as si-cs")
        for name in parts:
            if name not in NODE_IDS:
                raise NotationError(f"move {shown(text)}: no node is called {shown(name)}")
        try:
            return cls(NODE_IDS[parts[0]], NODE_IDS[parts[1]])
        except NotationError as error:
            raise NotationError(f"move {shown(text)}: {error}") from None

    @classmethod
    def of_action(cls, action: Action) -> "Move":
        return _MOVES[action]

    @property
    def action(self) -> Action:
        """The number of this move among the 72 directed edges."""
        return int(ACTION_IDS[self.source, self.target])

    @property
    def squares(self) -> tuple[Node, Node]:
        """What a person clicks: the bead, and where it goes."""
        return self.source, self.target

    def image(self, symmetry: int) -> "Move":
        """This move turned or mirrored by one of the 8 symmetries."""
        return Move.of_action(ACTION_SYMMETRIES[symmetry, self.action])

    def __str__(self) -> str:
        return _TEXTS[self.source][self.target]


_TEXTS = [[f"{source}-{target}" for target in NODE_NAMES] for source in NODE_NAMES]
_MOVES = [Move(source, target) for source, target in ACTION_NODES]
