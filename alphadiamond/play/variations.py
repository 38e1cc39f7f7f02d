"""Moves as a tree: a line from a start, other lines beside it, and the link that holds them all.

Text and link are those of the page (`server/static/js/variations.js`): what one of them writes the other reads.
"""

import contextlib
import itertools
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from alphadiamond.base.drawing import Drawing, Ply
from alphadiamond.base.game import Game
from alphadiamond.base.notation import NotationError, shown
from alphadiamond.games import GAMES, all_games, load

_LONGEST_TEXT: Final = 6000
_MOST_LINES: Final = 40
LONGEST_LINE: Final = 300
_UNQUOTED: Final = "!'()*~"
"""What JavaScript's encodeURIComponent leaves as it is, beside letters, digits, `-`, `_` and `.`."""


@dataclass(eq=False)
class Node:
    """A position in the tree; the first child is how its line goes on."""

    ply: Ply | None = None
    """What led here; none: the start."""
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)

    def child(self, move: Any) -> "Node | None":
        return next((one for one in self.children if one.ply is not None and one.ply.move == move), None)

    @property
    def depth(self) -> int:
        return sum(1 for _ in self.back()) - 1

    def back(self) -> Iterator["Node"]:
        """This node and those before it, down to the start."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class Variations:
    def __init__(self, game: Game, start: Any) -> None:
        self.game, self.start = game, start
        self.drawing: Drawing = game.drawing_for(start)
        self.root = self.at = Node()

    @classmethod
    def of_moves(cls, game: Game, start: Any, moves: Iterable[Any]) -> "Variations":
        """One line, looked at from its start."""
        found = cls(game, start)
        for move in moves:
            found.play(move)
        found.at = found.root
        return found

    @classmethod
    def parse(cls, game: Game, start: Any, text: str) -> "Variations":
        """`a b (c d) e`: other lines stand in brackets after the move that they replace."""
        if len(text) > _LONGEST_TEXT or text.count("(") >= _MOST_LINES:
            raise NotationError(f"lines: at most {_LONGEST_TEXT} letters and {_MOST_LINES} lines")
        found = cls(game, start)
        open_at: list[Node] = []
        """For each open bracket the node that the line outside it has come to."""
        for token in text.replace("(", " ( ").replace(")", " ) ").split():
            if token == "(":
                if found.at.parent is None or (open_at and found.at is open_at[-1].parent):
                    raise NotationError("lines: a bracket stands after the move that it replaces")
                open_at.append(found.at)
                found.at = found.at.parent
            elif token == ")":
                if not open_at or found.at is open_at[-1].parent:
                    raise NotationError("lines: a bracket is closed that holds no line")
                found.at = open_at.pop()
            else:
                found.play(game.move_in(found.position, token))
        if open_at:
            raise NotationError("lines: a bracket is not closed")
        found.at = found.line(found.root)[-1]
        return found

    @property
    def position(self) -> Any:
        return self.position_at(self.at)

    def position_at(self, node: Node) -> Any:
        return self.start if node.ply is None else node.ply.after

    def path(self, node: Node | None = None) -> list[Node]:
        """The nodes from the start to one of them, both included."""
        return list((node or self.at).back())[::-1]

    def line(self, node: Node | None = None) -> list[Node]:
        """The line through a node to its end, from the start."""
        found = self.path(node)
        while found[-1].children:
            found.append(found[-1].children[0])
        return found

    def plies(self) -> list[Ply]:
        """Those of the line that is looked at."""
        return [node.ply for node in self.line() if node.ply is not None]

    def play(self, move: Any) -> Node:
        """Go on by a move: along a line that there is, or by a new one."""
        found = self.at.child(move)
        if found is None:
            depth = self.at.depth
            if depth >= LONGEST_LINE:
                raise NotationError(f"a line has at most {LONGEST_LINE} plies")
            found = Node(self.drawing.ply(self.position, move, depth), self.at)
            self.at.children.append(found)
        self.at = found
        return found

    def __len__(self) -> int:
        """How many moves there are in all."""
        count, waiting = 0, [self.root]
        while waiting:
            node = waiting.pop()
            count += len(node.children)
            waiting += node.children
        return count

    def remove(self, node: Node) -> None:
        """Take a move out, and all that follows it."""
        if node.parent is None:
            return
        if node in self.path():
            self.at = node.parent
        node.parent.children.remove(node)

    def promote(self, node: Node | None = None) -> None:
        """Make the line to a node the main one."""
        for one in (node or self.at).back():
            if one.parent is not None:
                one.parent.children.remove(one)
                one.parent.children.insert(0, one)

    @property
    def is_main(self) -> bool:
        """Whether what is looked at lies on the main line."""
        return all(one.parent is None or one.parent.children[0] is one for one in self.at.back())

    def __str__(self) -> str:
        return " ".join(_written(self.root)).replace("( ", "(").replace(" )", ")")

    def link(self, server: str = "") -> str:
        """The address of this on a server's page."""
        parts = ("analysis", self.game.name, str(self.start), str(self))
        return f"{server.rstrip('/')}/#" + "/".join(urllib.parse.quote(part, safe=_UNQUOTED) for part in parts)


def _written(node: Node) -> Iterator[str]:
    """The moves after a node; a long line is no deep recursion, only a bracket in a bracket is."""
    while node.children:
        main, *others = node.children
        yield str(main.ply.move) if main.ply is not None else ""
        for other in others:
            yield from itertools.chain(("(", str(other.ply.move) if other.ply else ""), _written(other), (")",))
        node = main


def read_variations(text: str, game: Game) -> Variations:
    """From a link of the page or the window, or from a position's text: of this game, or else of any other."""
    text = text.strip()
    place = text.partition("#")[2]
    if place.startswith("analysis/"):
        parts = [urllib.parse.unquote(part) for part in place.split("/")]
        name, start, lines = (*parts[1:], "", "", "")[:3]
        if name not in GAMES:
            raise NotationError(f"the link is of a game that is not here: {shown(name)}")
        found = load(name)
        return Variations.parse(found, found.parse(start) if start else found.sample_start(), lines)
    try:
        return Variations(game, game.parse(text))
    except NotationError:
        for other in all_games():
            with contextlib.suppress(NotationError):
                return Variations(other, other.parse(text))
        raise
