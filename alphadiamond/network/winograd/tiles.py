"""Winograd's minimal filtering: a board cut into tiles, and a kernel as it acts on a tile's points.

A tile of m by n outputs needs m + 2 by n + 2 inputs. Both are taken to (m + 2)(n + 2) points, where the convolution is
a product of channels at each point: 30 products for 12 outputs instead of 108. Tiles are 3 or 4 long: longer ones would
lose more digits of single precision.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

_NODES: Final = {3: (0.0, 1.0, -1.0, 2.0), 4: (0.0, 1.0, -1.0, 2.0, -2.0)}
"""Where the polynomials of each length of tile are evaluated, infinity apart."""
SIZES: Final = tuple(_NODES)


def _matrices(size: int) -> tuple[Matrix, Matrix, Matrix]:
    """(to points [P, P], kernel to points [P, 3], from points [size, P]) of a line of so many outputs, by Toom and
    Cook's scheme."""
    nodes = _NODES[size]
    points = size + 2
    to_points, kernel, back = np.zeros((points, points)), np.zeros((points, 3)), np.zeros((size, points))
    for k, node in enumerate(nodes):
        others = [other for other in nodes if other != node]
        to_points[k, : points - 1] = np.poly(others)[::-1]
        kernel[k] = node ** np.arange(3) / np.prod([node - other for other in others])
        back[:, k] = node ** np.arange(size)
    to_points[-1] = np.poly(nodes)[::-1]
    kernel[-1, 2] = back[-1, -1] = 1.0
    return to_points, kernel, back


MATRICES: Final = {size: _matrices(size) for size in SIZES}


def lengths(cells: int) -> list[int] | None:
    """Tiles that make up a line of so many cells with as few points as can be; None where there are none."""
    for threes in range(4):
        rest = cells - 3 * threes
        if rest >= 0 and rest % 4 == 0:
            return [4] * (rest // 4) + [3] * threes
    return None


def packed(kernel: Matrix, rows: int, columns: int, height: int) -> Matrix:
    """A layer [outer, inner, 3, 3] at the points of one size of tile, flat: [point, outer / height, inner, height]."""
    outer, inner = kernel.shape[:2]
    down, across = MATRICES[rows][1], MATRICES[columns][1]
    points: Matrix = np.einsum("pi,oxij,qj->pqox", down, kernel, across).reshape(-1, outer // height, height, inner)
    return points.transpose(0, 1, 3, 2).reshape(-1)
