"""What `prove` can be told."""

from dataclasses import dataclass, field

from alphadiamond.settings import above, between, each, maybe, one_of, setting, text
from alphadiamond.settings.cluster import ENGINE, RaySettings
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import A_SOLUTION, OUTPUT_DIRECTORY
from alphadiamond.settings.players import A_PLAYER
from alphadiamond.settings.ranges import or_empty


@dataclass
class ProveSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is played."""
    player: str = setting("neural:simulations=0,history=false", A_PLAYER)
    """Whom the proof is about: a function of the position alone, such as neural with history=false."""
    side: str = setting("both", one_of("first", "second", "both"))
    """Which side it plays: the one that moves first from the start of a game, the other, or both in turn."""
    starts: list[str] = setting([], each(text("a position")))
    """Where games begin, as texts of positions; empty for the start of the game."""
    plies: int | None = setting(None, maybe(between(1, 10_000), "until nothing new comes up"))
    """Look no further than so many own moves; null: until nothing new comes up."""
    exact: bool = True
    """Hold every move against the exact values, where the game has a table of them; the ends are counted without."""
    beyond: bool = False
    """With exact values: also go on where the player has lost a held game, which only the opponent's mistakes can bring
    back."""
    tablebase: str | None = setting(None, A_SOLUTION)
    """The directory of the tablebase; the user's data directory if not given."""
    certificate: str = setting("", or_empty(one_of("never_loses", "wins"), "none"))
    """Also write what was found as a file for proofs/check_proof.py, which knows the rules alone, and claim this of
    each side: that it never loses, or that it wins; empty for none."""
    part: int = setting(2048, between(1, 1 << 20))
    """Positions that a worker is given at once; their moves are on disk as soon as it has answered."""
    lines: int = setting(10, between(0, 1000))
    """How many games to write that lead to the first losses of each kind."""
    workers: int | None = setting(None, maybe(between(1, 1024), "one for each core"))
    """Processes that ask the player at the same time; null: one for each core."""
    engine: str = setting("processes", ENGINE)
    """Where they run: processes here, or ray for workers on any number of machines."""
    ray: RaySettings = field(default_factory=RaySettings)
    memory: float | None = setting(None, maybe(above(0, up_to=1e6), "what the machine has"))
    """Gigabytes that the sets of positions may take, 16 bytes for each; null: what the machine has."""
    resume: bool = True
    """Go on with what is in the directory; false: begin anew."""
    output: str = setting("results/proof", OUTPUT_DIRECTORY)
    """The directory for proof.json, proof.md, the games that lose, and the positions with the player's moves, 10 bytes
    each."""
