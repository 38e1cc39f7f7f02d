"""What to tell of a player that fails."""

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.players import AgentError


def fault_of(error: BaseException) -> str:
    """An error of a player as one sentence, without the player's own name: who is told knows whom they have asked."""
    if isinstance(error, AgentError):
        return error.reason
    if isinstance(error, AlphaDiamondError):
        return str(error)
    text = " ".join(str(error).split())
    return f"the player failed: {type(error).__name__}: {text[:200]}"
