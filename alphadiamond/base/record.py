"""Games as text, in the manner of PGN: tags, numbered moves, and the result.

    [Game "connect_four"]
    [X "minimax:depth=4"]
    [O "human"]
    [Date "2026-11-16"]
    [Result "x"]
    [Ending "four in a row"]
    [Start "......./......./......./......./......./....... x"]

    1. 4 4 2. 3 5 ...
    x

The players stand under the names of the sides. The result stands once as a tag and once, bare, after the last move, so
that a record cut short is noticed. Without a tag Game it is of the game that was there before there were others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from alphadiamond.base.notation import IllegalMoveError, NotationError, require_text, shown
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_text

if TYPE_CHECKING:
    from alphadiamond.base.game import Game

UNFINISHED: Final = "unfinished"
DRAWN: Final = "draw"
GOING_ON: Final = "*"
_LINE_WIDTH: Final = 100


class RecordError(NotationError):
    """A record that is damaged or holds an illegal game; it names the line and the move."""


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not; made with `Game.record`, it is always a legal one."""

    game: "Game" = field(compare=False, repr=False)
    players: tuple[str, str]
    """Who played the side that moves first, and who the other."""
    start: Any
    moves: tuple[Any, ...]
    result: str
    """The name of the side that won, draw, or * for a game that is not over."""
    ending: str
    """One of the game's endings; unfinished; or why else it ended (resignation, time, ...)."""
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    """Any further tags."""

    @classmethod
    def checked(
        cls,
        game: "Game",
        start: Any,
        moves: Iterable[Any],
        *,
        players: tuple[str, str],
        result: str | None = None,
        ending: str | None = None,
        date: str = "",
        tags: dict[str, str] | None = None,
    ) -> Self:
        """Check a game and say how it ended; result and ending are needed only where the rules do not tell."""
        moves = tuple(moves)
        position = start
        for number, move in enumerate(moves, start=1):
            try:
                position = position.play(move)
            except IllegalMoveError as error:
                raise RecordError(f"move {number}: {error}") from None
        outcome = position.outcome
        if outcome is not None:
            rules = (DRAWN if outcome.winner is None else str(outcome.winner), str(outcome.reason))
            if (result or rules[0], ending or rules[1]) != rules:
                raise RecordError(f"the moves end with {outcome}, not with {result or '?'} by {ending or '?'}")
            result, ending = rules
        else:
            result, ending = result or GOING_ON, ending or UNFINISHED
            if result not in results_of(game):
                raise RecordError(f"result {shown(result)}: expected one of {', '.join(results_of(game))}")
            if ending in game.endings or (result == GOING_ON) != (ending == UNFINISHED):
                raise RecordError(f"the moves do not end the game, so {shown(result)} by {shown(ending)} cannot be")
        own = own_tags(game)
        for name in tags or {}:
            if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name, re.ASCII) or name in own:
                raise RecordError(f"tag name {shown(name)}: expected a word other than {', '.join(own)}")
        return cls(game, players, start, moves, result, ending, date, dict(tags or {}))

    def player(self, side: Any) -> str:
        """Who played a side."""
        return self.players[int(side)]

    def positions(self) -> Iterator[Any]:
        """Every position of the game, the first and the last included."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    @property
    def final(self) -> Any:
        *_, last = self.positions()
        return last

    def __str__(self) -> str:
        named = {} if self.game.unnamed_records else {"Game": self.game.name}
        seats = dict(zip(side_tags(self.game), self.players, strict=True))
        how = {"Date": self.date, "Result": self.result, "Ending": self.ending, "Start": str(self.start)}
        lines = [f'[{name} "{_escape(value)}"]' for name, value in {**named, **seats, **how, **self.tags}.items()]
        lines.append("")
        line = ""
        for token in self._tokens():
            if line and len(line) + 1 + len(token) > _LINE_WIDTH:
                lines.append(line)
                line = token
            else:
                line = f"{line} {token}" if line else token
        if line:
            lines.append(line)
        lines.append(self.result)
        return "\n".join(lines) + "\n"

    def _tokens(self) -> Iterator[str]:
        first, second = self.game.sides
        number = 1
        for position, move in zip(self.positions(), self.moves, strict=False):
            if position.side == first:
                yield f"{number}."
            elif position is self.start:
                yield f"{number}..."
            note = self.game.note_of(position, move)
            yield f"{move}({note})" if note else str(move)
            number += position.side == second


def side_tags(game: "Game") -> tuple[str, str]:
    first, second = (str(side).capitalize() for side in game.sides)
    return first, second


def own_tags(game: "Game") -> tuple[str, ...]:
    """The tags that every record of a game has; no others are called so."""
    named = () if game.unnamed_records else ("Game",)
    return (*named, *side_tags(game), "Result", "Ending", "Date", "Start")


def results_of(game: "Game") -> tuple[str, ...]:
    return (*(str(side) for side in game.sides), DRAWN, GOING_ON)


Load = Callable[[str | None], "Game"]
"""The game of a tag Game, or of a record that has none."""


def parse_records(text: str, load: Load) -> list[GameRecord]:
    """Read any number of games; a fault names the line and, where there is one, the move."""
    lines = require_text(text, "a record").split("\n")
    records: list[GameRecord] = []
    number = 0
    while number < len(lines):
        if lines[number].strip():
            record, number = _parse_one(lines, number, load)
            records.append(record)
        else:
            number += 1
    return records


def read_records(path: Path, load: Load) -> list[GameRecord]:
    try:
        return parse_records(path.read_bytes().decode(), load)
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: no record, byte {error.start} is not UTF-8 text") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None


def write_records(path: Path, records: Iterable[GameRecord]) -> None:
    write_text(path, "\n".join(str(record) for record in records))


def _parse_one(lines: list[str], first: int, load: Load) -> tuple[GameRecord, int]:
    """One game from line index `first` on, and the index of the line after it."""
    tags, number = _parse_tags(lines, first)
    try:
        game = load(tags.pop("Game", None))
    except AlphaDiamondError as error:
        raise RecordError(f"line {first + 1}: tag Game: {error}") from None
    sides = side_tags(game)
    for name in (*sides, "Result", "Ending"):
        if name not in tags:
            raise RecordError(f"line {first + 1}: the game has no tag {name}")
    try:
        if "Start" not in tags and game.seeded:
            raise NotationError(f"missing, and no two games of {game.title} begin alike")
        start = game.parse(tags["Start"]) if "Start" in tags else game.start()
    except NotationError as error:
        raise RecordError(f"line {first + 1}: tag Start: {error}") from None
    moves: list[Any] = []
    position = start
    while True:
        if number >= len(lines) or lines[number].lstrip().startswith("["):
            raise RecordError(f"line {number}, after move {len(moves)}: the game stops without its result")
        tokens = lines[number].split()
        number += 1
        if len(tokens) == 1 and tokens[0] in results_of(game):
            break
        for token in tokens:
            where = f"line {number}, move {len(moves) + 1}"
            if re.fullmatch(r"[0-9]+\.(\.\.)?", token, re.ASCII):
                _check_number(token, start.side == game.sides[1], len(moves), where)
                continue
            move, position = _parse_move(game, token, position, where)
            moves.append(move)
    if tokens[0] != tags["Result"]:
        raise RecordError(f"line {number}: the game ends with {tokens[0]}, and its tag Result says {tags['Result']!a}")
    try:
        record = game.record(
            start,
            moves,
            players=(tags[sides[0]], tags[sides[1]]),
            result=tags["Result"],
            ending=tags["Ending"],
            date=tags.get("Date", ""),
            tags={name: value for name, value in tags.items() if name not in own_tags(game)},
        )
    except RecordError as error:
        raise RecordError(f"line {number}: {error}") from None
    return record, number


def _parse_tags(lines: list[str], number: int) -> tuple[dict[str, str], int]:
    tags: dict[str, str] = {}
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        if not line:
            break
        found = re.fullmatch(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\n])*)"\]', line, re.ASCII)
        if not found:
            raise RecordError(f'line {number}: expected a tag such as [Result "draw"], found {shown(line)}')
        name, value = found.groups()
        if name in tags:
            raise RecordError(f"line {number}: tag {name} stands twice")
        tags[name] = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)
    return tags, number


def _parse_move(game: "Game", token: str, position: Any, where: str) -> tuple[Any, Any]:
    """A move, and the position after it."""
    found = re.fullmatch(r"([^()]*)(?:\(([^()]*)\))?", token)
    if not found:
        raise RecordError(f"{where}: {shown(token)} is no move")
    try:
        move = game.move_in(position, found[1])
        after = position.play(move)
    except (NotationError, IllegalMoveError) as error:
        raise RecordError(f"{where}: {error}") from None
    try:
        game.check_note(position, move, found[2] or "")
    except NotationError as error:
        raise RecordError(f"{where}: {shown(token)}: {error}") from None
    return move, after


def _check_number(token: str, second_begins: bool, played: int, where: str) -> None:
    turn = played + second_begins
    expected = f"{turn // 2 + 1}{'...' if turn % 2 else '.'}"
    if token != expected:
        raise RecordError(f"{where}: move number {shown(token)}, expected {expected}")


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
