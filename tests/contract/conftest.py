"""Tic-tac-toe is among the games here, and nowhere else: the window, say, offers what is registered."""

from collections.abc import Iterator

import pytest

from alphadiamond import games
from tests.contract.plain import PLACE


def pytest_collection_finish() -> None:
    """Modules were collected with it."""
    games.unregister("tic_tac_toe")


@pytest.fixture(autouse=True, scope="package")
def tic_tac_toe() -> Iterator[None]:
    games.register("tic_tac_toe", PLACE)
    yield
    games.unregister("tic_tac_toe")
