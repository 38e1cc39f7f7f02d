"""The settings of an analysis, and how a bare position or path on the command line becomes one of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path


@dataclass
class AnalyseSettings:
    subject: str | None = None
    """A position as text, the path of a record, or - for either from standard input; the start of the game if not
    given. It may stand alone, without `subject=`."""
    players: list[str] = field(default_factory=list)
    """Whom to ask about a position; empty: every registered player."""
    judge: str = "neural:simulations=400"
    """Whose values make the curve of a record, and its mistakes where the game is not solved."""
    number: int = 1
    """Which game of a file with several."""
    exact: bool = True
    """Look up exact values where the game is solved."""
    seed: int = 1
    """Seeds the players' dice."""
    output: str = "results/analysis"
    """The directory for analysis.json, and for curve.png of a record."""


def named(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command line with the bare one as `subject=`; quotes for what Hydra would take apart."""
    known = {one.name for one in fields(AnalyseSettings)}
    found = []
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if argument != "-" and argument.startswith("-"):
            found.append(argument)
        elif key.lstrip("+~") not in known and (not equals or Path(argument).exists()):
            found.append(_quoted("subject", argument))
        elif key in ("subject", "judge", "output") and value not in ("", "null") and value[0] not in "'\"":
            found.append(_quoted(key, value))
        elif key == "players" and value not in ("", "null") and not {"'", '"'} & set(value):
            found.append(f"players=[{','.join(repr(one) for one in _players(value.strip('[]')))}]")
        else:
            found.append(argument)
    return found


def _players(text: str) -> list[str]:
    """`random,mcts:simulations=100,seed=2` is two players: what has a value but no name belongs to the one before."""
    players: list[str] = []
    for piece in text.split(","):
        head, equals, _ = piece.partition("=")
        if equals and ":" not in head and players:
            players[-1] += f",{piece.strip()}"
        elif piece.strip():
            players.append(piece.strip())
    return players


def _quoted(key: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{key}='{escaped}'"
