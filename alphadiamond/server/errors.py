"""What the server says no with."""

from alphadiamond.errors import AlphaDiamondError


class RefusedError(AlphaDiamondError):
    """A request that cannot be granted: a word for programs, a sentence for people."""

    def __init__(self, code: str, message: str, *, game: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.game = game


class ServerError(AlphaDiamondError):
    """The server cannot run like this."""
