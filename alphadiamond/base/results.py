"""How a game stands, always from the side to move: WIN means that the player whose turn it is has won."""

from typing import Final

LOSS: Final = -1
DRAW: Final = 0
WIN: Final = 1
ONGOING: Final = 2
