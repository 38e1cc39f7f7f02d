"""The bots of a server: every player of the project, and the network at several strengths, as a fixed list.

A client names one of them and nothing else: no text of a client becomes a player's specification.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from alphadiamond.agents.registry import check_player, players_of
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.server.glicko import Rating, anchored
from alphadiamond.settings.players import PlayerSpec

SIGN: Final = "@"
"""Begins every bot's name, and no person's."""

_KNOWN: Final = (
    ("network", "Network", "neural:simulations=100"),
    ("network-policy", "Network, first glance", "neural:simulations=0"),
    ("network-quick", "Network, 25 simulations", "neural:simulations=25"),
    ("network-deep", "Network, 800 simulations", "neural:simulations=800"),
    ("minimax-2", "Minimax, 2 plies", "minimax:depth=2"),
    ("minimax-4", "Minimax, 4 plies", "minimax:depth=4"),
    ("minimax-6", "Minimax, 6 plies", "minimax:depth=6"),
    ("mcts", "Tree search, 1,000 rollouts", "mcts:simulations=1000"),
    ("hybrid", "Hybrid", "hybrid:simulations=1000,depth=6"),
)
_LEFT_OUT: Final = ("adaptive",)
"""It follows one person's results."""

ANCHORS: Final[dict[str, dict[str, float]]] = {
    "diamond_chase": {
        "random": 461.0,
        "beginner": 1017.0,
        "easy": 1177.0,
        "medium": 1500.0,
        "minimax-2": 1500.0,
        "hard": 1636.0,
        "expert": 1809.0,
        "minimax-4": 1809.0,
    }
}
"""Bots whose rating is fixed: the measured ladder of docs/reference/players.md, with `medium` at 1500 (it is
minimax of two plies, and `expert` of four)."""
_ANCHOR: Final = {"minimax-2": 1500.0}
"""In a game whose ladder nobody has measured, minimax of two plies is 1500."""


@dataclass(frozen=True)
class BotPlayer:
    name: str
    """With its sign."""
    title: str
    game: str
    spec: str
    anchor: float | None = None

    @property
    def exact(self) -> bool:
        """Whether what it says is the truth."""
        return self.spec.partition(":")[0] == "perfect"

    @property
    def rating(self) -> Rating:
        """What it begins with."""
        return Rating() if self.anchor is None else anchored(self.anchor)


def bots_of(game: Game, *, more: Iterable[str] = ()) -> list[BotPlayer]:
    """The bots of a game that can be had here."""
    anchors = ANCHORS.get(game.name, _ANCHOR)
    levels = {spec.partition(":")[0] for _, _, spec in _KNOWN}
    named = [
        *_KNOWN,
        *(
            (name, name.replace("_", " ").capitalize(), name)
            for name in players_of(game)
            if name not in (*levels, *_LEFT_OUT)
        ),
        *((*_names(spec), spec) for spec in more),
    ]
    found: dict[str, BotPlayer] = {}
    for name, title, spec in named:
        if not fault_of(game, spec):
            found.setdefault(name, BotPlayer(SIGN + name, title, game.name, spec, anchors.get(name)))
    return list(found.values())


def _names(spec: str) -> tuple[str, str]:
    """What a bot of the server's own list is called; the command of another program is nobody's business."""
    program = PlayerSpec.parse(spec).program
    return (program, program) if program else (spec.replace(":", " ").replace(",", " "), spec)


def fault_of(game: Game, spec: str) -> str:
    """Why a player cannot be had, or nothing."""
    try:
        check_player(spec, game=game)
    except AlphaDiamondError as error:
        return str(error)
    return ""
