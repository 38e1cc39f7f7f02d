"""The settings of an analysis."""

from dataclasses import dataclass

from alphadiamond.settings import between, maybe, setting
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import OUTPUT_DIRECTORY
from alphadiamond.settings.players import A_PLAYER, PLAYERS
from alphadiamond.settings.ranges import SEED, text


@dataclass
class AnalyseSettings:
    subject: str | None = setting(None, maybe(text("a position, the path of a record, or -"), "the start of the game"))
    """A position as text, the path of a record, or - for either from standard input; the start of the game if not
    given. It may stand first without `subject=`."""
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Which game a position is of; a record says so itself."""
    players: list[str] = setting([], PLAYERS)
    """Whom to ask about a position; empty: every player of the game."""
    judge: str | None = setting(None, maybe(A_PLAYER, "neural:simulations=400, or minimax where no network is shipped"))
    """Whose values make the curve of a record, and its mistakes where the game is not solved."""
    number: int = setting(1, between(1, 1_000_000_000))
    """Which game of a file with several."""
    exact: bool = True
    """Look up exact values where the game is solved."""
    seed: int = setting(1, SEED)
    """Seeds the players' dice."""
    output: str = setting("results/analysis", OUTPUT_DIRECTORY)
    """The directory for analysis.json, and for curve.png of a record."""
