"""Sorted sets as compiled code."""

import numpy as np
import numpy.typing as npt

from alphadiamond.base.compilation import njit

Numbers = npt.NDArray[np.uint64]


@njit
def merged(first: Numbers, second: Numbers) -> Numbers:
    """Two sorted arrays with nothing in common as one."""
    both = np.empty(len(first) + len(second), dtype=np.uint64)
    i = j = 0
    for k in range(len(both)):
        if j == len(second) or (i < len(first) and first[i] < second[j]):
            both[k] = first[i]
            i += 1
        else:
            both[k] = second[j]
            j += 1
    return both


@njit
def missing_from(numbers: Numbers, known: Numbers) -> Numbers:
    """Those of sorted numbers that are not among sorted known ones, each once."""
    found = np.empty(len(numbers), dtype=np.uint64)
    count = j = 0
    for i in range(len(numbers)):
        if i > 0 and numbers[i] == numbers[i - 1]:
            continue
        while j < len(known) and known[j] < numbers[i]:
            j += 1
        if j == len(known) or known[j] != numbers[i]:
            found[count] = numbers[i]
            count += 1
    return found[:count]


@njit
def distinct_below(rows: npt.NDArray[np.int64], numbers: Numbers, chosen: Numbers) -> npt.NDArray[np.uint8]:
    """[B] how many different ones among the numbers [M] of each row are below `chosen` [B]; `rows` [M] are sorted."""
    found = np.zeros(len(chosen), dtype=np.uint8)
    start = 0
    while start < len(rows):
        stop = start
        while stop < len(rows) and rows[stop] == rows[start]:
            stop += 1
        limit = chosen[rows[start]]
        for i in range(start, stop):
            counts = numbers[i] < limit
            for j in range(start, i):
                counts = counts and numbers[j] != numbers[i]
            found[rows[start]] += counts
        start = stop
    return found


@njit
def leb128(values: Numbers) -> npt.NDArray[np.uint8]:
    """Seven bits a byte, lowest first, the eighth bit set where more follow."""
    content = np.empty(10 * len(values), dtype=np.uint8)
    size = 0
    for value in values:
        while value >= np.uint64(128):
            content[size] = np.uint8(value & np.uint64(127)) | np.uint8(128)
            size += 1
            value >>= np.uint64(7)
        content[size] = np.uint8(value)
        size += 1
    return content[:size]
