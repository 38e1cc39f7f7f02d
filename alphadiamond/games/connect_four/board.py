"""The board: seven columns of six cells, as bits and as nodes.

A mask has seven bits a column, the bottom cell lowest; the seventh bit of a column stays empty, so that no line of four
runs from one column into the next.

     bits                           nodes (as a position's text is read)
      6  13  20  27  34  41  48     never set
      5  12  19  26  33  40  47      0   1   2   3   4   5   6
      4  11  18  25  32  39  46      7   8   9  10  11  12  13
      3  10  17  24  31  38  45     14  15  16  17  18  19  20
      2   9  16  23  30  37  44     21  22  23  24  25  26  27
      1   8  15  22  29  36  43     28  29  30  31  32  33  34
      0   7  14  21  28  35  42     35  36  37  38  39  40  41
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Mask: TypeAlias = int
"""A set of cells, a bit each."""
Node: TypeAlias = int
"""0 to 41, row after row from the top left."""
Column: TypeAlias = int
"""0 to 6 from the left; people say 1 to 7."""

COLUMNS: Final = 7
ROWS: Final = 6
NODES: Final = COLUMNS * ROWS
ACTIONS: Final = COLUMNS
STRIDE: Final = ROWS + 1
"""Bits a column, the empty one included."""
BITS: Final = COLUMNS * STRIDE

BOTTOM: Final[Mask] = sum(1 << column * STRIDE for column in range(COLUMNS))
"""The lowest cell of every column."""
BOARD: Final[Mask] = BOTTOM * ((1 << ROWS) - 1)
"""All 42 cells."""
TOP: Final[Mask] = BOTTOM << ROWS - 1
"""The highest cell of every column."""

DIRECTIONS: Final = (1, STRIDE, STRIDE - 1, STRIDE + 1)
"""From a cell to the next in its column, its row, and the diagonals that fall and rise to the right."""


def bit_of(node: Node) -> int:
    """The bit of a node."""
    row, column = divmod(node, COLUMNS)
    return column * STRIDE + ROWS - 1 - row


BIT_OF: Final[npt.NDArray[np.int64]] = np.array([bit_of(node) for node in range(NODES)])
"""[42]"""
NODE_OF: Final = {bit_of(node): node for node in range(NODES)}


def nodes_of(mask: Mask) -> tuple[Node, ...]:
    """The nodes of a mask, in order."""
    return tuple(node for node in range(NODES) if mask >> bit_of(node) & 1)


def cell_name(node: Node) -> str:
    """For error messages."""
    row, column = divmod(node, COLUMNS)
    return f"column {column + 1}, row {ROWS - row} from below"


SYMMETRIES: Final[npt.NDArray[np.int64]] = np.array(
    [range(NODES), [node - node % COLUMNS + COLUMNS - 1 - node % COLUMNS for node in range(NODES)]]
)
"""[2, 42] the identity and the mirror, where each takes each node."""
ACTION_SYMMETRIES: Final[npt.NDArray[np.int64]] = np.array([range(COLUMNS), range(COLUMNS - 1, -1, -1)])
"""[2, 7]"""


def _edges() -> list[tuple[Node, Node]]:
    """Cells that follow each other in a row, a column or on a diagonal."""
    return sorted(
        (min(a, b), max(a, b))
        for bit, a in NODE_OF.items()
        for b in (NODE_OF.get(bit + step) for step in DIRECTIONS)
        if b is not None
    )


EDGES: Final[npt.NDArray[np.int64]] = np.array(_edges())
"""[131, 2]"""
