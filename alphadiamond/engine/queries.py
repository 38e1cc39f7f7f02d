"""Lines from another program: queries and actions, checked in full before anyone works on them."""

import difflib
import json
import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from alphadiamond.base.game import Game
from alphadiamond.base.notation import shown
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GameError, load
from alphadiamond.runner import MAX_LINE

Id: TypeAlias = str | int

LIMITS: Final = ("simulations", "depth", "seconds")
ACTIONS: Final = {
    "terminate": ("query", "turns"),
    "terminate_all": (),
    "version": (),
    "players": ("game",),
    "check": ("game", "player"),
    "result": ("game", "player", "session", "score"),
}
"""Each action and the keys it takes beside `id` and `action`."""
_KEYS: Final = (
    "id",
    "position",
    "moves",
    "turns",
    "player",
    "limits",
    "time_limit",
    "report_seconds",
    "move_only",
    "session",
    "priority",
    "seed",
    "top",
    "game",
)


class QueryError(AlphaDiamondError, ValueError):
    """A line that cannot be worked on: what is wrong, in which key, and whose line it was where that is known."""

    def __init__(self, message: str, *, key: str | None = None, id: Id | None = None) -> None:
        super().__init__(message)
        self.key = key
        self.id = id


@dataclass(frozen=True)
class Query:
    """A question about one position or several of one game."""

    id: Id
    game: Game
    """The game that they are of."""
    positions: dict[int, Any]
    """By the number of moves before them."""
    player: str | None = None
    limits: dict[str, float] = field(default_factory=dict)
    """Of LIMITS, those that were given."""
    time_limit: float | None = None
    """Seconds after which the answer is wanted, whatever the player's own limits."""
    report_seconds: float | None = None
    """How often to say what has been found so far."""
    move_only: bool = False
    """Whether the move is all that is wanted."""
    session: Id | None = None
    """The game it is asked in, which its player may remember; None: none."""
    priority: int = 0
    """Higher ones come first."""
    seed: int | None = None
    top: int | None = None
    """How many moves to describe."""


@dataclass(frozen=True)
class Action:
    """Something to do at once."""

    id: Id
    name: str
    query: Id | None = None
    """Which query an action is about."""
    turns: tuple[int, ...] | None = None
    """Which of its positions; None for all."""
    game: Game | None = None
    """Whose players are asked for."""
    player: str | None = None
    session: Id | None = None
    score: float = 0.5
    """The opponent's result."""


def read_line(line: bytes, unnamed: str) -> Query | Action:
    """A query or an action, of the game `unnamed` if it names none, or a QueryError that says what is wrong."""
    if len(line) > MAX_LINE:
        raise QueryError(f"a line of more than {MAX_LINE:,} bytes")
    try:
        data = _DECODE(line.decode())
    except UnicodeDecodeError as error:
        raise QueryError(f"byte {error.start + 1} is not UTF-8 text") from None
    except RecursionError:
        raise QueryError("no JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise QueryError(f"no JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError as error:  # a number of thousands of digits
        raise QueryError(f"no JSON: {error}") from None
    if not isinstance(data, dict):
        raise QueryError(f"expected an object in braces, found {_kind(data)}")
    id = data.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int):
        raise QueryError("every line needs an id, a text or a whole number", key="id")
    try:
        return _action(id, data, unnamed) if "action" in data else _query(id, data, unnamed)
    except QueryError as error:
        error.id = id
        raise


def _action(id: Id, data: dict[str, Any], unnamed: str) -> Action:
    name = data["action"]
    if not isinstance(name, str) or name not in ACTIONS:
        raise QueryError(f"no action is called {_shown(name)}: there are {', '.join(ACTIONS)}", key="action")
    _known_keys(data, ("id", "action", *ACTIONS[name]))
    if name == "players":
        return Action(id, name, game=_game(data, unnamed))
    if name in ("check", "result"):
        score = data.get("score", 0.5)
        _number(score, "score", whole=False, least=0)
        return Action(
            id, name, game=_game(data, unnamed), player=_player(data), session=_session(data), score=min(1.0, score)
        )
    if name != "terminate":
        return Action(id, name)
    query = data.get("query")
    if isinstance(query, bool) or not isinstance(query, str | int):
        raise QueryError("terminate needs the id of a query", key="query")
    turns = tuple(_turns(data["turns"])) if data.get("turns") is not None else None
    return Action(id, name, query, turns)


def _query(id: Id, data: dict[str, Any], unnamed: str) -> Query:
    _known_keys(data, _KEYS)
    game = _game(data, unnamed)
    limits = data.get("limits") or {}
    if not isinstance(limits, dict):
        raise QueryError(f"expected an object in braces, found {_kind(limits)}", key="limits")
    for name, value in limits.items():
        if name not in LIMITS:
            raise QueryError(f"no limit is called {_shown(name)}: there are {', '.join(LIMITS)}", key="limits")
        _number(value, f"limits.{name}", whole=name != "seconds")
    for name in ("time_limit", "report_seconds"):
        if data.get(name) is not None:
            _number(data[name], name, whole=False)
    if not isinstance(data.get("move_only") or False, bool):
        raise QueryError(f"expected true or false, found {_kind(data['move_only'])}", key="move_only")
    for name in ("priority", "seed", "top"):
        if data.get(name) is not None:
            _number(data[name], name, whole=True, least=-(1 << 31) if name == "priority" else 1 if name == "top" else 0)
    return Query(
        id=id,
        positions=_positions(game, data),
        player=_player(data),
        limits=dict(limits),
        time_limit=data.get("time_limit"),
        report_seconds=data.get("report_seconds"),
        move_only=bool(data.get("move_only")),
        session=_session(data),
        priority=data.get("priority") or 0,
        seed=data.get("seed"),
        top=data.get("top"),
        game=game,
    )


def _game(data: dict[str, Any], unnamed: str) -> Game:
    name = data.get("game")
    if name is not None and not isinstance(name, str):
        raise QueryError(f"expected the name of a game, found {_kind(name)}", key="game")
    try:
        return load(name or unnamed)
    except GameError as error:
        raise QueryError(str(error), key="game") from None


def _player(data: dict[str, Any]) -> str | None:
    player = data.get("player")
    if player is not None and not isinstance(player, str):
        raise QueryError(f"expected the text of a player, found {_kind(player)}", key="player")
    return player


def _session(data: dict[str, Any]) -> Id | None:
    session = data.get("session")
    if isinstance(session, bool) or not isinstance(session, str | int | None):
        raise QueryError("a session is named by a text or a whole number", key="session")
    return session


def _positions(game: Game, data: dict[str, Any]) -> dict[int, Any]:
    """The positions asked about; by default the one after the last move."""
    text, moves = data.get("position"), data.get("moves")
    moves = [] if moves is None else moves
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise QueryError("expected a list of moves as texts", key="moves")
    turns = _turns(data["turns"]) if data.get("turns") is not None else [len(moves)]
    if turns and max(turns) > len(moves):
        raise QueryError(f"turn {max(turns)}: there are {len(moves)} moves", key="turns")
    if text is None and game.seeded:
        raise QueryError(f"expected where it began: no two games of {game.title} begin alike", key="position")
    try:
        position = game.start() if text is None else game.parse(text)
    except AlphaDiamondError as error:
        raise QueryError(str(error), key="position") from None
    found = {0: position}
    for number, move in enumerate(moves, start=1):
        try:
            position = position.play(move)
        except AlphaDiamondError as error:
            raise QueryError(f"move {number}: {error}", key="moves") from None
        found[number] = position
    return {turn: found[turn] for turn in turns}


def _turns(value: Any) -> list[int]:
    if not isinstance(value, list) or not value:
        raise QueryError("expected a list of numbers of moves", key="turns")
    for turn in value:
        _number(turn, "turns", whole=True, least=0)
    return sorted(set(value))


def _number(value: Any, key: str, *, whole: bool, least: int | None = None) -> None:
    """Refuse what is no number, and what no limit can be."""
    if isinstance(value, bool) or not isinstance(value, int | float) or (whole and not isinstance(value, int)):
        raise QueryError(f"expected a {'whole ' if whole else ''}number, found {_kind(value)}", key=key)
    if abs(value) > 1 << 62 or not math.isfinite(value):
        raise QueryError(f"{_shown(value)} is too large", key=key)
    if least is not None and value < least:
        raise QueryError(f"{value}: expected {least} or more", key=key)
    if not whole and least is None and value <= 0:
        raise QueryError(f"{value}: expected a time above 0", key=key)


def _known_keys(data: dict[str, Any], keys: Collection[str]) -> None:
    for name in data:
        if name not in keys:
            near = difflib.get_close_matches(name, keys, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(keys)}"
            raise QueryError(f"no key is called {_shown(name)}: {hint}", key=name[:40])


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_DECODE: Final = json.JSONDecoder(parse_constant=_no_constant).decode  # json.loads would build one for every line


def _kind(value: Any) -> str:
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return "nothing" if value is None else names.get(type(value), "something else")


def _shown(value: Any) -> str:
    return shown(value) if isinstance(value, str) else shown(repr(value))
