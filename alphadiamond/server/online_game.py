"""One game between two seats: what is legal, what the clocks show, what is offered, and how it ended.

Nothing here knows of sockets, disks or ratings. Time is handed in, in milliseconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online.messages import Clock, Legal
from alphadiamond.server.errors import RefusedError

FIRST: Final = "first"
SECOND: Final = "second"
DRAW: Final = "draw"
ABORTED: Final = "aborted"
WINNER: Final = (FIRST, SECOND)
"""The result by the winner's seat."""
SCORES: Final = {FIRST: 1.0, SECOND: 0.0, DRAW: 0.5}
"""The first seat's score, in games that count."""

OFFERS: Final = ("draw", "takeback", "rematch")


@dataclass(frozen=True)
class Patience:
    """How long the server waits for players, in milliseconds."""

    first_move: int = 60_000
    """For each side's first move in a game with clocks, which do not run before it."""
    away: int = 60_000
    """For a player who is gone, before the opponent may claim the win."""
    correspondence: int = 14 * 86_400_000
    """For a move in a game without clocks."""
    unattended: int = 3 * 3_600_000
    """In a game without clocks against a bot, for a player who is gone."""
    after_start: int = 600_000
    """At least, after a start of the server, whatever was due while it was down."""
    lag: int = 250
    """For the way of a move and of what it answers, at most: nobody can check what a client says of it."""


class OnlineGame:
    """A game that goes on, or that has ended."""

    def __init__(
        self,
        game: Game,
        *,
        number: int,
        code: str,
        people: tuple[int, int],
        bots: tuple[bool, bool],
        rated: bool,
        clock: Clock | None,
        start: Any,
        now: int,
        patience: Patience | None = None,
    ) -> None:
        self.game = game
        self.number = number
        self.code = code
        self.people = people
        self.players: Any = None
        """Both people as whoever keeps the games knows them, held as long as the game is."""
        self.bots = bots
        self.rated = rated
        self.clock = clock
        self.patience = patience or Patience()
        self.began = now
        self.start = start
        self.position: Any = self.start
        self.moves: list[str] = []
        self.movers: list[int] = []
        """The seat that made each move."""
        base = clock.seconds * 1000 if clock else 0
        self.left = [base, base]
        """What each clock showed when its side's last turn ended."""
        self.since = now
        """When the turn began."""
        self.offers: dict[str, int] = {}
        self.away: list[int | None] = [None, None]
        """Since when each player is gone."""
        self.result: str | None = None
        self.ending: str | None = None
        self.ended = 0
        self.rematch: str | None = None
        self.returns = False
        """Whether it is played on the board of the game before, with seats exchanged."""
        self._offered: dict[tuple[str, int], int] = {}  # at how many plies a seat last offered something
        self._legal: dict[str, Any] = {}
        self._look()

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def plies(self) -> int:
        return len(self.moves)

    @property
    def turn(self) -> int | None:
        """The seat to move."""
        return None if self.over else self._seat_to_move()

    @property
    def legal(self) -> tuple[Legal, ...]:
        """Empty in a game that is over, whatever ended it."""
        spots = self.game.drawing_for(self.start).spots
        return () if self.over else tuple((text, tuple(map(int, spots(move)))) for text, move in self._legal.items())

    @property
    def forced(self) -> str | None:
        """A pass where there is nothing else, for which nobody has to be there."""
        move = None if self.over else self.game.drawing_for(self.start).forced(self.position)
        return None if move is None else str(move)

    @property
    def ticking(self) -> bool:
        """Whether the clock of the side to move runs."""
        turn = self.turn
        return self.clock is not None and turn is not None and not self.bots[turn] and turn in self.movers

    def seat_of(self, person: int) -> int | None:
        return self.people.index(person) if person in self.people else None

    def clocks(self, now: int) -> tuple[int, int] | None:
        """What both clocks show."""
        if self.clock is None:
            return None
        left = list(self.left)
        turn = self.turn
        if turn is not None and self.ticking:
            left[turn] = max(0, left[turn] - (now - self.since))
        return left[0], left[1]

    def deadline(self) -> int | None:
        """When `lapse` has to be asked, if nothing happens before."""
        turn = self.turn
        if turn is None or self.bots[turn]:
            return None
        if self.clock is None:
            due = self.since + self.patience.correspondence
            unattended = self._unattended(turn)
            return due if unattended is None else min(due, unattended)
        return self.since + (self.left[turn] if self.ticking else self.patience.first_move)

    def lapse(self, now: int) -> bool:
        """End the game if the side to move has waited for too long; whether it did."""
        deadline, turn = self.deadline(), self.turn
        if deadline is None or turn is None or now < deadline:
            return False
        unattended = self._unattended(turn)
        if unattended is not None and now >= unattended:
            self.end(ABORTED, "unattended", now)
        elif turn not in self.movers:
            self.end(ABORTED, "aborted", now)
        else:
            if self.clock is not None:
                self.left[turn] = 0
            self.end(WINNER[1 - turn], "time" if self.clock else "abandonment", now)
        return True

    def _unattended(self, turn: int) -> int | None:
        """When a game that its person has left to a bot ends."""
        gone = self.away[turn]
        if self.clock is not None or not self.bots[1 - turn] or gone is None:
            return None
        return max(gone, self.since) + self.patience.unattended

    def play(self, seat: int, ply: int, text: str, now: int, *, lag: int = 0) -> bool:
        """Make a move; False if it is the one that was made at that ply already.

        `lag` is what the mover says of the way there and back: up to `Patience.lag` of it is not counted.
        """
        if ply < self.plies and self.movers[ply] == seat and self.moves[ply] == text:
            return False
        self._go_on()
        if ply != self.plies:
            raise self._no("late", f"ply {self.plies} is due, not {ply}")
        if seat != self._seat_to_move():
            raise self._no("late", f"it is {self.position.side}'s turn")
        move = self._legal.get(text)
        if move is None:
            raise self._no("illegal", self._why_not(text))
        if self.ticking and self.clock is not None:
            counted = max(0, now - self.since - min(lag, self.patience.lag))
            self.left[seat] += 1000 * self.clock.increment - counted
        self._push(text, move)
        self.since = now
        self.offers.clear()
        outcome = self.position.outcome
        if outcome is not None:
            winner = outcome.winner
            result = DRAW if winner is None else WINNER[self.game.sides.index(winner)]
            self.end(result, str(outcome.reason), now)
        return True

    def resign(self, seat: int, now: int) -> None:
        self._go_on()
        self.end(WINNER[1 - seat], "resignation", now)

    def abort(self, seat: int, now: int) -> None:
        self._go_on()
        if seat in self.movers:
            raise self._no("not_allowed", "you have moved: resign, or offer a draw")
        self.end(ABORTED, "aborted", now)

    def offer(self, seat: int, what: str, now: int) -> bool:
        """Offer something, or accept what the opponent offers; True if it is agreed on.

        A draw and a take-back are then carried out; for a rematch whoever keeps the games makes a new one.
        """
        if what == "rematch":
            if not self.over:
                raise self._no("not_allowed", "a rematch is offered after the game")
            if self.rematch is not None:
                raise self._no("not_allowed", "there is a rematch already")
        else:
            self._go_on()
        if what == "takeback" and not self._can_take_back(1 - seat if self.offers.get(what) == 1 - seat else seat):
            raise self._no("not_allowed", "there is no move to take back")
        if self.offers.get(what) == 1 - seat:
            del self.offers[what]
            if what == "draw":
                self.end(DRAW, "agreement", now)
            elif what == "takeback":
                self.take_back(1 - seat, now)
            return True
        if self._offered.get((what, seat)) == self.plies:
            raise self._no("not_allowed", f"you have offered a {what} at this move already")
        self._offered[what, seat] = self.plies
        self.offers[what] = seat
        return False

    def reopen(self, seat: int, what: str) -> None:
        """What this seat has agreed to cannot be had now: the offer is as it was before."""
        if self.bots[1 - seat]:  # it offers nothing by itself
            self._offered.pop((what, seat), None)
        else:
            self.offers[what] = 1 - seat

    def refuse(self, what: str) -> None:
        """Refuse an offer, or withdraw it."""
        if what not in self.offers:
            raise self._no("not_allowed", f"no {what} is offered")
        del self.offers[what]

    def take_back(self, seat: int, now: int) -> None:
        """Go back to before that seat's last choice. Clocks stay as they are; a side without moves has all its time."""
        left = self.clocks(now)
        keep = self._choices(seat)[-1]
        moves = self.moves[:keep]
        self.position, self.moves, self.movers = self.start, [], []
        self._look()
        for text in moves:
            self._push(text, self._legal[text])
        if left is not None and self.clock is not None:
            self.left = [left[side] if side in self.movers else 1000 * self.clock.seconds for side in (0, 1)]
        self.since = now
        self.offers.clear()
        self._offered.clear()

    def last_plies(self) -> list[tuple[int, int]]:
        """The seat and the ply of each side's last move."""
        return sorted({mover: ply for ply, mover in enumerate(self.movers)}.items())

    def claim(self, seat: int, now: int) -> None:
        """The win against somebody who has been away for too long."""
        self._go_on()
        gone = self.away[1 - seat]
        if self.clock is None or self.bots[1 - seat] or len(set(self.movers)) < 2:
            raise self._no("not_allowed", "a win can be claimed in a game with clocks, after both have moved")
        if gone is None or now - gone < self.patience.away:
            raise self._no("not_allowed", "the opponent has not been away for long enough")
        self.end(WINNER[seat], "abandonment", now)

    def end(self, result: str, ending: str, now: int) -> None:
        left = self.clocks(now)
        if left is not None:
            self.left = list(left)
        self.result, self.ending, self.ended = result, ending, now
        self.offers.clear()

    def restore(self, moves: Iterable[tuple[str, int, int | None]], now: int) -> None:
        """Play what is on disk: text, time, and what the mover's clock showed.

        With clocks the turn begins now: nobody loses time to a restart. Without, it began with the last move, or games
        that nobody plays would last as long as there are restarts; who comes back soon after one is still in time.
        """
        last = self.began
        for text, last, left in moves:  # noqa: B007  (the last one's time is looked at)
            seat = self._seat_to_move()
            if text not in self._legal:
                raise AlphaDiamondError(f"game {self.code}, ply {self.plies}: {self._why_not(text)}")
            self._push(text, self._legal[text])
            if left is not None:
                self.left[seat] = left
        if self.clock is not None:
            self.since = now
            return
        grace = now + self.patience.after_start
        self.since = min(now, max(last, grace - self.patience.correspondence))
        if any(self.bots):
            gone = min(now, max(last, grace - self.patience.unattended))
            self.away = [None if bot else gone for bot in self.bots]

    def _seat_to_move(self) -> int:
        return int(self.game.sides.index(self.position.side))

    def _push(self, text: str, move: Any) -> None:
        self.movers.append(self._seat_to_move())
        self.moves.append(text)
        self.position = self.position.play(move)
        self._look()

    def _look(self) -> None:
        self._legal = {str(move): move for move in self.position.moves()}

    def _can_take_back(self, seat: int) -> bool:
        return bool(self._choices(seat))

    def _choices(self, seat: int) -> list[int]:
        """The plies of a seat that were no passes."""
        passes = self.game.drawing_for(self.start).passes
        return [ply for ply, mover in enumerate(self.movers) if mover == seat and self.moves[ply] != passes]

    def _go_on(self) -> None:
        if self.over:
            raise self._no("over", f"the game is over: {self.result} by {self.ending}")

    def _why_not(self, text: str) -> str:
        """What the rules say against a move."""
        try:
            self.position.play(self.game.parse_move(text))
        except (AlphaDiamondError, ValueError) as error:
            return str(error)
        return f"{text!a} is none of the legal moves"

    def _no(self, code: str, message: str) -> RefusedError:
        return RefusedError(code, message, game=self.code)
