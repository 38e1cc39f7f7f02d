"""Every game has its adapters, also one that others have added."""

from tests.contract.conftest import tic_tac_toe

__all__ = ["tic_tac_toe"]
