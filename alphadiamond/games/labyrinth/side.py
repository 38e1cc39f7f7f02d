"""The two runners."""

from alphadiamond.base import game


class Side(game.Side):
    A = 0
    """Moves first, from top left to bottom right."""
    B = 1
