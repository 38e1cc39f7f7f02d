"""A Huffman tree: counts on its branches, letters on its leaves, 0 to the left and 1 to the right."""

import pygame

from alphadiamond.base.huffman import Tree
from alphadiamond.client.paint import Painter
from alphadiamond.client.theme import Colour, ink_on, mix
from alphadiamond.client.widgets.base import Widget

_TINTS = ("accent", "danger", "gold", "good", "accent_2")


def letter_colour(painter: Painter, letters: str, letter: str) -> Colour:
    """The same for a letter wherever it is shown; `letters` are all that there may be."""
    colour: Colour = getattr(painter.theme, _TINTS[letters.index(letter) % len(_TINTS)])
    return colour


class CodeTree(Widget):
    focusable = False

    def __init__(self, key: str, rect: pygame.Rect, tree: Tree | None, letters: str) -> None:
        super().__init__(key, rect)
        self._tree, self._letters = tree, letters

    def draw(self, surface: pygame.Surface, painter: Painter) -> None:
        if self._tree is None:
            return
        leaves, depth = _leaves(self._tree), _depth(self._tree)
        radius = min(painter.px(19), self.rect.height // (3 * depth + 2), self.rect.width // (3 * leaves))
        self._draw(surface, painter, self._tree, self.rect.inflate(0, -2 * radius), depth, radius)

    def _draw(
        self, surface: pygame.Surface, painter: Painter, tree: Tree, box: pygame.Rect, depth: int, radius: int
    ) -> tuple[int, int]:
        """Draw a tree into a box, and return where its root stands: over its branches, by how many leaves they have."""
        step = box.height // max(1, depth) if depth else 0
        if tree.left is None or tree.right is None:
            centre = (box.centerx, box.top)
            colour = letter_colour(painter, self._letters, tree.letter)
            painter.glow(surface, centre, radius * 2, colour, 0.4)
            painter.disc(surface, centre, radius, colour)
            painter.text.draw(surface, tree.letter, _about(centre, radius), "label", ink_on(colour), align="center")
            return centre
        share = _leaves(tree.left) / _leaves(tree)
        middle = box.left + round(box.width * share)
        centre = (middle, box.top)
        below = pygame.Rect(box.left, box.top + step, middle - box.left, box.height - step)
        beside = pygame.Rect(middle, box.top + step, box.right - middle, box.height - step)
        for branch, place, bit in ((tree.left, below, "0"), (tree.right, beside, "1")):
            foot = (place.centerx, place.top) if branch.is_leaf else (_root_x(branch, place), place.top)
            painter.stroke(surface, centre, foot, 2, painter.theme.muted, 0.8)
            self._draw(surface, painter, branch, place, depth - 1, radius)
            half = ((centre[0] + foot[0]) // 2, (centre[1] + foot[1]) // 2)
            tag = _about(half, round(radius * 0.62))
            fill = painter.theme.sky[0] if painter.theme.dark else (255, 255, 255)
            painter.pane(surface, tag, fill, 0.92, 0.5, radius=6, edge_colour=painter.theme.muted)
            painter.text.draw(surface, bit, tag, "caption", painter.theme.text, align="center")
        node = mix(painter.theme.node, painter.theme.accent, 0.25)
        painter.disc(surface, centre, radius, node)
        painter.ring(surface, centre, radius, 1.5, painter.theme.accent, 0.8)
        ink = painter.theme.text
        painter.text.draw(surface, str(tree.count), _about(centre, radius), "label", ink, align="center")
        return centre


def _about(centre: tuple[int, int], radius: int) -> pygame.Rect:
    box = pygame.Rect(0, 0, 2 * radius, 2 * radius)
    box.center = centre
    return box


def _root_x(tree: Tree, box: pygame.Rect) -> int:
    assert tree.left is not None
    return box.left + round(box.width * _leaves(tree.left) / _leaves(tree))


def _leaves(tree: Tree) -> int:
    return 1 if tree.left is None or tree.right is None else _leaves(tree.left) + _leaves(tree.right)


def _depth(tree: Tree) -> int:
    return 0 if tree.left is None or tree.right is None else 1 + max(_depth(tree.left), _depth(tree.right))
