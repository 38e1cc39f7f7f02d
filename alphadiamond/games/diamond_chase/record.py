"""Records of Diamond Chase: as of any game, with the beads that a move removes.

[Green "minimax:depth=4"]
[Red "human"]
[Date "2026-11-16"]
[Result "green"]
[Ending "beads"]
[Start "r/rr/r/r.r/......./g.g/g/gg/g g 0"]

1. si-cs ni-cn 2. cs-c(cn) ...
green
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from alphadiamond.base import record
from alphadiamond.base.game import Game
from alphadiamond.base.record import RecordError
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.position import Position

UNFINISHED: Final = record.UNFINISHED
RESULTS: Final = record.results_of(GAME)


class GameRecord(record.GameRecord):
    """One game, finished or not; made with `GameRecord.of`, it is always a legal one."""

    start: Position
    moves: tuple[Move, ...]

    @classmethod
    def of(
        cls,
        start: Position,
        moves: Iterable[Move],
        *,
        green: str,
        red: str,
        result: str | None = None,
        ending: str | None = None,
        date: str = "",
        tags: dict[str, str] | None = None,
    ) -> "GameRecord":
        """Check a game and say how it ended; result and ending are needed only where the rules do not tell."""
        return cls.checked(GAME, start, moves, players=(green, red), result=result, ending=ending, date=date, tags=tags)

    @classmethod
    def parse(cls, text: str) -> "GameRecord":
        """Read one game."""
        records = parse_records(text)
        if len(records) != 1:
            raise RecordError(f"expected one game, found {len(records)}")
        return records[0]

    @property
    def green(self) -> str:
        """Who played green."""
        return self.players[0]

    @property
    def red(self) -> str:
        """Who played red."""
        return self.players[1]

    def positions(self) -> Iterator[Position]:
        return super().positions()

    @property
    def final(self) -> Position:
        *_, last = self.positions()
        return last


def parse_records(text: str) -> list[GameRecord]:
    """Read any number of games; a fault names the line and, where there is one, the move."""
    return [one for one in record.parse_records(text, _load) if isinstance(one, GameRecord)]


def read_records(path: Path) -> list[GameRecord]:
    return [one for one in record.read_records(path, _load) if isinstance(one, GameRecord)]


def write_records(path: Path, records: Iterable[GameRecord]) -> None:
    record.write_records(path, records)


def _load(name: str | None) -> Game:
    if name not in (None, GAME.name):
        raise RecordError(f"the record is of {name}, not of {GAME.name}")
    return GAME
