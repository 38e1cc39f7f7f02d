"""Names of nodes, for error messages."""

from collections.abc import Iterable

from alphadiamond.games.diamond_chase.board import NODE_NAMES, Node


def names_of(nodes: Iterable[Node]) -> str:
    return ",".join(NODE_NAMES[node] for node in nodes)
