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
from alphadiamond.server import writes
from alphadiamond.server.accounts import new_code
from alphadiamond.server.board_snapshots import SnapshotCache
from alphadiamond.server.bot_pool import BotPool, Thought
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.glicko import Rating
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.online_game import ABORTED, SCORES, OnlineGame, Patience
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person, Session
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Statement, Store

_KEPT: Final = 256
"""Finished games that are kept at hand."""
_WATCHED: Final = 64
"""Games that one connection may watch."""
_log = logging.getLogger("alphadiamond.server")

_ROW: Final = (
    "SELECT id, code, game, first, second, rated, seconds, increment, began, ended, result, ending, number, start, "
    "(SELECT code FROM games AS next WHERE next.follows = games.id) FROM games"
)
_MOVES: Final = "SELECT move, at, clock FROM moves WHERE game = ? ORDER BY ply"
_CHANGES: Final = (
    "SELECT person, before, value, deviation FROM changes WHERE game = ? AND number = ? AND person IN (?, ?)"
)


class GameManager:
    """Every game that goes on, and the finished ones that somebody looks at."""

    def __init__(
        self,
        *,
        games: dict[str, Game],
        bots: dict[tuple[str, str], BotPlayer],
        store: Store,
        reader: Reader,
        bot_pool: BotPool,
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
        self._bot_pool = bot_pool
        self._standings = standings
        self._metrics = metrics
        self._person = person
        self._fetch = fetch
        self._now = now
        self._patience = patience
        self._most_each = most_each
        self._most_bots = most_bots
        self._changed = changed
        self.going: dict[str, OnlineGame] = {}
        self._over: OrderedDict[str, OnlineGame] = OrderedDict()
        self._results: dict[str, tuple[m.Change, m.Change] | None] = {}
        self._watchers: dict[str, set[Session]] = {}
        self._snapshots = SnapshotCache()
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
            online_game = self._online_game(row, read(_MOVES, (row[0],)))
            for seat, number in enumerate(online_game.people):
                person = self._person(number)
                person.playing.add(online_game.code)
                self._standings.load_now(read, number, online_game.game.name)
                online_game.away[seat] = None if person.bot else now
            self.going[online_game.code] = online_game
            self._bot_games += any(online_game.bots)

    def start(self) -> None:
        """In the event loop: clocks run, and bots think on."""
        for online_game in self.going.values():
            online_game.since = self._now()
            self._go_on(online_game)

    async def begin(
        self, terms: m.Terms, owner: Person, other: Person, *, follows: OnlineGame | None = None
    ) -> OnlineGame:
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
        online_game = OnlineGame(
            game,
            number=self._next_game,
            code=new_code(),
            people=(people[0].id, people[1].id),
            bots=(people[0].bot, people[1].bot),
            rated=terms.rated,
            clock=terms.clock,
            start=game.start() if follows is None else follows.start,  # the same board, seats exchanged
            now=now,
            patience=self._patience,
        )
        self._next_game += 1
        self._bot_games += any(online_game.bots)
        self.going[online_game.code] = online_game
        for at, person in enumerate(people):
            person.playing.add(online_game.code)
            online_game.away[at] = None if person.here else now
        if follows is not None:
            follows.rematch = online_game.code
        statement = writes.add_game(
            online_game.number,
            online_game.code,
            game.name,
            online_game.people,
            rated=online_game.rated,
            seconds=online_game.clock.seconds if online_game.clock else None,
            increment=online_game.clock.increment if online_game.clock else 0,
            start=str(online_game.start),
            at=now,
            follows=follows.number if follows else None,
        )
        if any(session.scenes for person in people for session in person.sessions):
            self._snapshots.begin(online_game)
        shown = [{wanted: self.shown(online_game, at, scenes=wanted) for wanted in (False, True)} for at in (0, 1)]

        def told() -> None:
            self._metrics.add("games_begun")
            _log.info(
                "begun", extra={"game": online_game.code, "of": game.name, "players": [one.name for one in people]}
            )
            if follows is not None:
                self._tell(follows, m.Rematch(game=follows.code, next=online_game.code))
            for person, message in zip(people, shown, strict=True):
                for session in list(person.sessions):
                    self._add_watcher(online_game, session)
                    session.tell(message[session.scenes])
            self._changed()

        self._store.write([statement], told)
        self._go_on(online_game)
        return online_game

    def game(self, name: str) -> Game:
        if name not in self._games:
            raise RefusedError("unknown", f"no game is called {name!a}: there are {', '.join(self._games)}")
        return self._games[name]

    # Looking

    async def find(self, code: str) -> OnlineGame:
        """A game, going on or finished."""
        online_game = self.going.get(code) or self._over.get(code)
        if online_game is not None:
            return online_game
        rows = await self._reader.rows(f"{_ROW} WHERE code = ? AND result IS NOT NULL", code)
        if not rows or rows[0][2] not in self._games:
            raise RefusedError("unknown", "there is no such game")
        row = rows[0]
        moves = await self._reader.rows(_MOVES, row[0])
        found = await self._reader.rows(_CHANGES, row[2], row[12], row[3], row[4])
        people: tuple[int, int] = (row[3], row[4])
        await self._fetch(people)
        await self._standings.load(self._reader, people, row[2])
        online_game = self._online_game(row, moves)
        changes = {person: m.Change(round(before), round(value), round(dev)) for person, before, value, dev in found}
        both = (changes[row[3]], changes[row[4]]) if len(changes) == 2 else None
        self._keep(online_game, both)
        return self._over[code]

    async def watch(self, online_game: OnlineGame, session: Session) -> None:
        """Send the game as it is once that is on disk, and what happens in it from then on."""
        if session.scenes:
            await self._snapshots.fill(online_game)
        if online_game.code not in session.watching and len(session.watching) >= _WATCHED:
            raise RefusedError("limit", f"you watch {_WATCHED} games already")
        seat = online_game.seat_of(session.person.id) if session.person else None
        message = self.shown(online_game, seat, scenes=session.scenes)

        def told() -> None:
            self._add_watcher(online_game, session)
            session.tell(message)

        self._store.when_written(told)

    def unwatch(self, code: str, session: Session) -> None:
        session.watching.discard(code)
        watchers = self._watchers.get(code)
        if watchers is not None:
            watchers.discard(session)
            if not watchers:
                del self._watchers[code]

    def shown(self, online_game: OnlineGame, seat: int | None, *, scenes: bool = False) -> m.Game:
        """With scenes if they are wanted and at hand; whoever misses them watches again."""
        now = self._now()
        return m.Game(
            game=online_game.code,
            of=online_game.game.name,
            players=self._players(online_game),
            rated=online_game.rated,
            moves=tuple(online_game.moves),
            position=str(online_game.position),
            start=str(online_game.start),
            left=online_game.clocks(now),
            clock=online_game.clock,
            turn=online_game.turn,
            ticking=online_game.ticking,
            legal=online_game.legal,
            seat=seat,
            offers=dict(online_game.offers),
            watchers=len(self._watchers.get(online_game.code, ())),
            result=online_game.result,
            ending=online_game.ending,
            changes=self._results.get(online_game.code),
            rematch=online_game.rematch,
            now=now,
            scenes=self._snapshots.of(online_game) if scenes else (),
        )

    def line(self, online_game: OnlineGame) -> m.GameLine:
        return m.GameLine(
            game=online_game.code,
            of=online_game.game.name,
            players=self._players(online_game),
            rated=online_game.rated,
            plies=online_game.plies,
            clock=online_game.clock,
            turn=online_game.turn,
            result=online_game.result,
            ending=online_game.ending,
            at=online_game.ended or online_game.began,
        )

    def player(self, person: Person, game: str) -> m.Player:
        rating = self._standings.of(person.id, game).rating.now(self._now())
        return m.Player(person.name, round(rating.value), round(rating.deviation), person.bot, person.here)

    # What players do

    def move(self, online_game: OnlineGame, seat: int, request: m.Move, done: Callable[[], None]) -> None:
        arrived = time.perf_counter()
        now = self._now()
        self._lapse(online_game, now)
        before = online_game.position
        if not online_game.play(seat, request.ply, request.move, now):
            self._store.when_written(done)
            return
        clock = online_game.left[seat] if online_game.clock else None
        wanted = [
            writes.add_move(online_game.number, online_game.plies - 1, online_game.moves[-1], at=now, clock=clock)
        ]
        moved = m.Moved(
            game=online_game.code,
            ply=online_game.plies - 1,
            move=online_game.moves[-1],
            position=str(online_game.position),
            turn=online_game.turn,
            left=online_game.clocks(now),
            now=now,
            ticking=online_game.ticking,
            legal=online_game.legal,
        )
        plain, drawn = m.encode(moved), None
        if self._is_drawn(online_game):
            moved.scene = self._snapshots.add(online_game, before)
            drawn = m.encode(moved)
        last = None
        if online_game.over:
            more, ended = self._finish(online_game)
            wanted += more
            last = m.encode(ended)

        def told() -> None:
            self._send(online_game, plain, drawn)
            if last is not None:
                self._send(online_game, last)
            done()
            self._metrics.add("moves")
            self._metrics.moving.add(time.perf_counter() - arrived)
            if online_game.over:
                self._changed()

        self._store.write(wanted, told)
        self._go_on(online_game)

    def resign(self, online_game: OnlineGame, seat: int, done: Callable[[], None]) -> None:
        self._lapse(online_game, self._now())
        online_game.resign(seat, self._now())
        self._end(online_game, done)

    def abort(self, online_game: OnlineGame, seat: int, done: Callable[[], None]) -> None:
        self._lapse(online_game, self._now())
        online_game.abort(seat, self._now())
        self._end(online_game, done)

    def claim(self, online_game: OnlineGame, seat: int, done: Callable[[], None]) -> None:
        self._lapse(online_game, self._now())
        online_game.claim(seat, self._now())
        self._end(online_game, done)

    async def offer(self, online_game: OnlineGame, seat: int, what: str, done: Callable[[], None]) -> None:
        now = self._now()
        self._lapse(online_game, now)
        agreed = online_game.offer(seat, what, now)
        if not agreed and online_game.bots[1 - seat]:
            if what == "draw" or (what == "takeback" and online_game.rated):
                online_game.refuse(what)
                raise RefusedError("not_allowed", "the bot declines", game=online_game.code)
            agreed = online_game.offer(1 - seat, what, now)
        if not agreed:
            message = m.Offered(game=online_game.code, what=what, seat=seat)
            self._announce(online_game, message, done)
        elif what == "draw":
            self._end(online_game, done)
        elif what == "takeback":
            statement = writes.take_back(online_game.number, online_game.plies)
            self._snapshots.cut(online_game)
            shown = {
                (at, scenes): m.encode(self.shown(online_game, at, scenes=scenes))
                for at in (None, 0, 1)
                for scenes in (False, True)
            }

            def told() -> None:
                for session in list(self._watchers.get(online_game.code, ())):
                    at = online_game.seat_of(session.person.id) if session.person else None
                    session.send(shown[at, session.scenes])
                done()

            self._store.write([statement], told)
            self._go_on(online_game)
        else:
            terms = m.Terms(online_game.game.name, online_game.clock, online_game.rated, 1)
            first, second = (self._person(number) for number in online_game.people)
            await self.begin(terms, first, second, follows=online_game)
            self._store.when_written(done)

    def refuse(self, online_game: OnlineGame, what: str, done: Callable[[], None]) -> None:
        online_game.refuse(what)
        message = m.Offered(game=online_game.code, what=what)
        self._announce(online_game, message, done)

    # Who comes and goes

    def came(self, person: Person) -> None:
        self._presence(person, None)

    def went(self, person: Person) -> None:
        self._presence(person, self._now())

    def _presence(self, person: Person, since: int | None) -> None:
        for code in person.playing:
            online_game = self.going.get(code)
            seat = online_game.seat_of(person.id) if online_game else None
            if online_game is None or seat is None:
                continue
            online_game.away[seat] = since
            claim = self._patience.away if since is not None and online_game.clock else None
            self._tell(online_game, m.Presence(game=code, seat=seat, here=since is None, claim_in=claim))

    # Inside

    def _players(self, online_game: OnlineGame) -> tuple[m.Player, m.Player]:
        one, two = (self.player(self._person(number), online_game.game.name) for number in online_game.people)
        return one, two

    def _online_game(self, row: tuple[Any, ...], moves: Iterable[tuple[Any, ...]]) -> OnlineGame:
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
        ) = row
        online_game = OnlineGame(
            self._games[game],
            number=number,
            code=code,
            people=(first, second),
            bots=(self._person(first).bot, self._person(second).bot),
            rated=bool(rated),
            clock=None if seconds is None else m.Clock(seconds, increment),
            start=self._games[game].parse(start),
            now=began,
            patience=self._patience,
        )
        online_game.restore(((str(move), at, clock) for move, at, clock in moves), self._now())
        if result is not None:
            online_game.end(result, ending, ended)
        elif online_game.position.outcome is not None:
            raise RefusedError("unknown", f"game {code} is over, and the database does not say so")
        online_game.rematch = follower
        return online_game

    def _go_on(self, online_game: OnlineGame) -> None:
        """See to it that the next thing happens: a bot's move, or the end of somebody's time."""
        turn = online_game.turn
        if turn is None:
            return
        if online_game.bots[turn]:
            self._think(online_game)
            return
        deadline = online_game.deadline()
        timer = self._timers.get(online_game.code)
        if deadline is None:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + (deadline - self._now()) / 1000
        if timer is not None:
            if timer.when() <= when:
                return  # it looks again when it fires
            timer.cancel()
        self._timers[online_game.code] = loop.call_at(when + 0.001, self._fire, online_game)

    def _fire(self, online_game: OnlineGame) -> None:
        self._timers.pop(online_game.code, None)
        if not online_game.over and not self._lapse(online_game, self._now()):
            self._go_on(online_game)

    def _lapse(self, online_game: OnlineGame, now: int) -> bool:
        if online_game.over or not online_game.lapse(now):
            return False
        self._end(online_game)
        return True

    def _end(self, online_game: OnlineGame, done: Callable[[], None] | None = None) -> None:
        wanted, ended = self._finish(online_game)

        def told() -> None:
            self._tell(online_game, ended)
            if done is not None:
                done()
            self._changed()

        self._store.write(wanted, told)

    def _finish(self, online_game: OnlineGame) -> tuple[list[Statement], m.Ended]:
        """A game that has just ended: what to write and what to say."""
        assert online_game.result is not None
        assert online_game.ending is not None
        number = self._next_number
        self._next_number += 1
        wanted = [
            writes.end_game(
                online_game.number, online_game.result, online_game.ending, number=number, at=online_game.ended
            )
        ]
        changes = None
        if online_game.rated and online_game.result in SCORES:
            more, before, after = self._standings.count(online_game, number)
            wanted += more
            changes = (_change(before[0], after[0]), _change(before[1], after[1]))
        self.going.pop(online_game.code, None)
        self._bot_games -= any(online_game.bots)
        for person in online_game.people:
            self._person(person).playing.discard(online_game.code)
        timer = self._timers.pop(online_game.code, None)
        if timer is not None:
            timer.cancel()
        self._keep(online_game, changes)
        self._metrics.add("games_ended")
        _log.info(
            "ended",
            extra={
                "game": online_game.code,
                "result": online_game.result,
                "ending": online_game.ending,
                "plies": online_game.plies,
            },
        )
        ended = m.Ended(
            game=online_game.code,
            result=online_game.result,
            ending=online_game.ending,
            left=online_game.clocks(online_game.ended),
            changes=changes,
        )
        return wanted, ended

    def _keep(self, online_game: OnlineGame, changes: tuple[m.Change, m.Change] | None) -> None:
        """A finished game stays at hand for a while."""
        if online_game.code not in self._over:
            self._over[online_game.code] = online_game
            self._results[online_game.code] = changes
        for code in list(self._over):
            if len(self._over) <= _KEPT:
                break
            if code not in self._watchers and code != online_game.code:
                del self._over[code], self._results[code]

    def _think(self, online_game: OnlineGame) -> None:
        turn = online_game.turn
        assert turn is not None
        bot = self._bots.get((self._person(online_game.people[turn]).name, online_game.game.name))
        if bot is None:
            online_game.end(ABORTED, "aborted", self._now())  # it was in a list once
            self._end(online_game)
            return
        moves = list(online_game.moves)
        self._bot_pool.ask(
            online_game.game.name,
            bot.spec,
            str(online_game.start),
            moves,
            lambda thought: self._thought(online_game, moves, thought),
        )

    def _thought(self, online_game: OnlineGame, moves: list[str], thought: Thought) -> None:
        self._metrics.add("thoughts")
        turn = online_game.turn
        if turn is None or online_game.moves != moves:
            return  # resigned, or taken back
        try:
            self.move(
                online_game, turn, m.Move(game=online_game.code, ply=online_game.plies, move=thought.move), _nothing
            )
        except RefusedError as error:
            _log.error("bot", extra={"game": online_game.code, "fault": thought.fault or str(error)})
            online_game.end(ABORTED, "the bot failed", self._now())
            self._end(online_game)

    def _add_watcher(self, online_game: OnlineGame, session: Session) -> None:
        if session.closed:
            return
        if len(session.watching) >= _WATCHED:  # who plays on and on forgets the games that are over
            for code in [code for code in session.watching if code not in self.going]:
                self.unwatch(code, session)
        session.watching.add(online_game.code)
        self._watchers.setdefault(online_game.code, set()).add(session)

    def _announce(self, online_game: OnlineGame, message: object, done: Callable[[], None]) -> None:
        def told() -> None:
            self._tell(online_game, message)
            done()

        self._store.when_written(told)

    def _tell(self, online_game: OnlineGame, message: object) -> None:
        self._send(online_game, m.encode(message))

    def _send(self, online_game: OnlineGame, data: bytes, drawn: bytes | None = None) -> None:
        """To all who watch; `drawn` is for those who want to see it, and whoever misses it watches again."""
        for session in list(self._watchers.get(online_game.code, ())):
            session.send(drawn if drawn is not None and session.scenes else data)

    def _is_drawn(self, online_game: OnlineGame) -> bool:
        """Whether anybody wants to see what is played here; also a player who has not yet heard that it began."""
        if any(session.scenes for session in self._watchers.get(online_game.code, ())):
            return True
        return any(session.scenes for number in online_game.people for session in self._person(number).sessions)


def _change(before: Rating, after: Rating) -> m.Change:
    return m.Change(round(before.value), round(after.value), round(after.deviation))


def _nothing() -> None:
    pass
