"""One game as it is played here: seats, turns, clocks, taking back, history and the record."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from alphadiamond.base.drawing import Drawing, Ply
from alphadiamond.base.game import Game
from alphadiamond.base.record import GameRecord
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.players import HUMAN as HUMAN
from alphadiamond.settings.players import PlayerSpec

_CLOCK: Final = "Clock"
_LEFT: Final = "TimeLeft"
"""Tags of a record: the clock of the game, and what it shows."""


class SessionError(AlphaDiamondError, ValueError):
    """Something that cannot be done in this game now; it says why."""


@dataclass(frozen=True)
class Clock:
    """The time that each side has for its moves, in seconds: at first, and more with every move."""

    seconds: int
    increment: int = 0

    @classmethod
    def parse(cls, text: str) -> "Clock | None":
        """From `180+2`, as records and settings keep it; None where a text says no such thing."""
        found = re.fullmatch(r"([0-9]{1,5})\+([0-9]{1,3})", text, re.ASCII)
        return cls(int(found[1]), int(found[2])) if found and int(found[1]) else None

    def __str__(self) -> str:
        return f"{self.seconds}+{self.increment}"


@dataclass
class Session:
    """The truth about the running game. `first` and `second` are `human` or the spec of a player."""

    first: str = HUMAN
    """Who plays the side that moves first."""
    second: str = HUMAN
    game: Game = field(kw_only=True)
    start: Any = field(default=None, kw_only=True)
    """The position it begins with; none: a new one of the game's."""
    plies: list[Ply] = field(default_factory=list)
    undone: list[Ply] = field(default_factory=list)
    """Moves taken back, the next to redo last."""
    clocks: dict[Any, float] = field(default_factory=dict)
    """Seconds of thought so far."""
    resigned: Any | None = None
    clock: Clock | None = field(default=None, kw_only=True)
    """None: nobody has to hurry."""
    left: dict[Any, float] = field(default_factory=dict, kw_only=True)
    """Seconds that each side has left, in a game with a clock."""
    flagged: Any | None = field(default=None, kw_only=True)
    """The side whose time is up."""
    taken_back: int = 0
    hints: int = 0
    leg: int = field(default=0, kw_only=True)
    """On a board that was drawn for it: whether this is the first or the second game there; 0 on any other board."""

    def __post_init__(self) -> None:
        if self.start is None:
            self.start = self.game.start()
            self.leg = int(self.game.seeded)
        for side in self.game.sides:
            self.clocks.setdefault(side, 0.0)
            if self.clock is not None:
                self.left.setdefault(side, float(self.clock.seconds))

    @classmethod
    def of_record(cls, record: GameRecord) -> "Session":
        """Go on with a recorded game; seats that are no player's spec are taken by people."""
        clock = Clock.parse(record.tags.get(_CLOCK, ""))
        leg = int(record.game.seeded)
        session = cls(*record.players, game=record.game, start=record.start, leg=leg, clock=clock)
        for move in record.moves:
            session._append(move)
        if record.ending in ("resignation", "time") and session.position.outcome is None:
            loser = next((side.other for side in session.game.sides if str(side) == record.result), None)
            session.resigned, session.flagged = (loser, None) if record.ending == "resignation" else (None, loser)
        if clock is not None:
            session.left |= _times(record.tags.get(_LEFT, ""), session.game.sides, clock)
        return session

    def without_programs(self) -> "Session":
        """With people at the seats of other programs: a file that somebody has sent starts none."""
        for side in self.game.sides:
            if PlayerSpec.of_seat(self.seat(side)).program:
                self.give_seat(side, HUMAN)
        return self

    @property
    def drawing(self) -> Drawing:
        return self.game.drawing_for(self.start)

    @property
    def position(self) -> Any:
        return self.plies[-1].after if self.plies else self.start

    def position_at(self, ply: int) -> Any:
        """The position after so many plies."""
        return self.plies[ply - 1].after if ply > 0 else self.start

    @property
    def to_move(self) -> Any:
        return self.position.side

    @property
    def seats(self) -> tuple[str, str]:
        return self.first, self.second

    def seat(self, side: Any) -> str:
        return self.seats[int(side)]

    def give_seat(self, side: Any, spec: str) -> None:
        if int(side) == 0:
            self.first = spec
        else:
            self.second = spec

    def is_human(self, side: Any) -> bool:
        return self.seat(side) == HUMAN

    @property
    def humans(self) -> list[Any]:
        return [side for side in self.game.sides if self.is_human(side)]

    @property
    def loser(self) -> Any | None:
        """The side that has lost otherwise than by the rules."""
        return self.resigned if self.resigned is not None else self.flagged

    @property
    def over(self) -> bool:
        return self.loser is not None or self.position.outcome is not None

    @property
    def winner(self) -> Any | None:
        """None for a draw and for a game that goes on."""
        if self.loser is not None:
            return self.loser.other
        outcome = self.position.outcome
        return outcome.winner if outcome else None

    @property
    def ending(self) -> str:
        """Why it is over: a word for records."""
        if self.loser is not None:
            return "time" if self.resigned is None else "resignation"
        outcome = self.position.outcome
        return str(outcome.reason) if outcome else ""

    @property
    def human_to_move(self) -> bool:
        return not self.over and self.is_human(self.to_move)

    def play(self, move: Any) -> Ply:
        """Play a legal move for whoever is to move."""
        if self.over:
            raise SessionError("the game is over")
        side, begun = self.to_move, self.clock_runs
        ply = self._append(move)
        if begun and self.clock is not None:
            self.left[side] += self.clock.increment
        self.undone.clear()
        return ply

    @property
    def clock_runs(self) -> bool:
        """Whether the side to move has to hurry: its clock stands until it has made a move."""
        side = self.to_move
        return self.clock is not None and not self.over and any(ply.side == side for ply in self.plies)

    def _append(self, move: Any) -> Ply:
        ply = self.drawing.ply(self.position, move, len(self.plies))
        self.plies.append(ply)
        return ply

    @property
    def plies_to_take_back(self) -> int:
        """One, or in a game against a player as many as it takes to give the move back to the person; 0 if none."""
        if not self.plies or self.flagged is not None:
            return 0
        if len(self.humans) != 1:
            return 1
        person = self.humans[0]
        for count, ply in enumerate(reversed(self.plies), start=1):
            if ply.side is person and self.drawing.forced(ply.before) is None:
                return count
        return 0  # the person has not moved yet

    def take_back(self) -> int:
        """Undo; returns how many plies went."""
        count = self.plies_to_take_back
        if not count:
            raise SessionError("there is no move to take back")
        self.resigned = None
        for _ in range(count):
            self.undone.append(self.plies.pop())
        self._wind()
        return count

    def take_back_to(self, ply: int) -> None:
        """Undo everything after so many plies."""
        if not 0 <= ply <= len(self.plies):
            raise SessionError(f"the game has {len(self.plies)} plies")
        if ply == len(self.plies):
            return
        if self.flagged is not None:
            raise SessionError("the time is up")
        self.resigned = None
        while len(self.plies) > ply:
            self.undone.append(self.plies.pop())
        self._wind()

    def _wind(self) -> None:
        """After taking back clocks stay as they are; a side that has no move any more has all its time."""
        self.taken_back += 1
        if self.clock is not None:
            for side in self.game.sides:
                if all(ply.side != side for ply in self.plies):
                    self.left[side] = float(self.clock.seconds)

    def redo(self) -> int:
        """Play again what was taken back, up to the person's turn; returns how many plies came back."""
        if not self.undone:
            raise SessionError("there is no move to redo")
        count = 0
        while self.undone:
            self.plies.append(self.undone.pop())
            count += 1
            asked = self.is_human(self.to_move) and self.drawing.forced(self.position) is None
            if len(self.humans) != 1 or asked:
                break
        return count

    def resign(self, side: Any) -> None:
        if self.over:
            raise SessionError("the game is over")
        self.resigned = side
        self.undone.clear()

    def tick(self, dt: float) -> None:
        """Let time pass for the side to move; it loses when its time is up."""
        if self.over:
            return
        side = self.to_move
        self.clocks[side] += dt
        if self.clock_runs:
            self.left[side] = max(0.0, self.left[side] - dt)
            if not self.left[side]:
                self.flagged = side
                self.undone.clear()

    @property
    def returns(self) -> bool:
        """Whether the next game is the return game: the same drawn board, seats exchanged."""
        return self.leg == 1 and self.over

    def rematch(self, *, swap: bool = False, fresh: bool = False) -> "Session":
        """The next game of both. Where boards are drawn, each is played twice with seats exchanged, and then there is a
        new one; `swap` exchanges seats on this board, and `fresh` draws a board now."""
        if self.leg and not swap and (fresh or not self.returns):
            return Session(*self.seats, game=self.game, clock=self.clock)
        swap = swap or (self.returns and not fresh)
        first, second = reversed(self.seats) if swap else self.seats
        leg = 2 if self.leg else 0
        return Session(first, second, game=self.game, start=self.start, leg=leg, clock=self.clock)

    def record(self) -> GameRecord:
        result = ending = None
        if self.loser is not None:
            result, ending = str(self.loser.other), self.ending
        tags = {}
        if self.clock is not None:
            tags = {_CLOCK: str(self.clock), _LEFT: " ".join(f"{self.left[side]:.1f}" for side in self.game.sides)}
        return self.game.record(
            self.start,
            [ply.move for ply in self.plies],
            players=self.seats,
            result=result,
            ending=ending,
            date=datetime.date.today().isoformat(),
            tags=tags,
        )


def _times(text: str, sides: Sequence[Any], clock: Clock) -> dict[Any, float]:
    """What a record says of the time that was left; a clock that nobody can have left is a new one."""
    found = text.split()
    if len(found) != len(sides) or not all(re.fullmatch(r"[0-9]{1,6}\.[0-9]", time, re.ASCII) for time in found):
        return {side: float(clock.seconds) for side in sides}
    return {side: max(0.1, float(time)) for side, time in zip(sides, found, strict=True)}
