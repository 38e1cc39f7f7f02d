"""How a game stands, always from the side to move: WIN means that the player whose turn it is has won."""

from typing import Final

LOSS: Final = -1
DRAW: Final = 0
WIN: Final = 1
ONGOING: Final = 2

WON: Final = 1_000_000
"""The score of a win in minimax, less one for each ply to it; a loss is its negative."""
PROVEN: Final = 900_000
"""Scores beyond are won or lost positions, all others are judgements."""
