"""The change between values on an orbit and the symmetry's own basis, and the compiled passes that use it.

`to_basis` and `to_orbit` are plain arithmetic, so that the same few lines serve numpy arrays, when the blocks are
worked out, and machine vectors, when the compiled passes are built.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.network.kernels import Floats
from alphadiamond.network.orbit_basis.vector_intrinsics import (
    BROAD,
    DEEP,
    LANES,
    Row,
    Vector,
    dots,
    index,
    operation,
    products,
)

Plan = npt.NDArray[np.int64]
"""[layers, 5, 6] for each layer and kind: where its weights begin, depth, rows, rows at a time, and the first row of
what it reads and of what it writes."""

KINDS: Final = 5
"""Ways to behave under the symmetries; see `basis`."""
PAIRS: Final = 4
"""The kind whose functions come in pairs."""

_HALF: Final = 0.5
_ROOT2: Final = 0.5**0.5
_ROOT8: Final = 0.125**0.5


def to_basis(values: list[Any]) -> list[list[Any]]:
    """Values on an orbit of 1, 4 or 8 as the parts of each of the five kinds, and the pairs' second parts."""
    if len(values) == 1:
        return [[values[0]], [], [], [], [], []]
    if len(values) == 4:
        n0, n1, n2, n3 = values
        even, odd = n0 + n2, n1 + n3
        return [
            [(even + odd) * _HALF],
            [(even - odd) * _HALF],
            [],
            [],
            [(n0 - n2) * _ROOT2],
            [(n1 - n3) * _ROOT2],
        ]
    m0, m1, m2, m3, k0, k1, k2, k3 = values  # four turns of one element, four of its mirror image
    even, odd, even_image, odd_image = m0 + m2, m1 + m3, k0 + k2, k1 + k3
    p, q, p_image, q_image = m0 - m2, m1 - m3, k0 - k2, k1 - k3
    all_even, all_odd, even_gap, odd_gap = even + even_image, odd + odd_image, even - even_image, odd - odd_image
    return [
        [(all_even + all_odd) * _ROOT8],
        [(all_even - all_odd) * _ROOT8],
        [(even_gap + odd_gap) * _ROOT8],
        [(even_gap - odd_gap) * _ROOT8],
        [(p + p_image) * _HALF, (q_image - q) * _HALF],
        [(q + q_image) * _HALF, (p - p_image) * _HALF],
    ]


def to_orbit(parts: list[list[Any]]) -> list[Any]:
    """The reverse of `to_basis`."""
    plain, alternating, turned, twisted, first, second = parts
    if not alternating:
        return plain
    if not turned:
        even, odd = (plain[0] + alternating[0]) * _HALF, (plain[0] - alternating[0]) * _HALF
        one, other = first[0] * _ROOT2, second[0] * _ROOT2
        return [even + one, odd + other, even - one, odd - other]
    a, b = (plain[0] + alternating[0]) * _ROOT8, (plain[0] - alternating[0]) * _ROOT8
    c, d = (turned[0] + twisted[0]) * _ROOT8, (turned[0] - twisted[0]) * _ROOT8
    even, odd, even_image, odd_image = a + c, b + d, a - c, b - d
    p, p_image = (first[0] + second[1]) * _HALF, (first[0] - second[1]) * _HALF
    q, q_image = (second[0] - first[1]) * _HALF, (second[0] + first[1]) * _HALF
    return [
        *(even + p, odd + q, even - p, odd - q),
        *(even_image + p_image, odd_image + q_image, even_image - p_image, odd_image - q_image),
    ]


# Values of C channels on the 21 nodes as rows of positions: in the basis, rows [11, C] of the functions that stand
# alone and then rows [5, C, 2] of the pairs; on the nodes, rows [21, C] in the order of `Bases.node_order`.

SINGLES: Final = 11
ORBIT_SIZES: Final = (1, 4, 4, 4, 8)
"""The orbits of nodes of the boards that these passes are for."""
NODES: Final = sum(ORBIT_SIZES)
_ORBIT_PARTS: Final[tuple[tuple[list[int], ...], ...]] = (
    # for each orbit of nodes, which rows its parts are in: functions that stand alone by kind, then pairs
    ([0], [], [], [], []),
    ([1], [5], [], [], [0]),
    ([2], [6], [], [], [1]),
    ([3], [7], [], [], [2]),
    ([4], [8], [9], [10], [3, 4]),
)


class _Rows:
    """The rows of one channel of an array in the basis, while code is being built.

    From one function to the next there are `step` floats, from the first of a pair to the second `row`, and from the
    place of the first function to that of the first pair `far`.
    """

    def __init__(self, builder: Any, place: Row, step: Any, row: Any, far: Any) -> None:
        self._singles = [place.at(builder.mul(step, index(k))) for k in range(SINGLES)]
        pairs = place.at(far)
        double = builder.mul(step, index(2))
        self._firsts = [pairs.at(builder.mul(double, index(k))) for k in range(5)]
        self._seconds = [first.at(row) for first in self._firsts]

    def orbits(self) -> list[list[list[Row]]]:
        """The places of each orbit's parts, as `to_basis` and `to_orbit` have them."""
        return [
            [[self._singles[k] for k in kind] for kind in parts[:PAIRS]]
            + [[self._firsts[k] for k in parts[PAIRS]], [self._seconds[k] for k in parts[PAIRS]]]
            for parts in _ORBIT_PARTS
        ]

    def load(self) -> list[list[Vector]]:
        """Values on the nodes, orbit by orbit."""
        return [to_orbit([[place.load() for place in kind] for kind in parts]) for parts in self.orbits()]

    def store(self, nodes: list[list[Vector]]) -> None:
        for parts, values in zip(self.orbits(), nodes, strict=True):
            for places, vectors in zip(parts, to_basis(values), strict=True):
                for place, vector in zip(places, vectors, strict=True):
                    place.store(vector)


@operation
def _rectify(builder: Any, y: Row, x: Row, bias: Row, _: Row, step: Any, row: Any, far: Any) -> None:
    """One channel of y: x on the nodes, plus the bias of each orbit [5], rectified."""
    nodes = _Rows(builder, x, step, row, far).load()
    shifts = [bias.at(index(k)).spread() for k in range(len(nodes))]
    rectified = [[(value + shift).rectified() for value in orbit] for orbit, shift in zip(nodes, shifts, strict=True)]
    _Rows(builder, y, step, row, far).store(rectified)


@operation
def _rectify_gradient(builder: Any, g: Row, x: Row, bias: Row, sums: Row, step: Any, row: Any, far: Any) -> None:
    """Take g, the gradient at one channel of what `_rectify` makes of x, back to x in place.

    What it is on the nodes is added to sums [5, LANES], by orbit.
    """
    nodes, gradients = _Rows(builder, x, step, row, far).load(), _Rows(builder, g, step, row, far).load()
    zero = nodes[0][0] * 0.0
    back = []
    for k, (orbit, arrived) in enumerate(zip(nodes, gradients, strict=True)):
        shift = bias.at(index(k)).spread()
        passed = [(value + shift).where_positive(one, zero) for value, one in zip(orbit, arrived, strict=True)]
        total = sums.at(index(k * LANES))
        total.store(sum(passed, start=total.load()))
        back.append(passed)
    _Rows(builder, g, step, row, far).store(back)


@operation
def _from_nodes(builder: Any, y: Row, nodes: Row, _: Row, __: Row, step: Any, row: Any, far: Any) -> None:
    """One channel of y from rows of nodes."""
    at, orbits = 0, []
    for size in ORBIT_SIZES:
        orbits.append([nodes.at(builder.mul(step, index(at + k))).load() for k in range(size)])
        at += size
    _Rows(builder, y, step, row, far).store(orbits)


@njit
def rectify(y: Floats, x: Floats, bias: Floats, at: int, channels: int, row: int, columns: int) -> None:
    """y = the rectifier of x with biases [channels, 5] from `at` on; rows are `row` apart and `columns` long."""
    for c in range(channels):
        for column in range(0, columns, LANES):
            place = c * row + column
            far = SINGLES * channels * row + c * row
            _rectify(y, place, x, place, bias, at + 5 * c, x, 0, channels * row, row, far)


@njit
def from_nodes(y: Floats, at: int, nodes: Floats, channels: int, row: int) -> None:
    """y from `at` on = what rows of nodes [21, channels] are in the basis."""
    for c in range(channels):
        for column in range(0, row, LANES):
            place = c * row + column
            far = SINGLES * channels * row + c * row
            _from_nodes(y, at + place, nodes, place, y, 0, y, 0, channels * row, row, far)


@njit
def rectify_gradient(
    g: Floats, x: Floats, bias: Floats, at: int, sums: Floats, channels: int, row: int, columns: int
) -> None:
    """Take g back through the rectifier of x; `sums` [channels, 5, LANES] receives the biases' gradients."""
    for c in range(channels):
        for column in range(0, columns, LANES):
            place = c * row + column
            far = SINGLES * channels * row + c * row
            _rectify_gradient(g, place, x, place, bias, at + 5 * c, sums, 5 * LANES * c, channels * row, row, far)


_narrow, _wide = operation(products(1, add=False)), operation(products(2, add=False))
_narrow_add, _wide_add = operation(products(1, add=True)), operation(products(2, add=True))


@njit
def multiply(y: Floats, x: Floats, w: Floats, layer: Plan, row: int, columns: int, add: bool) -> None:
    """y = the blocks of one layer times x, or added to y; rows are `row` apart and `columns` long."""
    for kind in range(KINDS):
        wt, depth, rows, height, source, target = layer[kind]
        if not depth or not rows:
            continue
        for part in range(2 if kind == PAIRS else 1):
            yt, xt = target * row + part * row, source * row + part * row
            apart = 2 * row if kind == PAIRS else row
            for column in range(0, columns, 2 * LANES):
                wide = column + LANES < columns
                for r in range(0, rows, height):
                    a, b, c = yt + r * apart + column, xt + column, wt + r * depth
                    if add and wide:
                        _wide_add(y, a, x, b, w, c, w, 0, depth, apart, height)
                    elif add:
                        _narrow_add(y, a, x, b, w, c, w, 0, depth, apart, height)
                    elif wide:
                        _wide(y, a, x, b, w, c, w, 0, depth, apart, height)
                    else:
                        _narrow(y, a, x, b, w, c, w, 0, depth, apart, height)


@njit
def lay_out(weights: Any, starts: Any, orbits: Any, factors: Any, places: Any, found: Any) -> None:
    """Entries from weights [orbits, ...], each to its place in `found`: the sum of a few orbits' weights."""
    count = len(starts) - 1
    size = len(weights) // count
    sums = np.empty(size, dtype=weights.dtype)
    for entry in range(count):
        sums[:] = 0
        for term in range(starts[entry], starts[entry + 1]):
            factor, at = factors[term], orbits[term] * size
            for c in range(size):
                sums[c] += factor * weights[at + c]
        for c in range(size):
            found[places[entry * size + c]] = sums[c]


@njit
def take_back(gradient: Any, starts: Any, orbits: Any, factors: Any, places: Any, found: Any) -> None:
    """The gradient of weights from that of what `lay_out` makes of them."""
    count = len(starts) - 1
    size = len(gradient) // count
    row = np.empty(size, dtype=gradient.dtype)
    gradient[:] = 0
    for entry in range(count):
        for c in range(size):
            row[c] = found[places[entry * size + c]]
        for term in range(starts[entry], starts[entry + 1]):
            factor, at = factors[term], orbits[term] * size
            for c in range(size):
                gradient[at + c] += factor * row[c]


_dots = operation(dots)


@njit
def weights_gradient(found: Floats, at: int, x: Floats, g: Floats, layer: Plan, row: int, scratch: Floats) -> None:
    """The gradient of each block [depth, rows] of a layer that made of x what has the gradient g, from `at` on.

    Rows are `row` apart and of that length, 0 where they are not in use; the two of a pair count as one.
    """
    for kind in range(KINDS):
        _, depth, rows, _, source, target = layer[kind]
        length = 2 * row if kind == PAIRS else row
        deep, broad = 1, 1
        for size in DEEP[::-1]:
            deep = size if depth % size == 0 else deep
        for size in BROAD[::-1]:
            broad = size if rows % size == 0 else broad
        for r in range(0, rows, broad):
            for d in range(0, depth, deep):
                a, b = source * row + d * length, target * row + r * length
                _dots(scratch, 0, x, a, g, b, x, 0, length, length, 16 * deep + broad)
                for i in range(deep):
                    for j in range(broad):
                        found[at + (d + i) * rows + r + j] = scratch[i * broad + j]
        at += depth * rows


@njit
def normalise(x: Floats, channels: int, row: int, columns: int, scale: Floats) -> None:
    """Take the mean over all units from each column, in place, and its deviation into `scale`, as 1 / deviation."""
    units = NODES * channels
    subtract_mean(x, channels, row, columns)
    sums = np.zeros(columns, dtype=np.float32)
    for k in range(units):
        place = k * row
        for b in range(columns):
            sums[b] += x[place + b] * x[place + b]
    for b in range(columns):
        scale[b] = np.float32(1.0) / np.sqrt(sums[b] / np.float32(units) + np.float32(1e-5))


@njit
def normalise_gradient(g: Floats, x: Floats, channels: int, row: int, columns: int, scale: Floats) -> None:
    """Take g, the gradient times `scale` at what `normalise` made of x, back to what x was before, in place."""
    units = NODES * channels
    sums = np.zeros(columns, dtype=np.float32)
    for k in range(units):
        place = k * row
        for b in range(columns):
            sums[b] += g[place + b] * x[place + b]
    for b in range(columns):
        sums[b] *= scale[b] * scale[b] / np.float32(units)
    for k in range(units):
        place = k * row
        for b in range(columns):
            g[place + b] -= sums[b] * x[place + b]
    subtract_mean(g, channels, row, columns)


@njit
def subtract_mean(x: Floats, channels: int, row: int, columns: int) -> None:
    """Take the mean over all units from each column: only the even function of each orbit has one."""
    sums = np.zeros(columns, dtype=np.float32)
    for orbit in range(5):
        weight = np.float32(np.sqrt(ORBIT_SIZES[orbit]))  # what the function sums to
        for c in range(channels):
            place = (orbit * channels + c) * row
            for b in range(columns):
                sums[b] += weight * x[place + b]
    for b in range(columns):
        sums[b] /= np.float32(NODES * channels)
    for orbit in range(5):
        weight = np.float32(np.sqrt(ORBIT_SIZES[orbit]))
        for c in range(channels):
            place = (orbit * channels + c) * row
            for b in range(columns):
                x[place + b] -= weight * sums[b]
