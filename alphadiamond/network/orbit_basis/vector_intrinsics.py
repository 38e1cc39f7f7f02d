"""Machine vectors for compiled code: products of small matrices, and arithmetic on rows, written down as LLVM sees it.

A loop over twenty rows of one array is not turned into vector code by the compiler, which cannot tell that the rows do
not overlap; here it need not guess. Every lane of a vector is a position of its own, and lanes never mix: what is said
of a position is the same to the last bit whatever its neighbours are.
"""

from collections.abc import Callable
from typing import Any, Final, cast

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_FUSE: Final = ("contract",)  # a product and a sum may become one instruction
_WIDE: Final = bool(llvmlite.binding.get_host_cpu_features().get("avx512f", False))

LANES: Final = 16 if _WIDE else 8
"""Floats of a machine vector."""
ROWS: Final = (8, 6, 4, 3, 2, 1) if _WIDE else (6, 4, 3, 2, 1)
"""Rows of a product that are worked out together, as many as there are registers for."""
DEEP: Final = (4, 2, 1)
BROAD: Final = (6, 4, 3, 2, 1) if _WIDE else (3, 2, 1)
"""Rows of the two arrays whose dot products are worked out together, likewise."""

_FLOAT = ir.FloatType()
_INDEX = ir.IntType(64)
_VECTOR = ir.VectorType(_FLOAT, LANES)


class Vector:
    """A vector of floats while code for it is being built."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.builder, self.builder.fadd(self.value, other.value, flags=_FUSE))

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.builder, self.builder.fsub(self.value, other.value, flags=_FUSE))

    def __mul__(self, other: "Vector | float") -> "Vector":
        factor = constant(self.builder, other) if isinstance(other, float) else other
        return Vector(self.builder, self.builder.fmul(self.value, factor.value, flags=_FUSE))

    def total(self) -> Any:
        """The sum of all lanes, as a float."""
        value, width = self.value, LANES
        while width > 1:
            width //= 2
            lanes = [ir.Constant(ir.IntType(32), lane % LANES) for lane in range(width, width + LANES)]
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)
            value = self.builder.fadd(value, self.builder.shuffle_vector(value, value, mask))
        return self.builder.extract_element(value, index(0))

    def rectified(self) -> "Vector":
        """The larger of this and 0; what is not a number stays so, for somebody to notice."""
        zero = constant(self.builder, 0.0)
        return self.where_positive(self, zero)

    def where_positive(self, one: "Vector", other: "Vector") -> "Vector":
        """`one` in the lanes where this is above 0, `other` elsewhere."""
        above = self.builder.fcmp_unordered(">", self.value, constant(self.builder, 0.0).value)
        return Vector(self.builder, self.builder.select(above, one.value, other.value))


def constant(builder: Any, number: float) -> Vector:
    return Vector(builder, ir.Constant(_VECTOR, [ir.Constant(_FLOAT, number)] * LANES))


class Row:
    """Where in an array of floats a vector is, while code is being built."""

    def __init__(self, builder: Any, pointer: Any) -> None:
        self.builder = builder
        self.pointer = pointer

    def at(self, offset: Any) -> "Row":
        return Row(self.builder, self.builder.gep(self.pointer, [offset]))

    def load(self) -> Vector:
        place = self.builder.bitcast(self.pointer, _VECTOR.as_pointer())
        return Vector(self.builder, self.builder.load(place, align=4))

    def store(self, vector: Vector) -> None:
        place = self.builder.bitcast(self.pointer, _VECTOR.as_pointer())
        self.builder.store(vector.value, place, align=4)

    def spread(self) -> Vector:
        """The one float here in every lane."""
        one = self.builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), self.builder.load(self.pointer), index(0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [ir.Constant(ir.IntType(32), 0)] * LANES)
        return Vector(self.builder, self.builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask))


def index(number: int) -> Any:
    return ir.Constant(_INDEX, number)


Build = Callable[..., None]
"""Builds code from a builder, four `Row`s and three integers."""


def operation(build: Build) -> Callable[..., None]:
    """Make what builds code callable from compiled code: with an array [N] of float32 and an offset for each of the
    four rows, then three integers. What an operation has no use for may be anything."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = []
        for k in range(0, 8, 2):
            proxy: Any = cgutils.create_struct_proxy(signature.args[k])  # type: ignore[no-untyped-call]
            places.append(Row(builder, proxy(context, builder, value=args[k]).data).at(args[k + 1]))
        build(builder, *places, *args[8:])
        return context.get_dummy_value()

    array = types.Array(types.float32, 1, "C")
    signature = types.void(*[array, types.int64] * 4, *[types.int64] * 3)

    def typed(
        context: Any, a: Any, at: Any, b: Any, bt: Any, c: Any, ct: Any, d: Any, dt: Any, m: Any, n: Any, p: Any
    ) -> Any:
        return signature, generate

    return cast(Callable[..., None], intrinsic(typed))


def products(vectors: int, *, add: bool) -> Build:
    """y[r, v] = sum over k of w[k, r] x[k, v], or added to what is there, for `height` rows of `ROWS` in registers.

    w is [depth, height] without gaps; a row of x and of y begins `stride` floats after the one before.
    """

    def build(builder: Any, y: Row, x: Row, w: Row, _: Row, depth: Any, stride: Any, height: Any) -> None:
        after = builder.append_basic_block("after")
        ways = {rows: builder.append_basic_block(f"rows{rows}") for rows in ROWS}
        choice = builder.switch(height, ways[1])
        for rows, block in ways.items():
            if rows > 1:
                choice.add_case(index(rows), block)
            builder.position_at_end(block)
            _product(builder, y, x, w, depth, stride, rows=rows, vectors=vectors, add=add)
            builder.branch(after)
        builder.position_at_end(after)

    return build


def _product(
    builder: Any, y: Row, x: Row, w: Row, depth: Any, stride: Any, *, rows: int, vectors: int, add: bool
) -> None:
    places = [
        [y.at(builder.add(builder.mul(stride, index(r)), index(v * LANES))) for v in range(vectors)]
        for r in range(rows)
    ]
    begin = [[place.load() if add else constant(builder, 0.0) for place in row] for row in places]
    before = builder.block
    loop = builder.append_basic_block("products")
    after = builder.append_basic_block("stores")
    builder.branch(loop)
    builder.position_at_end(loop)
    k = builder.phi(_INDEX)
    sums = [[builder.phi(_VECTOR) for _ in row] for row in places]
    here = x.at(builder.mul(k, stride))
    columns = [here.at(index(v * LANES)).load() for v in range(vectors)]
    weights = w.at(builder.mul(k, index(rows)))
    ends = []
    for r in range(rows):
        weight = weights.at(index(r)).spread()
        ends.append([weight * column + Vector(builder, sums[r][v]) for v, column in enumerate(columns)])
    following = builder.add(k, index(1))
    k.add_incoming(index(0), before)
    k.add_incoming(following, loop)
    for r in range(rows):
        for v in range(vectors):
            sums[r][v].add_incoming(begin[r][v].value, before)
            sums[r][v].add_incoming(ends[r][v].value, loop)
    builder.cbranch(builder.icmp_signed("<", following, depth), loop, after)
    builder.position_at_end(after)
    for r in range(rows):
        for v in range(vectors):
            places[r][v].store(ends[r][v])


def dots(builder: Any, y: Row, x: Row, g: Row, _: Row, stride: Any, columns: Any, tile: Any) -> None:
    """y[d, r] = the dot product of row d of x and row r of g, without gaps, for a tile of 16 * `DEEP` + `BROAD` rows.

    Rows are `columns` long, a multiple of `LANES`, and begin `stride` floats after the one before.
    """
    after = builder.append_basic_block("after")
    ways = {(deep, broad): builder.append_basic_block(f"tile{deep}x{broad}") for deep in DEEP for broad in BROAD}
    choice = builder.switch(tile, ways[1, 1])
    for (deep, broad), block in ways.items():
        if (deep, broad) != (1, 1):
            choice.add_case(index(16 * deep + broad), block)
        builder.position_at_end(block)
        _dots(builder, y, x, g, stride, columns, deep=deep, broad=broad)
        builder.branch(after)
    builder.position_at_end(after)


def _dots(builder: Any, y: Row, x: Row, g: Row, stride: Any, columns: Any, *, deep: int, broad: int) -> None:
    left = [x.at(builder.mul(stride, index(d))) for d in range(deep)]
    right = [g.at(builder.mul(stride, index(r))) for r in range(broad)]
    before = builder.block
    loop = builder.append_basic_block("dots")
    after = builder.append_basic_block("totals")
    builder.branch(loop)
    builder.position_at_end(loop)
    k = builder.phi(_INDEX)
    sums = [[builder.phi(_VECTOR) for _ in range(broad)] for _ in range(deep)]
    factors = [row.at(k).load() for row in right]
    ends = []
    for d in range(deep):
        factor = left[d].at(k).load()
        ends.append([factor * other + Vector(builder, sums[d][r]) for r, other in enumerate(factors)])
    following = builder.add(k, index(LANES))
    k.add_incoming(index(0), before)
    k.add_incoming(following, loop)
    for d in range(deep):
        for r in range(broad):
            sums[d][r].add_incoming(constant(builder, 0.0).value, before)
            sums[d][r].add_incoming(ends[d][r].value, loop)
    builder.cbranch(builder.icmp_signed("<", following, columns), loop, after)
    builder.position_at_end(after)
    for d in range(deep):
        for r in range(broad):
            builder.store(ends[d][r].total(), y.at(index(d * broad + r)).pointer)
