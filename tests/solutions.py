"""The full tablebase for tests that need one: that of the user, if there is one."""

import functools

import pytest

from alphadiamond.solver import Tablebase


@functools.cache
def _find() -> Tablebase | None:
    return Tablebase.find()


def require_tablebase() -> Tablebase:
    """The tablebase in the user's data directory; the test is skipped where there is none."""
    tablebase = _find()
    if tablebase is None:
        pytest.skip("there is no tablebase in the data directory; `make solve` makes one")
    return tablebase
