"""Whether the database agrees with itself: every game by the rules, every rating by the games."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GAMES, load
from alphadiamond.server import standings
from alphadiamond.server.errors import ServerError
from alphadiamond.server.online_game import WINNER
from alphadiamond.server.storage import connect


@dataclass
class Audit:
    games: int = 0
    moves: int = 0
    ratings: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = f"{self.games:,} games with {self.moves:,} moves, {self.ratings:,} ratings"
        return f"{counts}: " + ("all agree" if not self.faults else "; ".join(self.faults[:5]))


def audit(path: Path) -> Audit:
    """Replay everything."""
    if not path.is_file():
        raise ServerError(f"{path}: no database is there")
    found = Audit()
    with contextlib.closing(connect(path, read_only=True)) as connection:
        (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
        if whole != "ok":
            found.faults.append(f"the database is damaged: {whole}")
        games = connection.execute("SELECT id, code, game, result, ending, start FROM games").fetchall()
        for number, code, game, result, ending, start in games:
            sql = "SELECT ply, move FROM moves WHERE game = ? ORDER BY ply"
            moves = connection.execute(sql, (number,)).fetchall()
            found.games += 1
            found.moves += len(moves)
            found.faults += [f"game {code}: {fault}" for fault in _game_faults(game, start, moves, result, ending)]
        again, kept = standings.replayed(connection), standings.stored(connection)
        found.ratings = len(kept)
        for key in again.keys() | kept.keys():
            if again.get(key) != kept.get(key):
                found.faults.append(f"rating of {key}: {kept.get(key)} is stored, the games give {again.get(key)}")
    return found


def _game_faults(
    name: str, start: str, moves: list[tuple[int, str]], result: str | None, ending: str | None
) -> Iterator[str]:
    if name not in GAMES:
        yield f"no game is called {name}"
        return
    game = load(name)
    try:
        position = game.parse(start)
    except AlphaDiamondError as error:
        yield f"its start cannot be read: {error}"
        return
    if not game.seeded and position != game.start():
        yield "it begins elsewhere"
        return
    for due, (ply, move) in enumerate(moves):
        if ply != due:
            yield f"ply {due} is missing"
            return
        try:
            position = position.play(game.parse_move(move))
        except (AlphaDiamondError, ValueError) as error:
            yield f"ply {ply}: {error}"
            return
    outcome = position.outcome
    if outcome is None:
        return
    winner = outcome.winner
    by_rules = ("draw" if winner is None else WINNER[game.sides.index(winner)], str(outcome.reason))
    if (result, ending) != by_rules:
        yield f"it ended {by_rules}, and {(result, ending)} is stored"
