"""Borrowed arrays: the same values, and their owner keeps them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import borrowed, njit

Row = npt.NDArray[np.int64]


class Pair(NamedTuple):
    left: Row
    right: tuple[Row, int]


@njit
def add_up(pair: Pair) -> int:
    pair = borrowed(pair)
    total = 0
    for i in range(len(pair.left)):
        pair.left[i] += pair.right[0][i] * pair.right[1]
        total += pair.left[i]
    return total


def test_a_borrowed_tuple_is_read_and_written_like_the_arrays_in_it() -> None:
    left, right = np.arange(4), np.full(4, 10)
    assert add_up(Pair(left, (right, 2))) == 6 + 80
    assert left.tolist() == [20, 21, 22, 23]


def test_what_is_borrowed_is_still_its_callers_afterwards() -> None:
    held = Pair(np.arange(3), (np.ones(3, dtype=np.int64), 1))
    for _ in range(1000):
        add_up(held)
    assert held.left.tolist() == [1000, 1001, 1002]
    assert held.left.base is None
