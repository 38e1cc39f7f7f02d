"""Games as text, in the manner of PGN: tags, numbered moves with the beads they remove, and the result.

    [Green "minimax:depth=4"]
    [Red "human"]
    [Date "2026-11-16"]
    [Result "green"]
    [Ending "beads"]
    [Start "r/rr/r/r.r/......./g.g/g/gg/g g 0"]

    1. si-cs ni-cn 2. cs-c(cn) ...
    green

The result stands once as a tag and once, bare, after the last move, so that a record cut short is noticed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from alphadiamond.base.notation import IllegalMoveError, NotationError, require_text, shown
from alphadiamond.files import write_text
from alphadiamond.games.diamond_chase.board import NODE_IDS, Node
from alphadiamond.games.diamond_chase.move import Move
from alphadiamond.games.diamond_chase.notation import names_of
from alphadiamond.games.diamond_chase.position import Position, Reason, Side

UNFINISHED: Final = "unfinished"
RESULTS: Final = ("green", "red", "draw", "*")
_REQUIRED: Final = ("Green", "Red", "Result", "Ending")
_OWN_TAGS: Final = (*_REQUIRED, "Date", "Start")
_RULE_ENDINGS: Final = {str(reason) for reason in Reason}
_LINE_WIDTH: Final = 100


class RecordError(NotationError):
    """A record that is damaged or holds an illegal game; it names the line and the move."""


@dataclass(frozen=True)
class GameRecord:
    """One game, finished or not; made with `GameRecord.of`, it is always a legal one."""

    green: str
    """Who played green."""
    red: str
    """Who played red."""
    start: Position
    moves: tuple[Move, ...]
    result: str
    """green, red, draw, or * for a game that is not over."""
    ending: str
    """beads, repetition, no capture; unfinished; or why else it ended (resignation, time, ...)."""
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    """Any further tags."""

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
        moves = tuple(moves)
        position = start
        for number, move in enumerate(moves, start=1):
            try:
                position = position.play(move)
            except IllegalMoveError as error:
                raise RecordError(f"move {number}: {error}") from None
        outcome = position.outcome
        if outcome is not None:
            rules = ("draw" if outcome.winner is None else str(outcome.winner), str(outcome.reason))
            if (result or rules[0], ending or rules[1]) != rules:
                raise RecordError(f"the moves end with {outcome}, not with {result or '?'} by {ending or '?'}")
            result, ending = rules
        else:
            result, ending = result or "*", ending or UNFINISHED
            if result not in RESULTS:
                raise RecordError(f"result {shown(result)}: expected one of {', '.join(RESULTS)}")
            if ending in _RULE_ENDINGS or (result == "*") != (ending == UNFINISHED):
                raise RecordError(f"the moves do not end the game, so {shown(result)} by {shown(ending)} cannot be")
        for name in tags or {}:
            if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name, re.ASCII) or name in _OWN_TAGS:
                raise RecordError(f"tag name {shown(name)}: expected a word other than {', '.join(_OWN_TAGS)}")
        return cls(green, red, start, moves, result, ending, date, dict(tags or {}))

    @classmethod
    def parse(cls, text: str) -> "GameRecord":
        """Read one game."""
        records = parse_records(text)
        if len(records) != 1:
            raise RecordError(f"expected one game, found {len(records)}")
        return records[0]

    def positions(self) -> Iterator[Position]:
        """Every position of the game, the first and the last included."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position

    @property
    def final(self) -> Position:
        *_, last = self.positions()
        return last

    def __str__(self) -> str:
        known = {"Green": self.green, "Red": self.red, "Date": self.date, "Result": self.result, "Ending": self.ending}
        lines = [
            f'[{name} "{_escape(value)}"]' for name, value in {**known, "Start": str(self.start), **self.tags}.items()
        ]
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
        number = 1
        for position, move in zip(self.positions(), self.moves, strict=False):
            if position.side is Side.GREEN:
                yield f"{number}."
            elif position is self.start:
                yield f"{number}..."
            removed = position.removed_by(move)
            yield f"{move}({names_of(removed)})" if removed else str(move)
            number += position.side is Side.RED


def parse_records(text: str) -> list[GameRecord]:
    """Read any number of games; a fault names the line and, where there is one, the move."""
    lines = require_text(text, "a record").split("\n")
    records: list[GameRecord] = []
    number = 0
    while number < len(lines):
        if lines[number].strip():
            record, number = _parse_one(lines, number)
            records.append(record)
        else:
            number += 1
    return records


def read_records(path: Path) -> list[GameRecord]:
    try:
        return parse_records(path.read_bytes().decode())
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: no record, byte {error.start} is not UTF-8 text") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    except OSError as error:
        raise RecordError(f"{path}: cannot be read ({error.strerror})") from None


def write_records(path: Path, records: Iterable[GameRecord]) -> None:
    write_text(path, "\n".join(str(record) for record in records))


def _parse_one(lines: list[str], first: int) -> tuple[GameRecord, int]:
    """One game from line index `first` on, and the index of the line after it."""
    tags, number = _parse_tags(lines, first)
    for name in _REQUIRED:
        if name not in tags:
            raise RecordError(f"line {first + 1}: the game has no tag {name}")
    try:
        start = Position.parse(tags.get("Start", Position.START))
    except NotationError as error:
        raise RecordError(f"line {first + 1}: tag Start: {error}") from None
    moves: list[Move] = []
    position = start
    while True:
        if number >= len(lines) or lines[number].lstrip().startswith("["):
            raise RecordError(f"line {number}, after move {len(moves)}: the game stops without its result")
        tokens = lines[number].split()
        number += 1
        if len(tokens) == 1 and tokens[0] in RESULTS:
            break
        for token in tokens:
            where = f"line {number}, move {len(moves) + 1}"
            if re.fullmatch(r"[0-9]+\.(\.\.)?", token, re.ASCII):
                _check_number(token, start, len(moves), where)
                continue
            move = _parse_move(token, position, where)
            moves.append(move)
            position = position.play(move)
    if tokens[0] != tags["Result"]:
        raise RecordError(f"line {number}: the game ends with {tokens[0]}, and its tag Result says {tags['Result']!a}")
    extra = {name: value for name, value in tags.items() if name not in _OWN_TAGS}
    try:
        record = GameRecord.of(
            start,
            moves,
            green=tags["Green"],
            red=tags["Red"],
            result=tags["Result"],
            ending=tags["Ending"],
            date=tags.get("Date", ""),
            tags=extra,
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
            raise RecordError(f'line {number}: expected a tag such as [Green "name"], found {shown(line)}')
        name, value = found.groups()
        if name in tags:
            raise RecordError(f"line {number}: tag {name} stands twice")
        tags[name] = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)
    return tags, number


def _parse_move(token: str, position: Position, where: str) -> Move:
    found = re.fullmatch(r"([^()]*)(?:\(([^()]*)\))?", token)
    if not found:
        raise RecordError(f"{where}: {shown(token)} is no move")
    try:
        move = Move.parse(found[1])
        removed = position.removed_by(move)
    except (NotationError, IllegalMoveError) as error:
        raise RecordError(f"{where}: {error}") from None
    if found[2] is not None or removed:
        claimed = _parse_nodes(found[2] or "", token, where)
        if claimed != removed:
            raise RecordError(
                f"{where}: {shown(token)}: the move removes {names_of(removed) or 'no bead'}, "
                f"and the record says {names_of(claimed) or 'none'}"
            )
    return move


def _parse_nodes(text: str, token: str, where: str) -> list[Node]:
    nodes = []
    for name in text.split(",") if text else []:
        if name not in NODE_IDS:
            raise RecordError(f"{where}: {shown(token)}: no node is called {shown(name)}")
        nodes.append(NODE_IDS[name])
    return sorted(nodes)


def _check_number(token: str, start: Position, played: int, where: str) -> None:
    turn = played + (start.side is Side.RED)
    expected = f"{turn // 2 + 1}{'...' if turn % 2 else '.'}"
    if token != expected:
        raise RecordError(f"{where}: move number {shown(token)}, expected {expected}")


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
