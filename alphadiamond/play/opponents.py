"""Whom one can play: every registered player, the network first, with its levels and whether it can be had here."""

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from alphadiamond.agents import PlayerSpec, players_of
from alphadiamond.base.game import Game
from alphadiamond.files import data_directory
from alphadiamond.play.session import HUMAN
from alphadiamond.resources import CHECKPOINTS
from alphadiamond.settings.players import CHECKPOINT_SUFFIX

NEURAL: Final = "neural"
ADAPTIVE: Final = "adaptive"


@dataclass(frozen=True)
class Level:
    label: str
    spec: str


@dataclass(frozen=True)
class Opponent:
    name: str
    """As in the registry."""
    title: str
    blurb: str
    levels: tuple[Level, ...]
    usual: int = 0
    """Which level is offered first."""

    @property
    def spec(self) -> str:
        return self.levels[self.usual].spec


_HEURISTICS: Final = (
    ("Euclidean", "heuristic=euclidean"),
    ("Manhattan", "heuristic=manhattan"),
    ("Chebyshev", "heuristic=chebyshev"),
)
# Name: title, one line, and the levels as (label, parameters); the first of the list is offered first.
_KNOWN: Final[dict[str, tuple[str, str, tuple[tuple[str, str], ...], int]]] = {
    "neural": (
        "AlphaDiamond",
        "The network, trained by playing itself, with tree search",
        (("Quick", "simulations=50"), ("Steady", "simulations=200"), ("Deep", "simulations=800")),
        1,
    ),
    "perfect": ("Perfect", "Never gives anything away: it reads the solved game", (("Perfect", ""),), 0),
    "hybrid": ("Hybrid", "Minimax where it is sharp, tree search elsewhere", (("Standard", ""),), 0),
    "minimax": (
        "Minimax",
        "Looks ahead move by move, and misses nothing near",
        (("Depth 2", "depth=2"), ("Depth 4", "depth=4"), ("Depth 6", "depth=6")),
        1,
    ),
    "mcts": (
        "Tree search",
        "Plays thousands of random games before each move",
        (("Quick", "seconds=0.3"), ("Steady", "seconds=1.5"), ("Deep", "seconds=5")),
        1,
    ),
    "fuzzy": ("Fuzzy", "Rules of thumb and paths: attacks and defends by feel", (("Standard", ""),), 0),
    "hill_climbing": ("Hill climbing", "To whatever looks nearest, and back out of dead ends", _HEURISTICS, 0),
    "greedy_best_first": ("Greedy best-first", "Looks for a way by the distance alone", _HEURISTICS, 0),
    "breadth_first": ("Breadth-first", "The fewest steps, whatever they cost", (("Standard", ""),), 0),
    "dijkstra": ("Dijkstra", "The cheapest way, planned anew at every move", (("Standard", ""),), 0),
    "a_star": ("A*", "The cheapest way as far as its heuristic allows", _HEURISTICS[::-1], 0),
    "greedy": ("Greedy", "Takes what it can and looks no further", (("Standard", ""),), 0),
    "random": ("Random", "Any legal move. Good for a first win", (("Standard", ""),), 0),
}
_UNSAID: Final = ("checkpoint", "device", "seed", "strength", "command", "name", "player", "start_seconds")
"""Parameters that are no part of a player's name."""
_LADDER: Final = ("beginner", "easy", "medium", "hard", "expert")
_STRENGTH: Final = (
    *("neural", "hybrid", "minimax", "mcts", "expert", "hard", "perfect"),
    *("medium", "fuzzy", "greedy", "easy", "beginner", "random"),
)
"""Whom the window proposes, the first that can be had."""


def is_neural(spec: str) -> bool:
    return PlayerSpec.of_seat(spec).name == NEURAL


def short_title_of(spec: str) -> str:
    """A player's name for people without its level: `Minimax`; a network that is not shipped is told by its run or
    file, `AlphaDiamond · mine`."""
    if spec == HUMAN:
        return "Person"
    read = PlayerSpec.of_seat(spec)
    if read.program:
        return read.program
    name = read.name
    title = _KNOWN[name][0] if name in _KNOWN else name.replace("_", " ").capitalize()
    return f"{title} · {read.network}" if name == NEURAL and read.network else title


def title_of(spec: str) -> str:
    """A player's name for people: `Minimax · Depth 4`, `Tree search · seconds 9`."""
    title, read = short_title_of(spec), PlayerSpec.of_seat(spec)
    kept = read.without(_UNSAID).parameters
    if not kept:
        return title
    levels = {text: label for label, text in (_KNOWN[read.name][2] if read.name in _KNOWN else ())}
    said = levels.get(read.without(_UNSAID).parameter_text) or ", ".join(f"{key} {value}" for key, value in kept)
    return f"{title} · {said}"


def titles_of(seats: tuple[str, str], *, short: bool = False) -> tuple[str, str]:
    """The names at both seats; networks of one name in two places are told apart by the places."""
    one, two = ((short_title_of if short else title_of)(seat) for seat in seats)
    places = [PlayerSpec.of_seat(seat).get("checkpoint") for seat in seats]
    return (f"{one} · {places[0]}", f"{two} · {places[1]}") if one == two and places[0] != places[1] else (one, two)


def opponents(game: Game, *, checkpoint: str = "", device: str = "auto") -> list[Opponent]:
    """All players of a game: the network, the ladder of levels as one opponent, then the others by name."""
    players = players_of(game)
    found: list[Opponent] = []
    shared = {"checkpoint": checkpoint} if checkpoint else {}
    shared |= {"device": device} if device != "auto" else {}
    rungs = [name for name in _LADDER if name in players]
    names = [name for name in _KNOWN if name in players] + [n for n in players if n not in _KNOWN and n not in rungs]
    for name in names:
        title, blurb, levels, usual = _KNOWN.get(name, (short_title_of(name), _blurb(name), (("Standard", ""),), 0))
        specs = tuple(Level(label, str(_level(name, text, shared))) for label, text in levels)
        found.append(Opponent(name, title, blurb, specs, usual))
    if rungs:
        ladder = Opponent(
            "levels",
            "Levels",
            "From a first game to a hard one, step by step",
            tuple(Level(name.capitalize(), name) for name in rungs),
            min(1, len(rungs) - 1),
        )
        found.insert(1 if found and found[0].name == NEURAL else 0, ladder)
    return found


def _level(name: str, parameters: str, shared: dict[str, str]) -> PlayerSpec:
    spec = PlayerSpec.parse(f"{name}:{parameters}" if parameters else name)
    return spec.having(**shared) if name == NEURAL else spec


def _blurb(name: str) -> str:
    return {"adaptive": "Follows your results: stronger when you win, gentler when you lose"}.get(
        name, "A registered player"
    )


@dataclass
class Roster:
    """Opponents and what is known about which can be had."""

    checkpoint: str = ""
    device: str = "auto"
    faults: dict[str, str] = field(default_factory=dict)
    """By spec: why it cannot be had; empty text where it can."""
    game: Game = field(kw_only=True)

    @property
    def opponents(self) -> list[Opponent]:
        return opponents(self.game, checkpoint=self.checkpoint, device=self.device)

    def specs(self) -> tuple[str, ...]:
        """One spec a player, for finding out which can be built."""
        return tuple(dict.fromkeys(level.spec for opponent in self.opponents for level in opponent.levels))

    def to_prepare(self, first: str) -> tuple[str, ...]:
        """Whom to get ready before anybody is chosen: the last opponent, the usual one, then one of each kind."""
        kinds = [opponent.spec for opponent in self.opponents]
        return tuple(dict.fromkeys(spec for spec in (first, self.best(), *kinds) if spec))

    def fault(self, spec: str) -> str | None:
        """None while it is not known."""
        return self.faults.get(spec)

    def best(self) -> str:
        """The strongest opponent that can be had, as far as is known."""
        by_name = {opponent.name: opponent for opponent in self.opponents}
        players = players_of(self.game)
        for name in _STRENGTH:
            if name in by_name and not self.faults.get(by_name[name].spec):
                return by_name[name].spec
            if name in players and name not in by_name and not self.faults.get(name):
                return name
        return next(iter(players))

    def usable(self, spec: str) -> str:
        """The spec itself, or the best there is where it is known not to work."""
        return self.best() if not spec or self.faults.get(spec) else spec


def checkpoints(game: Game) -> list[Path]:
    """Networks of a game that lie where networks lie: shipped, in the user's data directory, and from training runs
    here; those that cannot be read stay, and say why when they are chosen."""
    own = data_directory() / "checkpoints"
    places = [(CHECKPOINTS / game.name, "*"), (own, "*"), (own / game.name, "*"), (Path("runs"), "**/*")]
    found: list[Path] = []
    for directory, pattern in places:
        if directory.is_dir():
            found += sorted(directory.glob(pattern + CHECKPOINT_SUFFIX), key=lambda path: path.name)
    return [path for path in dict.fromkeys(path.resolve() for path in found) if _played_by(path) in (game.name, "")]


def _played_by(path: Path) -> str:
    try:
        return _game_of(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@functools.lru_cache(maxsize=4096)
def _game_of(path: Path, changed: int) -> str:
    """Read once for as long as the file stays the same: a list is built anew with every glance at it."""
    from alphadiamond.agents.neural import game_of  # brings the search with it, which the title need not wait for

    return game_of(path)
