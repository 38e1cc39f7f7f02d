"""What `solve` can be told."""

from dataclasses import dataclass

from alphadiamond.settings import between, maybe, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import OUTPUT_DIRECTORY, WHERE_SOLUTIONS_ARE


@dataclass
class SolveSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What to solve: a game whose solution is a table. Connect Four and the Labyrinth are solved when asked."""
    output: str | None = setting(None, maybe(OUTPUT_DIRECTORY, WHERE_SOLUTIONS_ARE))
    """The directory of the solution; the user's data directory if not given, where every player looks for it."""
    verify: bool = False
    """Prove the finished solution there instead: every entry against its successors."""
    report: bool = False
    """Tell more about the finished solution there instead: a longest game, and how often a random move goes wrong."""
    resume: bool = True
    """Keep what is already there and whole."""
    threads: int = setting(0, between(0, 1024, note="0 for one a core"))
    """How many to use; 0 means one for each core."""
