"""Random numbers for compiled code: one uint64 of state per stream, handed down by the caller (splitmix64)."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)


def random_stream(generator: np.random.Generator) -> npt.NDArray[np.uint64]:
    """[1] the state of a stream for compiled code, seeded from a numpy generator."""
    return generator.integers(0, 1 << 64, size=1, dtype=np.uint64)


@njit
def splitmix(value: Any) -> int:
    """The bits that splitmix64 makes of a uint64; also a hash of it."""
    z = value + _GAMMA
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit
def random_bits(stream: npt.NDArray[np.uint64]) -> int:
    bits = splitmix(stream[0])
    stream[0] += _GAMMA
    return bits


@njit
def random_below(stream: npt.NDArray[np.uint64], bound: int) -> int:
    """A whole number from 0 to bound - 1 (bound up to 2**31)."""
    return np.int64(((random_bits(stream) >> np.uint64(33)) * np.uint64(bound)) >> np.uint64(31))


@njit
def random_unit(stream: npt.NDArray[np.uint64]) -> float:
    """A number in [0, 1)."""
    return np.float64(random_bits(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
