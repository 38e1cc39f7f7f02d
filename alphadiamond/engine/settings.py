"""The settings of the engine."""

from dataclasses import dataclass


@dataclass
class EngineSettings:
    player: str = "neural"
    """Who answers queries that name no player."""
    places: int = 128
    """Positions that the network works on together; more are faster by the hour, fewer answer sooner."""
    threads: int = 0
    """Threads for the players who think about one position at a time; 0 means one for each core."""
    memory: int = 512
    """Megabytes for the trees of each batch; where they do not suffice, fewer positions are worked on together."""
    waiting: int = 100000
    """Positions that may wait for their turn; queries beyond are refused with an error object."""
