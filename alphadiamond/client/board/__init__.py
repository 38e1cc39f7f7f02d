"""The board on the screen: where nodes lie, how it is drawn, and how beads are moved by hand."""

from alphadiamond.client.board.view import Arrow
from alphadiamond.client.board.widget import BoardWidget

__all__ = ["Arrow", "BoardWidget"]
