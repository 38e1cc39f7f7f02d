"""What to tell of a player that fails."""

from alphadiamond.errors import AlphaDiamondError


def fault_of(error: BaseException) -> str:
    """What to tell of an error that nobody foresaw."""
    if isinstance(error, AlphaDiamondError):
        return str(error)
    text = " ".join(str(error).split())
    return f"the player failed: {type(error).__name__}: {text[:200]}"
