"""The settings of the engine."""

from dataclasses import dataclass

from alphadiamond.settings import between, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.players import A_PLAYER


@dataclass
class EngineSettings:
    player: str = setting("neural", A_PLAYER)
    """Who answers queries that name no player."""
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What queries are about that name no game."""
    places: int = setting(128, between(1, 65_536))
    """Positions that the network works on together; more are faster by the hour, fewer answer sooner."""
    searches: int = setting(0, between(0, 64, note="0 for one a core, four at most"))
    """Threads that search for the network, each with places of its own, as long as more positions wait than the first
    has places for; 0 means one for each core, four at most."""
    threads: int = setting(0, between(0, 1024, note="0 for one a core"))
    """Threads for the players who think about one position at a time; 0 means one for each core."""
    memory: int = setting(512, between(1, 1_000_000))
    """Megabytes for the trees of each batch; where they do not suffice, fewer positions are worked on together."""
    waiting: int = setting(100_000, between(1, 100_000_000))
    """Positions that may wait for their turn; queries beyond are refused with an error object."""
