"""The board on the screen: where squares lie, how they are drawn, and how pieces are moved by hand."""

from alphadiamond.client.board.view import Arrow
from alphadiamond.client.board.widget import BoardWidget

__all__ = ["Arrow", "BoardWidget"]
