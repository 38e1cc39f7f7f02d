"""The two sides."""

from alphadiamond.base import game


class Side(game.Side):
    WHITE = 0
    """Moves first, and up the board."""
    BLACK = 1
