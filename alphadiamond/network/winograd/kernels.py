"""The convolutional network in compiled code: a machine vector of positions at a time, from inputs to logits.

Every lane of a vector is a position of its own, as in the orbit network's code, and lanes never mix: what is said of a
position is the same to the last bit whatever its neighbours in the batch are. Values of C channels are rows
[cell, C] of positions on a board with a margin of one cell, which stays zero.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit
from alphadiamond.network.kernels import OUTCOMES, Floats
from alphadiamond.network.orbit_basis.vector_intrinsics import LANES, Build, Row, Vector, index, operation, products
from alphadiamond.network.winograd.tiles import MATRICES, Matrix

Ints = npt.NDArray[np.int64]


class Trunk(NamedTuple):
    """The convolutions of a network, packed for compiled code."""

    rows: int
    columns: int
    features: int
    """Channels that enter: the planes, and those that are the same everywhere."""
    planes: int
    channels: int
    tiles: Ints
    """[T, 6] pairs of tiles of one size: rows, columns, how many tiles (2 or 1), the first cell of each with its
    margin, and which size it is."""
    weights: Floats
    """All layers at their points: the one that enters, those that recall it, then two for each block."""
    places: Ints
    """[layers, sizes] where the weights of each begin, for each size of tile."""
    heights: Ints
    """[layers] rows of a product that are worked out together."""
    biases: Floats
    """[1 + blocks, C] of the layer that enters and of each block's first."""
    blocks: int
    recalls: int
    repeats: int


class Heads(NamedTuple):
    """Dense heads over all cells."""

    weights: Floats
    """[rows, outputs / height, columns * C, height] of actions and the value's hidden layer, and as many zeros as
    `height` wants."""
    biases: Floats
    outputs: int
    actions: int
    hidden: int
    value_weights: Floats
    """[3, hidden], flat."""
    value_bias: Floats


HEAD_HEIGHT = 8 if LANES == 16 else 6


def _combined(matrix: Matrix, values: list[Vector]) -> list[Vector]:
    """A matrix of small constants times a column of vectors."""
    results = []
    for row in matrix:
        terms = [(float(factor), value) for factor, value in zip(row, values, strict=True) if factor]
        terms.sort(key=lambda term: abs(term[0]) != 1)
        (factor, value), *rest = terms
        total = value if factor == 1 else value * factor
        for factor, value in rest:
            total = total + value if factor == 1 else total - value if factor == -1 else total + value * factor
        results.append(total)
    return results


def _at_least(value: Vector, floor: Vector) -> Vector:
    """The larger of both; what is not a number stays so, for somebody to notice."""
    above = value.builder.fcmp_unordered(">", value.value, floor.value)
    return Vector(value.builder, value.builder.select(above, value.value, floor.value))


def _gather(rows: int, columns: int) -> Build:
    """The points of one channel of a tile: y, `apart` from one to the next, from the board at x, where neighbours are
    `cell` apart and lines `line`."""

    def build(builder: Any, y: Row, x: Row, _: Row, __: Row, cell: Any, line: Any, apart: Any) -> None:
        across = []
        for i in range(rows + 2):
            start = x.at(builder.mul(line, index(i)))
            cells = [start.at(builder.mul(cell, index(j))).load() for j in range(columns + 2)]
            across.append(_combined(MATRICES[columns][0], cells))
        for q in range(columns + 2):
            down = _combined(MATRICES[rows][0], [values[q] for values in across])
            for p, value in enumerate(down):
                y.at(builder.mul(apart, index(p * (columns + 2) + q))).store(value)

    return build


def _scatter(rows: int, columns: int) -> Build:
    """Add what the points of one channel of a tile say to the board at y; what is below `least` becomes that."""

    def build(builder: Any, y: Row, points: Row, least: Row, _: Row, cell: Any, line: Any, apart: Any) -> None:
        floor = least.spread()
        across = []
        for p in range(rows + 2):
            places = [builder.mul(apart, index(p * (columns + 2) + q)) for q in range(columns + 2)]
            across.append(_combined(MATRICES[columns][2], [points.at(place).load() for place in places]))
        for j in range(columns):
            for i, value in enumerate(_combined(MATRICES[rows][2], [values[j] for values in across])):
                place = y.at(builder.add(builder.mul(line, index(i)), builder.mul(cell, index(j))))
                place.store(_at_least(place.load() + value, floor))

    return build


_gather33, _gather34 = operation(_gather(3, 3)), operation(_gather(3, 4))
_gather43, _gather44 = operation(_gather(4, 3)), operation(_gather(4, 4))
_scatter33, _scatter34 = operation(_scatter(3, 3)), operation(_scatter(3, 4))
_scatter43, _scatter44 = operation(_scatter(4, 3)), operation(_scatter(4, 4))
_narrow, _wide = operation(products(1, add=False)), operation(products(2, add=False))
_narrow_add = operation(products(1, add=True))


@njit
def _to_points(
    v: Floats, x: Floats, rows: int, columns: int, corner: int, line: int, inner: int, width: int, at: int
) -> None:
    """All channels of a tile whose margin begins at cell `corner`, at its points, from `at` on."""
    cell, apart = inner * LANES, inner * width + LANES  # not a power of two apart, which would share a cache line's set
    for c in range(inner):
        a, b = at + c * width, (corner * inner + c) * LANES
        if rows == 3 and columns == 3:
            _gather33(v, a, x, b, x, 0, x, 0, cell, line * cell, apart)
        elif rows == 3:
            _gather34(v, a, x, b, x, 0, x, 0, cell, line * cell, apart)
        elif columns == 3:
            _gather43(v, a, x, b, x, 0, x, 0, cell, line * cell, apart)
        else:
            _gather44(v, a, x, b, x, 0, x, 0, cell, line * cell, apart)


@njit
def _from_points(
    y: Floats,
    m: Floats,
    rows: int,
    columns: int,
    corner: int,
    line: int,
    outer: int,
    width: int,
    at: int,
    least: Floats,
) -> None:
    """Add what a tile's points say to all channels of its cells."""
    cell, apart = outer * LANES, outer * width + LANES
    for c in range(outer):
        a, b = ((corner + line + 1) * outer + c) * LANES, at + c * width
        if rows == 3 and columns == 3:
            _scatter33(y, a, m, b, least, 0, m, 0, cell, line * cell, apart)
        elif rows == 3:
            _scatter34(y, a, m, b, least, 0, m, 0, cell, line * cell, apart)
        elif columns == 3:
            _scatter43(y, a, m, b, least, 0, m, 0, cell, line * cell, apart)
        else:
            _scatter44(y, a, m, b, least, 0, m, 0, cell, line * cell, apart)


@njit
def _convolve(trunk: Trunk, y: Floats, x: Floats, layer: int, inner: int, v: Floats, m: Floats, least: Floats) -> None:
    """Add a layer of x to y; where the sum is below `least` [1] it becomes that."""
    line, outer, height = trunk.columns + 2, trunk.channels, trunk.heights[layer]
    for t in range(len(trunk.tiles)):
        rows, columns, count, first, second, size = trunk.tiles[t]
        width = count * LANES
        _to_points(v, x, rows, columns, first, line, inner, width, 0)
        if count == 2:
            _to_points(v, x, rows, columns, second, line, inner, width, LANES)
        weights = trunk.weights[trunk.places[layer, size] :]
        for p in range((rows + 2) * (columns + 2)):
            for r in range(0, outer, height):
                a, b, c = p * (outer * width + LANES) + r * width, p * (inner * width + LANES), (p * outer + r) * inner
                if count == 2:
                    _wide(m, a, v, b, weights, c, weights, 0, inner, width, height)
                else:
                    _narrow(m, a, v, b, weights, c, weights, 0, inner, width, height)
        _from_points(y, m, rows, columns, first, line, outer, width, 0, least)
        if count == 2:
            _from_points(y, m, rows, columns, second, line, outer, width, LANES, least)


@njit
def _fill(trunk: Trunk, y: Floats, biases: Floats, at: int, recalled: Floats) -> None:
    """Put the biases [C] from `at` on into every cell, and what is recalled of the input if there is anything."""
    channels, line = trunk.channels, (trunk.columns + 2) * trunk.channels
    for row in range(1, trunk.rows + 1):
        for column in range(1, trunk.columns + 1):
            for c in range(channels):
                place, bias = (row * line + column * channels + c) * LANES, biases[at + c]
                if len(recalled):
                    for b in range(LANES):
                        y[place + b] = bias + recalled[place + b]
                else:
                    for b in range(LANES):
                        y[place + b] = bias


@njit
def _enter(trunk: Trunk, inputs: Floats, seen: Floats) -> None:
    """Up to LANES inputs [B, I] as rows of positions; lanes without one are zero."""
    rows, columns, features, planes = trunk.rows, trunk.columns, trunk.features, trunk.planes
    nodes = rows * columns
    for row in range(rows):
        for column in range(columns):
            place = ((row + 1) * (columns + 2) + column + 1) * features * LANES
            for f in range(features):
                source = f * nodes + row * columns + column if f < planes else planes * nodes + f - planes
                for b in range(LANES):
                    seen[place + f * LANES + b] = inputs[b, source] if b < len(inputs) else np.float32(0.0)


@njit
def run_trunk(trunk: Trunk, inputs: Floats, boards: Floats, v: Floats, m: Floats) -> None:
    """Up to LANES inputs [B, I] through all convolutions; the result is in the first of the `boards`
    [2 + recalls, cells, C] that are followed by one for the features."""
    size = (trunk.rows + 2) * (trunk.columns + 2) * trunk.channels * LANES
    x, h, seen = boards[:size], boards[size : 2 * size], boards[(2 + trunk.recalls) * size :]
    none = boards[:0]
    anything, positive = np.full(1, -np.inf, dtype=np.float32), np.zeros(1, dtype=np.float32)
    _enter(trunk, inputs, seen)
    _fill(trunk, x, trunk.biases, 0, none)
    _convolve(trunk, x, seen, 0, trunk.features, v, m, anything)
    for k in range(trunk.recalls):
        known = boards[(2 + k) * size : (3 + k) * size]
        known[:] = 0.0
        _convolve(trunk, known, x, 1 + k, trunk.channels, v, m, anything)
    for _ in range(trunk.repeats):
        for k in range(trunk.blocks):
            recalled = boards[(2 + k) * size : (3 + k) * size] if trunk.recalls else none
            first = 1 + trunk.recalls + 2 * k
            _fill(trunk, h, trunk.biases, (1 + k) * trunk.channels, recalled)
            _convolve(trunk, h, x, first, trunk.channels, v, m, positive)
            _convolve(trunk, x, h, first + 1, trunk.channels, v, m, anything)


@njit
def _read(trunk: Trunk, heads: Heads, x: Floats, out: Floats) -> None:
    """The outputs of the heads, rows of positions: actions, the value's hidden layer, and after them three for the
    value."""
    channels, columns = trunk.channels, trunk.columns
    line, run = (columns + 2) * channels * LANES, columns * channels
    units = np.float32(trunk.rows * run)
    mean, scale = np.zeros(LANES, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    for row in range(1, trunk.rows + 1):
        start = row * line + channels * LANES
        for k in range(run):
            for b in range(LANES):
                mean[b] += x[start + k * LANES + b]
    for b in range(LANES):
        mean[b] /= units
    for row in range(1, trunk.rows + 1):
        start = row * line + channels * LANES
        for k in range(run):
            for b in range(LANES):
                value = x[start + k * LANES + b] - mean[b]
                scale[b] += value * value
                x[start + k * LANES + b] = value if not value <= 0 else np.float32(0.0)
    for b in range(LANES):
        scale[b] = np.float32(1.0) / np.sqrt(scale[b] / units + np.float32(1e-5))
    outputs = heads.outputs
    out[: outputs * LANES] = 0.0
    for row in range(trunk.rows):
        source = (row + 1) * line + channels * LANES
        for r in range(0, outputs, HEAD_HEIGHT):
            a, c = r * LANES, (row * outputs + r) * run
            _narrow_add(out, a, x, source, heads.weights, c, x, 0, run, LANES, HEAD_HEIGHT)
    for k in range(heads.actions + heads.hidden):
        bias = heads.biases[k]
        for b in range(LANES):
            value = out[k * LANES + b] * scale[b] + bias  # the rectifier keeps a factor
            hidden = k >= heads.actions and value <= 0
            out[k * LANES + b] = np.float32(0.0) if hidden else value
    for o in range(OUTCOMES):
        place = (outputs + o) * LANES
        for b in range(LANES):
            out[place + b] = heads.value_bias[o]
        for k in range(heads.hidden):
            weight = heads.value_weights[o * heads.hidden + k]
            for b in range(LANES):
                out[place + b] += weight * out[(heads.actions + k) * LANES + b]


@njit
def logits(
    trunk: Trunk, heads: Heads, inputs: Floats, boards: Floats, v: Floats, m: Floats, out: Floats
) -> tuple[Floats, Floats]:
    """(policy [B, A], value [B, 3]) as the network says them."""
    policy = np.empty((len(inputs), heads.actions), dtype=np.float32)
    value = np.empty((len(inputs), OUTCOMES), dtype=np.float32)
    for start in range(0, len(inputs), LANES):
        part = inputs[start : start + LANES]
        run_trunk(trunk, part, boards, v, m)
        _read(trunk, heads, boards, out)
        for b in range(len(part)):
            for k in range(heads.actions):
                policy[start + b, k] = out[k * LANES + b]
            for o in range(OUTCOMES):
                value[start + b, o] = out[(heads.outputs + o) * LANES + b]
    return policy, value


@njit
def boards_of(trunk: Trunk, inputs: Floats, boards: Floats, v: Floats, m: Floats) -> npt.NDArray[np.float32]:
    """[B, C, rows, columns] what the trunk makes of inputs, for heads that are computed elsewhere."""
    rows, columns, channels = trunk.rows, trunk.columns, trunk.channels
    made = np.empty((len(inputs), channels, rows, columns), dtype=np.float32)
    for start in range(0, len(inputs), LANES):
        part = inputs[start : start + LANES]
        run_trunk(trunk, part, boards, v, m)
        for row in range(rows):
            for column in range(columns):
                place = ((row + 1) * (columns + 2) + column + 1) * channels * LANES
                for c in range(channels):
                    for b in range(len(part)):
                        made[start + b, c, row, column] = boards[place + c * LANES + b]
    return made
