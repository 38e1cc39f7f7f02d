"""Games as the database has them."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.online_game import OnlineGame, Patience

_ROW: Final = (
    "SELECT games.id, code, game, first, second, rated, seconds, increment, began, ended, result, ending, number, "
    "start, (SELECT code FROM games AS next WHERE next.follows = games.id), "
    "(SELECT before.start = games.start FROM games AS before WHERE before.id = games.follows), one.bot, two.bot "
    "FROM games JOIN people AS one ON one.id = games.first JOIN people AS two ON two.id = games.second "
)
_MOVES: Final = "SELECT move, at, clock FROM moves WHERE game = ? ORDER BY ply"
_CHANGES: Final = (
    "SELECT person, before, value, deviation FROM changes WHERE game = ? AND number = ? AND person IN (?, ?)"
)

Read = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
Changes = tuple[m.Change, m.Change] | None


class Finished(NamedTuple):
    online_game: OnlineGame
    changes: Changes


def going(read: Read, games: dict[str, Game], patience: Patience, now: int) -> Iterable[OnlineGame]:
    """Those that go on, as far as the server has their rules; the others wait."""
    for row in read(f"{_ROW} WHERE result IS NULL", ()):
        if row[2] in games:
            yield _online_game(row, read(_MOVES, (row[0],)), games, patience, now)


def finished(
    connection: sqlite3.Connection, games: dict[str, Game], code: str, patience: Patience, now: int
) -> Finished | None:
    """One that has ended, replayed; for a thread, since that takes a while."""
    row = connection.execute(f"{_ROW} WHERE code = ? AND result IS NOT NULL", (code,)).fetchone()
    if row is None or row[2] not in games:
        return None
    moves = connection.execute(_MOVES, (row[0],)).fetchall()
    found = connection.execute(_CHANGES, (row[2], row[12], row[3], row[4]))
    changes = {person: m.Change(round(before), round(value), round(dev)) for person, before, value, dev in found}
    both = (changes[row[3]], changes[row[4]]) if len(changes) == 2 else None
    return Finished(_online_game(row, moves, games, patience, now), both)


def _online_game(
    row: tuple[Any, ...], moves: Iterable[tuple[Any, ...]], games: dict[str, Game], patience: Patience, now: int
) -> OnlineGame:
    (
        number,
        code,
        game,
        first,
        second,
        rated,
        seconds,
        increment,
        began,
        ended,
        result,
        ending,
        _,
        start,
        follower,
        returns,
        *bots,
    ) = row
    online_game = OnlineGame(
        games[game],
        number=number,
        code=code,
        people=(first, second),
        bots=(bool(bots[0]), bool(bots[1])),
        rated=bool(rated),
        clock=None if seconds is None else m.Clock(seconds, increment),
        start=games[game].parse(start),
        now=began,
        patience=patience,
    )
    online_game.restore(((str(move), at, clock) for move, at, clock in moves), now)
    if result is not None:
        online_game.end(result, ending, ended)
    elif online_game.position.outcome is not None:
        raise RefusedError("unknown", f"game {code} is over, and the database does not say so")
    online_game.rematch, online_game.returns = follower, bool(returns)
    return online_game
