"""All games: beginning, moving, ending them, on disk before anybody hears of it; timers, bots and watchers."""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server import statements
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.glicko import Rating
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.people import new_code
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.reading import Reader
from alphadiamond.server.room import ABORTED, SCORES, Patience, Room
from alphadiamond.server.scenes import Albums
from alphadiamond.server.session import Person, Session
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Statement, Store
from alphadiamond.server.thinker import Thought
from alphadiamond.server.thinking import Thinkers

_KEPT: Final = 256
"""Finished games that are kept at hand."""
_WATCHED: Final = 64
"""Games that one connection may watch."""
_log = logging.getLogger("alphadiamond.server")

_ROW: Final = (
    "SELECT id, code, game, first, second, rated, seconds, increment, began, ended, result, ending, number, "
    "(SELECT code FROM games AS next WHERE next.follows = games.id) FROM games"
)
_MOVES: Final = "SELECT move, at, clock FROM moves WHERE game = ? ORDER BY ply"
_CHANGES: Final = (
    "SELECT person, before, value, deviation FROM changes WHERE game = ? AND number = ? AND person IN (?, ?)"
)


class Tables:
    """Every game that goes on, and the finished ones that somebody looks at."""

    def __init__(
        self,
        *,
        games: dict[str, Game],
        bots: dict[tuple[str, str], BotPlayer],
        store: Store,
        reader: Reader,
        thinkers: Thinkers,
        standings: Standings,
        metrics: Metrics,
        person: Callable[[int], Person],
        fetch: Callable[[tuple[int, int]], Awaitable[None]],
        now: Callable[[], int],
        patience: Patience,
        most_each: int,
        most_bots: int,
        changed: Callable[[], None],
    ) -> None:
        self._games = games
        self._bots = bots
        self._store = store
        self._reader = reader
        self._thinkers = thinkers
        self._standings = standings
        self._metrics = metrics
        self._person = person
        self._fetch = fetch
        self._now = now
        self._patience = patience
        self._most_each = most_each
        self._most_bots = most_bots
        self._changed = changed
        self.going: dict[str, Room] = {}
        self._over: OrderedDict[str, Room] = OrderedDict()
        self._results: dict[str, tuple[m.Change, m.Change] | None] = {}
        self._watchers: dict[str, set[Session]] = {}
        self._albums = Albums()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._bot_games = 0
        self._next_game = 1
        self._next_number = 1

    # Beginning

    def restore(self) -> None:
        """Take up the games that were going on when the server ended; before the store is started."""
        read = self._store.read
        self._next_game = read("SELECT coalesce(max(id), 0) + 1 FROM games")[0][0]
        self._next_number = read("SELECT coalesce(max(number), 0) + 1 FROM games")[0][0]
        now = self._now()
        for row in read(f"{_ROW} WHERE result IS NULL"):
            if row[2] not in self._games:
                continue  # a game that this server does not have: it waits
            room = self._room(row, read(_MOVES, (row[0],)))
            for seat, number in enumerate(room.people):
                person = self._person(number)
                person.playing.add(room.code)
                self._standings.load_now(read, number, room.game.name)
                room.away[seat] = None if person.bot else now
            self.going[room.code] = room
            self._bot_games += any(room.bots)

    def start(self) -> None:
        """In the event loop: clocks run, and bots think on."""
        for room in self.going.values():
            room.since = self._now()
            self._go_on(room)

    async def begin(self, terms: m.Terms, owner: Person, other: Person, *, follows: Room | None = None) -> Room:
        """A new game; both players are told once it is on disk."""
        game = self.game(terms.game)
        await self._standings.load(self._reader, (owner.id, other.id), game.name)
        if owner is other:
            raise RefusedError("not_allowed", "you cannot play yourself")
        for person in (owner, other):
            if not person.bot and len(person.playing) >= self._most_each:
                raise RefusedError("limit", f"{person.name} plays as many games as one may")
        if (owner.bot or other.bot) and self._bot_games >= self._most_bots:
            raise RefusedError("limit", "all bots are busy; try again later")
        seat = secrets.randbelow(2) if terms.seat is None else terms.seat
        people = (owner, other) if seat == 0 else (other, owner)
        now = self._now()
        room = Room(
            game,
            number=self._next_game,
            code=new_code(),
            people=(people[0].id, people[1].id),
            bots=(people[0].bot, people[1].bot),
            rated=terms.rated,
            clock=terms.clock,
            now=now,
            patience=self._patience,
        )
        self._next_game += 1
        self._bot_games += any(room.bots)
        self.going[room.code] = room
        for at, person in enumerate(people):
            person.playing.add(room.code)
            room.away[at] = None if person.here else now
        if follows is not None:
            follows.rematch = room.code
        statement = statements.add_game(
            room.number,
            room.code,
            game.name,
            room.people,
            rated=room.rated,
            seconds=room.clock.seconds if room.clock else None,
            increment=room.clock.increment if room.clock else 0,
            start=str(room.start),
            at=now,
            follows=follows.number if follows else None,
        )
        if any(session.scenes for person in people for session in person.sessions):
            self._albums.begin(room)
        shown = [{wanted: self.shown(room, at, scenes=wanted) for wanted in (False, True)} for at in (0, 1)]

        def told() -> None:
            self._metrics.add("games_begun")
            _log.info("begun", extra={"game": room.code, "of": game.name, "players": [one.name for one in people]})
            if follows is not None:
                self._tell(follows, m.Rematch(game=follows.code, next=room.code))
            for person, message in zip(people, shown, strict=True):
                for session in list(person.sessions):
                    self._add_watcher(room, session)
                    session.tell(message[session.scenes])
            self._changed()

        self._store.write([statement], told)
        self._go_on(room)
        return room

    def game(self, name: str) -> Game:
        if name not in self._games:
            raise RefusedError("unknown", f"no game is called {name!a}: there are {', '.join(self._games)}")
        return self._games[name]

    # Looking

    async def find(self, code: str) -> Room:
        """A game, going on or finished."""
        room = self.going.get(code) or self._over.get(code)
        if room is not None:
            return room
        rows = await self._reader.rows(f"{_ROW} WHERE code = ? AND result IS NOT NULL", code)
        if not rows or rows[0][2] not in self._games:
            raise RefusedError("unknown", "there is no such game")
        row = rows[0]
        moves = await self._reader.rows(_MOVES, row[0])
        found = await self._reader.rows(_CHANGES, row[2], row[12], row[3], row[4])
        people: tuple[int, int] = (row[3], row[4])
        await self._fetch(people)
        await self._standings.load(self._reader, people, row[2])
        room = self._room(row, moves)
        changes = {person: m.Change(round(before), round(value), round(dev)) for person, before, value, dev in found}
        both = (changes[row[3]], changes[row[4]]) if len(changes) == 2 else None
        self._keep(room, both)
        return self._over[code]

    async def watch(self, room: Room, session: Session) -> None:
        """Send the game as it is once that is on disk, and what happens in it from then on."""
        if session.scenes:
            await self._albums.fill(room)
        if room.code not in session.watching and len(session.watching) >= _WATCHED:
            raise RefusedError("limit", f"you watch {_WATCHED} games already")
        seat = room.seat_of(session.person.id) if session.person else None
        message = self.shown(room, seat, scenes=session.scenes)

        def told() -> None:
            self._add_watcher(room, session)
            session.tell(message)

        self._store.when_written(told)

    def unwatch(self, code: str, session: Session) -> None:
        session.watching.discard(code)
        watchers = self._watchers.get(code)
        if watchers is not None:
            watchers.discard(session)
            if not watchers:
                del self._watchers[code]

    def shown(self, room: Room, seat: int | None, *, scenes: bool = False) -> m.Game:
        """With scenes if they are wanted and at hand; whoever misses them watches again."""
        now = self._now()
        return m.Game(
            game=room.code,
            of=room.game.name,
            players=self._players(room),
            rated=room.rated,
            moves=tuple(room.moves),
            position=str(room.position),
            start=str(room.start),
            left=room.clocks(now),
            clock=room.clock,
            turn=room.turn,
            ticking=room.ticking,
            legal=room.legal,
            seat=seat,
            offers=dict(room.offers),
            watchers=len(self._watchers.get(room.code, ())),
            result=room.result,
            ending=room.ending,
            changes=self._results.get(room.code),
            rematch=room.rematch,
            now=now,
            scenes=self._albums.of(room) if scenes else (),
        )

    def line(self, room: Room) -> m.GameLine:
        return m.GameLine(
            game=room.code,
            of=room.game.name,
            players=self._players(room),
            rated=room.rated,
            plies=room.plies,
            clock=room.clock,
            turn=room.turn,
            result=room.result,
            ending=room.ending,
            at=room.ended or room.began,
        )

    def player(self, person: Person, game: str) -> m.Player:
        rating = self._standings.of(person.id, game).rating.now(self._now())
        return m.Player(person.name, round(rating.value), round(rating.deviation), person.bot, person.here)

    # What players do

    def move(self, room: Room, seat: int, request: m.Move, done: Callable[[], None]) -> None:
        arrived = time.perf_counter()
        now = self._now()
        self._lapse(room, now)
        before = room.position
        if not room.play(seat, request.ply, request.move, now):
            self._store.when_written(done)
            return
        clock = room.left[seat] if room.clock else None
        wanted = [statements.add_move(room.number, room.plies - 1, room.moves[-1], at=now, clock=clock)]
        moved = m.Moved(
            game=room.code,
            ply=room.plies - 1,
            move=room.moves[-1],
            position=str(room.position),
            turn=room.turn,
            left=room.clocks(now),
            now=now,
            ticking=room.ticking,
            legal=room.legal,
        )
        plain, drawn = m.encode(moved), None
        if self._is_drawn(room):
            moved.scene = self._albums.add(room, before)
            drawn = m.encode(moved)
        last = None
        if room.over:
            more, ended = self._finish(room)
            wanted += more
            last = m.encode(ended)

        def told() -> None:
            self._send(room, plain, drawn)
            if last is not None:
                self._send(room, last)
            done()
            self._metrics.add("moves")
            self._metrics.moving.add(time.perf_counter() - arrived)
            if room.over:
                self._changed()

        self._store.write(wanted, told)
        self._go_on(room)

    def resign(self, room: Room, seat: int, done: Callable[[], None]) -> None:
        self._lapse(room, self._now())
        room.resign(seat, self._now())
        self._end(room, done)

    def abort(self, room: Room, seat: int, done: Callable[[], None]) -> None:
        self._lapse(room, self._now())
        room.abort(seat, self._now())
        self._end(room, done)

    def claim(self, room: Room, seat: int, done: Callable[[], None]) -> None:
        self._lapse(room, self._now())
        room.claim(seat, self._now())
        self._end(room, done)

    async def offer(self, room: Room, seat: int, what: str, done: Callable[[], None]) -> None:
        now = self._now()
        self._lapse(room, now)
        agreed = room.offer(seat, what, now)
        if not agreed and room.bots[1 - seat]:
            if what == "draw" or (what == "takeback" and room.rated):
                room.refuse(what)
                raise RefusedError("not_allowed", "the bot declines", game=room.code)
            agreed = room.offer(1 - seat, what, now)
        if not agreed:
            message = m.Offered(game=room.code, what=what, seat=seat)
            self._announce(room, message, done)
        elif what == "draw":
            self._end(room, done)
        elif what == "takeback":
            statement = statements.take_back(room.number, room.plies)
            self._albums.cut(room)
            shown = {
                (at, scenes): m.encode(self.shown(room, at, scenes=scenes))
                for at in (None, 0, 1)
                for scenes in (False, True)
            }

            def told() -> None:
                for session in list(self._watchers.get(room.code, ())):
                    at = room.seat_of(session.person.id) if session.person else None
                    session.send(shown[at, session.scenes])
                done()

            self._store.write([statement], told)
            self._go_on(room)
        else:
            terms = m.Terms(room.game.name, room.clock, room.rated, 1)
            first, second = (self._person(number) for number in room.people)
            await self.begin(terms, first, second, follows=room)
            self._store.when_written(done)

    def refuse(self, room: Room, what: str, done: Callable[[], None]) -> None:
        room.refuse(what)
        message = m.Offered(game=room.code, what=what)
        self._announce(room, message, done)

    # Who comes and goes

    def came(self, person: Person) -> None:
        self._presence(person, None)

    def went(self, person: Person) -> None:
        self._presence(person, self._now())

    def _presence(self, person: Person, since: int | None) -> None:
        for code in person.playing:
            room = self.going.get(code)
            seat = room.seat_of(person.id) if room else None
            if room is None or seat is None:
                continue
            room.away[seat] = since
            claim = self._patience.away if since is not None and room.clock else None
            self._tell(room, m.Presence(game=code, seat=seat, here=since is None, claim_in=claim))

    # Inside

    def _players(self, room: Room) -> tuple[m.Player, m.Player]:
        one, two = (self.player(self._person(number), room.game.name) for number in room.people)
        return one, two

    def _room(self, row: tuple[Any, ...], moves: Iterable[tuple[Any, ...]]) -> Room:
        number, code, game, first, second, rated, seconds, increment, began, ended, result, ending, _, follower = row
        room = Room(
            self._games[game],
            number=number,
            code=code,
            people=(first, second),
            bots=(self._person(first).bot, self._person(second).bot),
            rated=bool(rated),
            clock=None if seconds is None else m.Clock(seconds, increment),
            now=began,
            patience=self._patience,
        )
        room.restore(((str(move), at, clock) for move, at, clock in moves), self._now())
        if result is not None:
            room.end(result, ending, ended)
        elif room.position.outcome is not None:
            raise RefusedError("unknown", f"game {code} is over, and the database does not say so")
        room.rematch = follower
        return room

    def _go_on(self, room: Room) -> None:
        """See to it that the next thing happens: a bot's move, or the end of somebody's time."""
        turn = room.turn
        if turn is None:
            return
        if room.bots[turn]:
            self._think(room)
            return
        deadline = room.deadline()
        timer = self._timers.get(room.code)
        if deadline is None:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + (deadline - self._now()) / 1000
        if timer is not None:
            if timer.when() <= when:
                return  # it looks again when it fires
            timer.cancel()
        self._timers[room.code] = loop.call_at(when + 0.001, self._fire, room)

    def _fire(self, room: Room) -> None:
        self._timers.pop(room.code, None)
        if not room.over and not self._lapse(room, self._now()):
            self._go_on(room)

    def _lapse(self, room: Room, now: int) -> bool:
        if room.over or not room.lapse(now):
            return False
        self._end(room)
        return True

    def _end(self, room: Room, done: Callable[[], None] | None = None) -> None:
        wanted, ended = self._finish(room)

        def told() -> None:
            self._tell(room, ended)
            if done is not None:
                done()
            self._changed()

        self._store.write(wanted, told)

    def _finish(self, room: Room) -> tuple[list[Statement], m.Ended]:
        """A game that has just ended: what to write and what to say."""
        assert room.result is not None
        assert room.ending is not None
        number = self._next_number
        self._next_number += 1
        wanted = [statements.end_game(room.number, room.result, room.ending, number=number, at=room.ended)]
        changes = None
        if room.rated and room.result in SCORES:
            more, before, after = self._standings.count(room, number)
            wanted += more
            changes = (_change(before[0], after[0]), _change(before[1], after[1]))
        self.going.pop(room.code, None)
        self._bot_games -= any(room.bots)
        for person in room.people:
            self._person(person).playing.discard(room.code)
        timer = self._timers.pop(room.code, None)
        if timer is not None:
            timer.cancel()
        self._keep(room, changes)
        self._metrics.add("games_ended")
        _log.info("ended", extra={"game": room.code, "result": room.result, "ending": room.ending, "plies": room.plies})
        ended = m.Ended(
            game=room.code,
            result=room.result,
            ending=room.ending,
            left=room.clocks(room.ended),
            changes=changes,
        )
        return wanted, ended

    def _keep(self, room: Room, changes: tuple[m.Change, m.Change] | None) -> None:
        """A finished game stays at hand for a while."""
        if room.code not in self._over:
            self._over[room.code] = room
            self._results[room.code] = changes
        for code in list(self._over):
            if len(self._over) <= _KEPT:
                break
            if code not in self._watchers and code != room.code:
                del self._over[code], self._results[code]

    def _think(self, room: Room) -> None:
        turn = room.turn
        assert turn is not None
        bot = self._bots.get((self._person(room.people[turn]).name, room.game.name))
        if bot is None:
            room.end(ABORTED, "aborted", self._now())  # it was in a list once
            self._end(room)
            return
        moves = list(room.moves)
        self._thinkers.ask(room.game.name, bot.spec, moves, lambda thought: self._thought(room, moves, thought))

    def _thought(self, room: Room, moves: list[str], thought: Thought) -> None:
        self._metrics.add("thoughts")
        turn = room.turn
        if turn is None or room.moves != moves:
            return  # resigned, or taken back
        try:
            self.move(room, turn, m.Move(game=room.code, ply=room.plies, move=thought.move), _nothing)
        except RefusedError as error:
            _log.error("bot", extra={"game": room.code, "fault": thought.fault or str(error)})
            room.end(ABORTED, "the bot failed", self._now())
            self._end(room)

    def _add_watcher(self, room: Room, session: Session) -> None:
        if session.closed:
            return
        if len(session.watching) >= _WATCHED:  # who plays on and on forgets the games that are over
            for code in [code for code in session.watching if code not in self.going]:
                self.unwatch(code, session)
        session.watching.add(room.code)
        self._watchers.setdefault(room.code, set()).add(session)

    def _announce(self, room: Room, message: object, done: Callable[[], None]) -> None:
        def told() -> None:
            self._tell(room, message)
            done()

        self._store.when_written(told)

    def _tell(self, room: Room, message: object) -> None:
        self._send(room, m.encode(message))

    def _send(self, room: Room, data: bytes, drawn: bytes | None = None) -> None:
        """To all who watch; `drawn` is for those who want to see it, and whoever misses it watches again."""
        for session in list(self._watchers.get(room.code, ())):
            session.send(drawn if drawn is not None and session.scenes else data)

    def _is_drawn(self, room: Room) -> bool:
        """Whether anybody wants to see what is played here; also a player who has not yet heard that it began."""
        if any(session.scenes for session in self._watchers.get(room.code, ())):
            return True
        return any(session.scenes for number in room.people for session in self._person(number).sessions)


def _change(before: Rating, after: Rating) -> m.Change:
    return m.Change(round(before.value), round(after.value), round(after.deviation))


def _nothing() -> None:
    pass
