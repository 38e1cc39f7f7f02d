"""Results of the games a person has played, in SQLite; a damaged file is set aside and a new one begun."""

import contextlib
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from alphadiamond.base.game import Game
from alphadiamond.files import data_directory, set_aside
from alphadiamond.games import UNNAMED

_VERSION: Final = 2
_SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY,
    played TEXT NOT NULL DEFAULT (datetime('now')),
    game TEXT NOT NULL DEFAULT '{UNNAMED}',
    opponent TEXT NOT NULL,
    colour TEXT NOT NULL,
    result TEXT NOT NULL CHECK (result IN ('won', 'drawn', 'lost')),
    ending TEXT NOT NULL,
    plies INTEGER NOT NULL,
    seconds REAL NOT NULL,
    judged INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    taken_back INTEGER NOT NULL,
    hints INTEGER NOT NULL
)
"""

_OLD_COLUMNS: Final = "id, played, opponent, colour, result, ending, plies, seconds, judged, kept, taken_back, hints"
"""Of the first version, which knew one game."""


@dataclass(frozen=True)
class GameResult:
    """One finished game of a person against a player."""

    opponent: str
    colour: str
    """The person's side."""
    result: str
    """won, drawn or lost."""
    ending: str
    plies: int
    seconds: float = 0.0
    """The person's thinking time."""
    judged: int = 0
    """The person's moves whose exact value is known."""
    kept: int = 0
    """Those that kept the value of the position."""
    taken_back: int = 0
    hints: int = 0
    game: Game = field(kw_only=True)


@dataclass(frozen=True)
class Row:
    """Totals for one opponent, one colour, or all."""

    name: str
    won: int
    drawn: int
    lost: int
    length: float
    """Plies, on average."""
    accuracy: float | None
    """The share of judged moves that kept the value; None where none was judged."""

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0


_TOTALS: Final = """
    coalesce(sum(result = 'won'), 0), coalesce(sum(result = 'drawn'), 0), coalesce(sum(result = 'lost'), 0),
    coalesce(avg(plies), 0.0), coalesce(sum(judged), 0), coalesce(sum(kept), 0)
    FROM games WHERE game = ?
"""


class Statistics:
    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_directory() / "statistics.sqlite"
        self.notice = ""
        """Set when a damaged file had to be set aside, or none can be written."""
        try:
            self._open()
        except sqlite3.DatabaseError:
            self.notice = set_aside(self.path, "statistics")
            with contextlib.suppress(sqlite3.DatabaseError, OSError):
                self._open()
                return
            self._open_in_memory()
        except OSError:
            self._open_in_memory()

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(self.path, timeout=2.0)
        try:
            if self._database.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("damaged")
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, 1, _VERSION):
                raise sqlite3.DatabaseError(f"version {version}")
            if version == 1:
                self._upgrade()
            self._database.execute(_SCHEMA)
            self._database.execute(f"PRAGMA user_version = {_VERSION}")
            self._database.commit()
            self._database.execute("SELECT " + _TOTALS, (UNNAMED,)).fetchone()  # the columns are those we expect
        except BaseException:
            self._database.close()
            raise

    def _upgrade(self) -> None:
        """Results from before there were several games, all at once or not at all."""
        with self._database:
            self._database.execute("BEGIN")
            self._database.execute("ALTER TABLE games RENAME TO old_games")
            self._database.execute(_SCHEMA)
            self._database.execute(f"INSERT INTO games ({_OLD_COLUMNS}) SELECT {_OLD_COLUMNS} FROM old_games")
            self._database.execute("DROP TABLE old_games")
            self._database.execute(f"PRAGMA user_version = {_VERSION}")

    def _open_in_memory(self) -> None:
        self.notice = (
            self.notice or f"Statistics cannot be kept in {self.path.parent}; this window's games count alone."
        )
        self._database = sqlite3.connect(":memory:")
        self._database.execute(_SCHEMA)

    def add(self, game: GameResult) -> None:
        columns = list(game.__dataclass_fields__)
        marks = ", ".join("?" for _ in columns)
        try:
            with self._database:
                self._database.execute(
                    f"INSERT INTO games ({', '.join(columns)}) VALUES ({marks})",
                    [game.game.name if column == "game" else getattr(game, column) for column in columns],
                )
        except sqlite3.Error as error:
            self.notice = f"The game could not be counted: {error}."

    def total(self, game: Game, name: str = "All games") -> Row:
        return self._row(name, self._database.execute("SELECT " + _TOTALS, (game.name,)).fetchone())

    def by_colour(self, game: Game) -> list[Row]:
        """A row for each side that has been played, by the side's name."""
        found = self._database.execute(
            f"SELECT colour, {_TOTALS} GROUP BY colour ORDER BY colour", (game.name,)
        ).fetchall()
        return [self._row(row[0], row[1:]) for row in found]

    def by_opponent(self, game: Game) -> list[Row]:
        found = self._database.execute(
            f"SELECT opponent, {_TOTALS} GROUP BY opponent ORDER BY count(*) DESC, opponent", (game.name,)
        ).fetchall()
        return [self._row(row[0], row[1:]) for row in found]

    @staticmethod
    def _row(name: str, values: tuple[int, int, int, float, int, int]) -> Row:
        won, drawn, lost, length, judged, kept = values
        return Row(name, won, drawn, lost, length, kept / judged if judged else None)

    def results(self, game: Game, limit: int = 40) -> list[str]:
        """The latest results, the newest last."""
        found = self._database.execute(
            "SELECT result FROM games WHERE game = ? ORDER BY id DESC LIMIT ?", (game.name, limit)
        ).fetchall()
        return [row[0] for row in reversed(found)]

    def streaks(self, game: Game) -> tuple[int, int]:
        """Wins in a row: now, and the most ever."""
        now = best = 0
        for (result,) in self._database.execute("SELECT result FROM games WHERE game = ? ORDER BY id", (game.name,)):
            now = now + 1 if result == "won" else 0
            best = max(best, now)
        return now, best

    def clear(self, game: Game) -> None:
        with self._database:
            self._database.execute("DELETE FROM games WHERE game = ?", (game.name,))

    def close(self) -> None:
        self._database.close()
