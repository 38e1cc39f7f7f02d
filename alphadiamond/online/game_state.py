"""The state of one game on a server from its events, as a pure function.

The page's `game-state.js` is the same in JavaScript; the recorded streams in `tests/online/streams` test both.
Times are milliseconds by the client's own clock, which is handed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphadiamond.online import messages as m


@dataclass(frozen=True)
class GameState:
    """A game as far as a client has heard of it."""

    code: str
    of: str
    """Which game it is: `diamond_chase`."""
    players: tuple[m.Player, m.Player]
    rated: bool
    clock: m.Clock | None
    start: str
    moves: tuple[str, ...]
    position: str
    legal: tuple[m.Legal, ...]
    turn: int | None
    seat: int | None
    """Mine; None for a spectator."""
    left: tuple[int, int] | None
    """What the clocks showed when they were last told; None without clocks."""
    ticking: bool
    heard: float
    """When that was."""
    offers: Mapping[str, int]
    """What is offered, and by which seat."""
    watchers: int
    result: str | None
    ending: str | None
    changes: tuple[m.Change, m.Change] | None
    rematch: str | None
    claim_at: float | None
    """When the win may be claimed, while the opponent is away."""

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def mine(self) -> bool:
        """Whether it is my move."""
        return self.turn is not None and self.turn == self.seat

    @property
    def moved(self) -> bool:
        """Whether I have made a move."""
        return self.seat is not None and len(self.moves) > self.seat

    def time_left(self, seat: int, at: float) -> float | None:
        """What a clock shows; None without clocks."""
        if self.left is None:
            return None
        gone = at - self.heard if self.ticking and self.turn == seat else 0.0
        return max(0.0, self.left[seat] - gone)


def missed(state: GameState | None, event: m.ServerMessage) -> bool:
    """Whether a move does not follow from what is known, so that the whole game has to be asked for with `watch`."""
    if state is None or not isinstance(event, m.Moved) or event.game != state.code:
        return False
    return state.moves[event.ply : event.ply + 1] != (event.move,) and event.ply != len(state.moves)


def reduce(state: GameState | None, event: m.ServerMessage, at: float) -> GameState | None:
    """The state after an event that came at a time; None until the whole game has come.

    What is of another game or of no game, and a move that does not follow, changes nothing.
    """
    if state is not None and getattr(event, "game", None) != state.code:
        return state
    if isinstance(event, m.Game):
        return _whole(state, event, at)
    if state is None:
        return None
    if isinstance(event, m.Moved):
        return _moved(state, event, at)
    if isinstance(event, m.Ended):
        return _ended(state, event, at)
    if isinstance(event, m.Offered):
        others = _without(state.offers, event.what)
        return replace(state, offers=others if event.seat is None else {**others, event.what: event.seat})
    if isinstance(event, m.Presence):
        return _presence(state, event, at)
    if isinstance(event, m.Rematch):
        return replace(state, rematch=event.next, offers=_without(state.offers, "rematch"))
    return state


def _without(offers: Mapping[str, int], what: str) -> dict[str, int]:
    return {one: seat for one, seat in offers.items() if one != what}


def _whole(state: GameState | None, event: m.Game, at: float) -> GameState:
    waiting = event.seat is not None and event.result is None and not event.players[1 - event.seat].here
    return GameState(
        code=event.game,
        of=event.of,
        players=event.players,
        rated=event.rated,
        clock=event.clock,
        start=event.start,
        moves=event.moves,
        position=event.position,
        legal=event.legal,
        turn=event.turn,
        seat=event.seat,
        left=event.left,
        ticking=event.ticking,
        heard=at,
        offers=event.offers,
        watchers=event.watchers,
        result=event.result,
        ending=event.ending,
        changes=event.changes,
        rematch=event.rematch,
        claim_at=state.claim_at if state is not None and waiting else None,
    )


def _moved(state: GameState, event: m.Moved, at: float) -> GameState:
    if event.ply != len(state.moves):
        return state
    return replace(
        state,
        moves=(*state.moves, event.move),
        position=event.position,
        legal=event.legal,
        turn=event.turn,
        left=event.left,
        ticking=event.ticking,
        heard=at,
        offers={},
    )


def _ended(state: GameState, event: m.Ended, at: float) -> GameState:
    return replace(
        state,
        result=event.result,
        ending=event.ending,
        changes=event.changes,
        turn=None,
        legal=(),
        left=event.left or state.left,
        ticking=False,
        heard=at,
        offers={},
        claim_at=None,
    )


def _presence(state: GameState, event: m.Presence, at: float) -> GameState:
    one = state.players[event.seat]
    told = m.Player(one.name, one.rating, one.deviation, bot=one.bot, here=event.here)
    players = (told, state.players[1]) if event.seat == 0 else (state.players[0], told)
    if state.seat is None or event.seat == state.seat:
        return replace(state, players=players)
    away = not event.here and event.claim_in is not None
    return replace(state, players=players, claim_at=at + (event.claim_in or 0) if away else None)
