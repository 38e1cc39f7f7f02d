"""The errors of everything that reads text or takes moves, and small words for saying what was wrong."""

from alphadiamond.errors import AlphaDiamondError


class NotationError(AlphaDiamondError, ValueError):
    """Text that is no position, move or record; it says what is wrong and where."""


class PositionError(NotationError):
    """Pieces that cannot stand like this in any game."""


class IllegalMoveError(AlphaDiamondError, ValueError):
    """A move that the rules do not allow here; it says why."""


def require_text(text: object, what: str) -> str:
    if not isinstance(text, str):
        raise NotationError(f"{what} is text, not {type(text).__name__}")
    return text


def shown(text: str, limit: int = 40) -> str:
    """Text from outside, fit for one line of an error message."""
    return ascii(text if len(text) <= limit else text[:limit] + "...")
