"""One game as it is played at the window: seats, turns, clocks, taking back, history and the record. No pygame here."""

import datetime
from dataclasses import dataclass, field

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase import GameRecord, Move, Position, Side
from alphadiamond.games.diamond_chase.board import ALL_NODES, NEIGHBOURS
from alphadiamond.games.diamond_chase.notation import names_of
from alphadiamond.settings.players import HUMAN as HUMAN


class SessionError(AlphaDiamondError, ValueError):
    """Something that cannot be done in this game now; it says why."""


@dataclass(frozen=True)
class Ply:
    """A move as it was played."""

    number: int
    """Plies before it."""
    before: Position
    move: Move
    after: Position
    captured: tuple[int, ...]
    """Nodes from which beads of the opponent came off."""
    lost: tuple[int, ...]
    """Nodes from which beads of the mover came off."""

    @property
    def side(self) -> Side:
        return self.before.side

    @property
    def text(self) -> str:
        removed = sorted((*self.captured, *self.lost))
        return f"{self.move}({names_of(removed)})" if removed else str(self.move)


def ply_of(before: Position, move: Move, number: int = 0) -> Ply:
    after = before.play(move)
    removed = before.removed_by(move)

    def owner(node: int) -> Side:
        side = before.at(node)
        return before.side if side is None else side  # the mover's own bead stands where it went

    captured = tuple(node for node in removed if owner(node) is not before.side)
    lost = tuple(node for node in removed if owner(node) is before.side)
    return Ply(number, before, move, after, captured, lost)


@dataclass
class Session:
    """The truth about the running game. `green` and `red` are `human` or the spec of a player."""

    green: str = HUMAN
    red: str = HUMAN
    start: Position = field(default_factory=Position.start)
    plies: list[Ply] = field(default_factory=list)
    undone: list[Ply] = field(default_factory=list)
    """Moves taken back, the next to redo last."""
    clocks: dict[Side, float] = field(default_factory=lambda: {Side.GREEN: 0.0, Side.RED: 0.0})
    """Seconds of thought so far."""
    resigned: Side | None = None
    taken_back: int = 0
    hints: int = 0

    @classmethod
    def of_record(cls, record: GameRecord) -> "Session":
        """Go on with a recorded game; seats that are no player's spec are taken by people."""
        session = cls(green=record.green, red=record.red, start=record.start)
        for move in record.moves:
            session._append(move)
        if record.ending == "resignation" and session.position.outcome is None:
            session.resigned = Side.RED if record.result == "green" else Side.GREEN
        return session

    @property
    def position(self) -> Position:
        return self.plies[-1].after if self.plies else self.start

    def position_at(self, ply: int) -> Position:
        """The position after so many plies."""
        return self.plies[ply - 1].after if ply > 0 else self.start

    @property
    def to_move(self) -> Side:
        return self.position.side

    def seat(self, side: Side) -> str:
        return self.green if side is Side.GREEN else self.red

    def is_human(self, side: Side) -> bool:
        return self.seat(side) == HUMAN

    @property
    def humans(self) -> list[Side]:
        return [side for side in Side if self.is_human(side)]

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.position.outcome is not None

    @property
    def winner(self) -> Side | None:
        """None for a draw and for a game that goes on."""
        if self.resigned is not None:
            return self.resigned.other
        outcome = self.position.outcome
        return outcome.winner if outcome else None

    @property
    def ending(self) -> str:
        """Why it is over: a word for records."""
        if self.resigned is not None:
            return "resignation"
        outcome = self.position.outcome
        return str(outcome.reason) if outcome else ""

    @property
    def human_to_move(self) -> bool:
        return not self.over and self.is_human(self.to_move)

    def play(self, move: Move) -> Ply:
        """Play a legal move for whoever is to move."""
        if self.over:
            raise SessionError("the game is over")
        ply = self._append(move)
        self.undone.clear()
        return ply

    def _append(self, move: Move) -> Ply:
        ply = ply_of(self.position, move, len(self.plies))
        self.plies.append(ply)
        return ply

    @property
    def plies_to_take_back(self) -> int:
        """One, or in a game against a player as many as it takes to give the move back to the person; 0 if none."""
        if not self.plies:
            return 0
        if len(self.humans) != 1:
            return 1
        person = self.humans[0]
        sides = [ply.side for ply in reversed(self.plies)]
        return sides.index(person) + 1 if person in sides else 0  # 0: the person has not moved yet

    def take_back(self) -> int:
        """Undo; returns how many plies went."""
        count = self.plies_to_take_back
        if not count:
            raise SessionError("there is no move to take back")
        self.resigned = None
        for _ in range(count):
            self.undone.append(self.plies.pop())
        self.taken_back += 1
        return count

    def take_back_to(self, ply: int) -> None:
        """Undo everything after so many plies."""
        if not 0 <= ply <= len(self.plies):
            raise SessionError(f"the game has {len(self.plies)} plies")
        if ply == len(self.plies):
            return
        self.resigned = None
        while len(self.plies) > ply:
            self.undone.append(self.plies.pop())
        self.taken_back += 1

    def redo(self) -> int:
        """Play again what was taken back, up to the person's turn; returns how many plies came back."""
        if not self.undone:
            raise SessionError("there is no move to redo")
        count = 0
        while self.undone:
            self.plies.append(self.undone.pop())
            count += 1
            if len(self.humans) != 1 or self.is_human(self.to_move):
                break
        return count

    def resign(self, side: Side) -> None:
        if self.over:
            raise SessionError("the game is over")
        self.resigned = side
        self.undone.clear()

    def tick(self, dt: float) -> None:
        """Let time pass for the side to move."""
        if not self.over:
            self.clocks[self.to_move] += dt

    def rematch(self, *, swap: bool = False) -> "Session":
        green, red = (self.red, self.green) if swap else (self.green, self.red)
        return Session(green=green, red=red, start=self.start)

    def record(self) -> GameRecord:
        result = ending = None
        if self.resigned is not None:
            result, ending = str(self.resigned.other), "resignation"
        return GameRecord.of(
            self.start,
            [ply.move for ply in self.plies],
            green=self.green,
            red=self.red,
            result=result,
            ending=ending,
            date=datetime.date.today().isoformat(),
        )


def balance(position: Position) -> float:
    """Beads and freedom as one number in [-1, 1] for green: a rough guess for when no player has been asked."""
    outcome = position.outcome
    if outcome is not None:
        return 0.0 if outcome.winner is None else (1.0 if outcome.winner is Side.GREEN else -1.0)
    empty = ALL_NODES & ~(position.own | position.opp)
    freedom = {
        side: sum(1 for node in position.beads(side) for near in NEIGHBOURS[node] if empty >> near & 1) for side in Side
    }
    beads = {side: len(position.beads(side)) for side in Side}
    total = max(1, sum(freedom.values()))
    guess = 0.25 * (beads[Side.GREEN] - beads[Side.RED]) + 0.25 * (freedom[Side.GREEN] - freedom[Side.RED]) / total
    return max(-0.95, min(0.95, guess))
