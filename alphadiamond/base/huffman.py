"""Huffman codes for a text, such as a runner's log: the commoner a letter, the shorter its code."""

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import Final

BITS_PLAIN: Final = 8
"""A letter as it is stored without a code."""


@dataclass(frozen=True)
class Tree:
    """A leaf with a letter, or two branches: 0 to the left, 1 to the right."""

    count: int
    letter: str = ""
    left: "Tree | None" = None
    right: "Tree | None" = None

    @property
    def is_leaf(self) -> bool:
        return self.left is None


@dataclass(frozen=True)
class Coding:
    text: str
    tree: Tree | None
    """None for an empty text."""
    codes: dict[str, str]
    """The commonest letter first."""

    @property
    def bits(self) -> str:
        return "".join(self.codes[letter] for letter in self.text)

    @property
    def bits_before(self) -> int:
        return BITS_PLAIN * len(self.text)

    @property
    def bits_after(self) -> int:
        return sum(len(self.codes[letter]) for letter in self.text)

    @property
    def saving(self) -> float:
        """The share of the bits that is saved."""
        return 1 - self.bits_after / self.bits_before if self.text else 0.0


def code(text: str) -> Coding:
    """The code of a text; the only letter of a text has the code 0, one bit, since no bits tell no length."""
    counts = Counter(text)
    waiting = [(count, number, Tree(count, letter)) for number, (letter, count) in enumerate(sorted(counts.items()))]
    heapq.heapify(waiting)
    number = len(waiting)
    while len(waiting) > 1:
        (_, _, left), (_, _, right) = heapq.heappop(waiting), heapq.heappop(waiting)
        joined = Tree(left.count + right.count, left=left, right=right)
        heapq.heappush(waiting, (joined.count, number, joined))
        number += 1
    tree = waiting[0][2] if waiting else None
    codes = dict(_codes(tree, "")) if tree is not None else {}
    order = sorted(codes, key=lambda letter: (-counts[letter], letter))
    return Coding(text, tree, {letter: codes[letter] for letter in order})


def decode(bits: str, tree: Tree) -> str:
    """The text of a code."""
    found, node = [], tree
    for bit in bits:
        if not node.is_leaf:
            branch = node.right if bit == "1" else node.left
            assert branch is not None
            node = branch
        if node.is_leaf:
            found.append(node.letter)
            node = tree
    return "".join(found)


def _codes(tree: Tree, prefix: str) -> list[tuple[str, str]]:
    if tree.left is None or tree.right is None:
        return [(tree.letter, prefix or "0")]
    return _codes(tree.left, prefix + "0") + _codes(tree.right, prefix + "1")
