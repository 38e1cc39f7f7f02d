"""A position with the history that the draw rules need: a small immutable object over the kernels."""

import enum
import re
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from alphadiamond.base.game import Ended, Line, line_after
from alphadiamond.base.notation import IllegalMoveError, NotationError, PositionError, require_text, shown
from alphadiamond.base.results import DRAW, ONGOING, WIN
from alphadiamond.games.diamond_chase import kernels
from alphadiamond.games.diamond_chase.board import (
    ACTIONS,
    NODE_NAMES,
    NODES,
    RANKS,
    START_GREEN,
    START_RED,
    Mask,
    Node,
    nodes_of,
)
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.notation import names_of


class Side(enum.IntEnum):
    GREEN = 0
    RED = 1

    @property
    def other(self) -> "Side":
        return Side(1 - self)

    @property
    def letter(self) -> str:
        return "gr"[self]

    def __str__(self) -> str:
        return self.name.lower()


class Reason(enum.StrEnum):
    """How a game ends by the rules."""

    BEADS = "beads"
    REPETITION = "repetition"
    NO_CAPTURE = "no capture"


@dataclass(frozen=True, slots=True)
class Position:
    """Beads, the side to move, and the plies since the last capture.

    Two positions are equal when their texts are: the history counts for the draw rules, not for equality. Any move
    that removes a bead, the mover's own included, is a capture for the no-capture rule, since no earlier position can
    come back after it.
    """

    own: Mask
    """The beads of the side to move."""
    opp: Mask
    """The beads of the opponent."""
    side: Side
    """Who is to move."""
    quiet: int = 0
    """Plies since the last capture."""
    history: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The keys of the positions since the last capture, as far as they are known, this one last."""
    line: Line | None = field(default=None, compare=False, repr=False)
    """Where the game began and what was played since; None where it began here."""

    START: ClassVar[str] = "r/rr/r/r.r/......./g.g/g/gg/g g 0"

    def __post_init__(self) -> None:
        if not self.history:
            object.__setattr__(self, "history", (self.key,))
        self._check()

    @classmethod
    def start(cls) -> "Position":
        return cls(START_GREEN, START_RED, Side.GREEN)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read `board side [plies since the last capture]`, for example Position.START."""
        fields = require_text(text, "a position").strip(" ").split(" ")
        if not 2 <= len(fields) <= 3:
            raise NotationError(
                f"position {shown(text)}: expected the board, the side to move and the plies since the last capture, "
                f"one space apart, but found {len(fields)} field{'s' if len(fields) != 1 else ''}"
            )
        beads = {"g": 0, "r": 0, ".": 0}
        ranks = fields[0].split("/")
        if len(ranks) != len(RANKS):
            raise NotationError(f"board {shown(fields[0])}: expected {len(RANKS)} ranks, found {len(ranks)}")
        node = 0
        for number, (rank, length) in enumerate(zip(ranks, RANKS, strict=True), start=1):
            if len(rank) != length:
                raise NotationError(f"rank {number} {shown(rank)}: expected {length} nodes, found {len(rank)}")
            for letter in rank:
                if letter not in beads:
                    raise NotationError(
                        f"rank {number} {shown(rank)}: {shown(letter)} at node {NODE_NAMES[node]} is none of r, g and ."
                    )
                beads[letter] |= 1 << node
                node += 1
        if fields[1] not in ("g", "r"):
            raise NotationError(f"side to move {shown(fields[1])}: expected g or r")
        quiet = 0
        if len(fields) == 3:
            if not re.fullmatch("0|[1-9][0-9]{0,2}", fields[2], re.ASCII):
                raise NotationError(f"plies since the last capture {shown(fields[2])}: expected a whole number")
            quiet = int(fields[2])
        side = Side.GREEN if fields[1] == "g" else Side.RED
        own, opp = (beads["g"], beads["r"]) if side is Side.GREEN else (beads["r"], beads["g"])
        return cls(own, opp, side, quiet)

    def __str__(self) -> str:
        green, red = self.green, self.red
        letters = "".join(["g" if green >> node & 1 else "r" if red >> node & 1 else "." for node in range(NODES)])
        ranks, start = [], 0
        for length in RANKS:
            ranks.append(letters[start : start + length])
            start += length
        return f"{'/'.join(ranks)} {self.side.letter} {self.quiet}"

    @property
    def green(self) -> Mask:
        return self.own if self.side is Side.GREEN else self.opp

    @property
    def red(self) -> Mask:
        return self.opp if self.side is Side.GREEN else self.own

    @property
    def key(self) -> int:
        """What repetition compares: the beads and the side to move."""
        return int(kernels.position_key(self.own, self.opp, int(self.side)))

    @property
    def occurrences(self) -> int:
        """How often this position has occurred, this time included."""
        return self.history.count(self.history[-1])

    def beads(self, side: Side) -> list[Node]:
        return nodes_of(self.own if side is self.side else self.opp)

    def at(self, node: Node) -> Side | None:
        """Whose bead stands on a node."""
        if self.own >> node & 1:
            return self.side
        return self.side.other if self.opp >> node & 1 else None

    @property
    def outcome(self) -> Ended | None:
        """None while the game goes on."""
        occurrences = self.occurrences
        value = kernels.status(self.own, self.opp, self.quiet, occurrences)
        if value == ONGOING:
            return None
        if value == DRAW:
            repeated = occurrences >= kernels.REPETITION_LIMIT
            return Ended(None, Reason.REPETITION if repeated else Reason.NO_CAPTURE)
        return Ended(self.side if value == WIN else self.side.other, Reason.BEADS)

    def moves(self) -> list[Move]:
        """The legal moves in order of action; none in a finished game."""
        if self.outcome is not None:
            return []
        actions = np.empty(ACTIONS, dtype=np.int64)
        count = kernels.list_moves(self.own, self.opp, actions)
        return [Move.of_action(action) for action in actions[:count]]

    def play(self, move: Move | str) -> "Position":
        """The position after a legal move."""
        if isinstance(move, str):
            move = Move.parse(move)
        self._require_legal(move)
        own, opp, captured, lost = kernels.apply(self.own, self.opp, move.source, move.target)
        side = self.side.other
        key = int(kernels.position_key(opp, own, int(side)))
        line = line_after(self, move)
        if captured | lost:
            return Position(opp, own, side, 0, (key,), line)
        return Position(opp, own, side, self.quiet + 1, (*self.history, key), line)

    def removed_by(self, move: Move) -> list[Node]:
        """The beads, of either side, that come off when a legal move is played."""
        self._require_legal(move)
        _, _, captured, lost = kernels.apply(self.own, self.opp, move.source, move.target)
        return nodes_of(captured | lost)

    def image(self, symmetry: int) -> "Position":
        """This position, its history with it, turned or mirrored by one of the 8 symmetries."""

        def key_image(key: int) -> int:
            own, opp = (int(kernels.image_of(key >> shift & (1 << NODES) - 1, symmetry)) for shift in (0, NODES))
            return own | opp << NODES | key >> 2 * NODES << 2 * NODES

        own, opp = (int(kernels.image_of(mask, symmetry)) for mask in (self.own, self.opp))
        return Position(own, opp, self.side, self.quiet, tuple(key_image(key) for key in self.history))

    def _check(self) -> None:
        if self.own & self.opp:
            raise PositionError(f"two beads on {names_of(nodes_of(self.own & self.opp))}")
        if (self.own | self.opp) >> NODES or self.own < 0 or self.opp < 0:
            raise PositionError(f"a mask has bits beyond the {NODES} nodes")
        for side, mask in ((Side.GREEN, self.green), (Side.RED, self.red)):
            if mask.bit_count() > kernels.MAX_BEADS:
                raise PositionError(
                    f"{side} has {mask.bit_count()} beads, and a player has at most {kernels.MAX_BEADS}"
                )
        if not 0 <= self.quiet <= kernels.QUIET_LIMIT:
            raise PositionError(
                f"{self.quiet} plies since the last capture, and the game ends at {kernels.QUIET_LIMIT}"
            )
        standing = kernels.trapped(self.own, self.opp) | kernels.trapped(self.opp, self.own)
        if standing:
            raise PositionError(f"trapped beads cannot stand: {names_of(nodes_of(standing))}")

    def _require_legal(self, move: Move) -> None:
        outcome = self.outcome
        if outcome is not None:
            raise IllegalMoveError(f"{move}: the game is over, {outcome}")
        source, target = NODE_NAMES[move.source], NODE_NAMES[move.target]
        if self.at(move.source) is not self.side:
            whose = "empty" if self.at(move.source) is None else f"a {self.side.other} bead"
            raise IllegalMoveError(f"{move}: it is {self.side}'s move, and {source} is {whose}")
        if self.at(move.target) is not None:
            raise IllegalMoveError(f"{move}: {target} is not empty")


def perft(position: Position, depth: int) -> int:
    """How many move sequences of this length there are, none beyond a finished game; the draw rules are ignored."""
    if depth < 0:
        raise ValueError(f"depth {depth}: expected 0 or more")
    return int(kernels.count_sequences(position.own, position.opp, depth))
