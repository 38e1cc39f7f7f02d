"""What is written, as statements."""

from alphadiamond.server.glicko import Rating
from alphadiamond.server.names import key_of, skeleton_of
from alphadiamond.server.storage import Statement

# Each text is one object, so that the writer sees which statements are of one kind.
_PERSON = "INSERT INTO people (id, name, key, skeleton, token, bot, created) VALUES (?, ?, ?, ?, ?, ?, ?)"
_TOKEN = "UPDATE people SET token = ? WHERE id = ?"
_RECOVERY = "UPDATE people SET recovery = ? WHERE id = ?"
_NAME = "UPDATE people SET name = ?, key = ?, skeleton = ? WHERE id = ?"
_SILENCED = "UPDATE people SET silenced = ? WHERE id = ?"
_REMOVED = (
    "UPDATE people SET name = ?, key = ?, skeleton = '', token = NULL, recovery = NULL, silenced = 0 WHERE id = ?"
)
_GAME = (
    "INSERT INTO games (id, code, game, first, second, rated, seconds, increment, start, began, follows) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_MOVE = "INSERT INTO moves (game, ply, move, at, clock) VALUES (?, ?, ?, ?, ?)"
_TAKE_BACK = "DELETE FROM moves WHERE game = ? AND ply >= ?"
_CLOCK = "UPDATE moves SET clock = ? WHERE game = ? AND ply = ?"
_END = "UPDATE games SET ended = ?, result = ?, ending = ?, rated = ?, number = ? WHERE id = ?"
_RATING = "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CHANGE = "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)"
_CHALLENGE = "INSERT INTO challenges VALUES (?, ?, ?, ?, ?)"
_EXPIRED = "DELETE FROM challenges WHERE until <= ?"
_NO_CHALLENGE = "DELETE FROM challenges WHERE code = ?"


def add_person(person: int, name: str, token: bytes | None, *, at: int) -> Statement:
    return Statement(_PERSON, (person, name, key_of(name), skeleton_of(name), token, token is None, at))


def set_token(person: int, token: bytes) -> Statement:
    return Statement(_TOKEN, (token, person))


def set_recovery(person: int, code: bytes | None) -> Statement:
    return Statement(_RECOVERY, (code, person))


def rename(person: int, name: str) -> Statement:
    return Statement(_NAME, (name, key_of(name), skeleton_of(name), person))


def silence(person: int, silenced: bool) -> Statement:
    return Statement(_SILENCED, (silenced, person))


def remove_person(person: int, name: str) -> Statement:
    """Whoever has left: games and ratings stay, under a name that says nothing."""
    return Statement(_REMOVED, (name, key_of(name), person))


def add_game(
    number: int,
    code: str,
    game: str,
    people: tuple[int, int],
    *,
    rated: bool,
    seconds: int | None,
    increment: int,
    start: str,
    at: int,
    follows: int | None,
) -> Statement:
    return Statement(_GAME, (number, code, game, *people, rated, seconds, increment, start, at, follows))


def add_move(game: int, ply: int, move: str, *, at: int, clock: int | None) -> Statement:
    return Statement(_MOVE, (game, ply, move, at, clock))


def take_back(game: int, ply: int) -> Statement:
    """Remove the moves from this one on."""
    return Statement(_TAKE_BACK, (game, ply))


def set_clock(game: int, ply: int, clock: int) -> Statement:
    """What the mover has left since a take-back, which does not give time back."""
    return Statement(_CLOCK, (clock, game, ply))


def end_game(game: int, result: str, ending: str, *, rated: bool, number: int, at: int) -> Statement:
    """`rated` as it turned out: a game may end too early to count."""
    return Statement(_END, (at, result, ending, rated, number, game))


def set_rating(person: int, game: str, rating: Rating, record: tuple[int, int, int]) -> Statement:
    return Statement(_RATING, (person, game, rating.value, rating.deviation, rating.volatility, rating.at, *record))


def add_change(person: int, game: str, number: int, before: Rating, after: Rating, *, at: int) -> Statement:
    return Statement(_CHANGE, (person, game, number, at, before.value, after.value, after.deviation))


def add_challenge(code: str, owner: int, invited: int | None, terms: str, *, until: int) -> Statement:
    return Statement(_CHALLENGE, (code, owner, invited, terms, until))


def drop_challenge(code: str) -> Statement:
    return Statement(_NO_CHALLENGE, (code,))


def drop_challenges(now: int) -> Statement:
    """Those whose time is over."""
    return Statement(_EXPIRED, (now,))
