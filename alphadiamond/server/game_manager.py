"""All games: beginning, moving, ending them, on disk before anybody hears of it; timers, bots and watchers."""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server import game_rows, writes
from alphadiamond.server.admission import Admission
from alphadiamond.server.board_snapshots import SnapshotCache
from alphadiamond.server.bot_pool import BotPool, Thought
from alphadiamond.server.bot_turns import BotTurns
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.glicko import Rating
from alphadiamond.server.limits import PLY_BYTES
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.online_game import ABORTED, SCORES, OnlineGame, Patience
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person, Session
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Statement, Store
from alphadiamond.server.tokens import new_code

_KEPT: Final = 256
"""Finished games that are kept at hand."""
_WATCHED: Final = 64
"""Games that one connection may watch."""
_COUNTED_PLIES: Final = 8
"""A rated game that ends before, and not by the rules, does not count."""
_log = logging.getLogger("alphadiamond.server")

Claimed: TypeAlias = tuple[list[Statement], Callable[[], None] | None]
"""What a game is begun from, now taken: what to write with the game, and whom to tell once that is on disk."""


def _nothing() -> None:
    pass


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
        fetch: Callable[[tuple[int, int]], Awaitable[tuple[Person, Person]]],
        now: Callable[[], int],
        speed: float,
        patience: Patience,
        admission: Admission,
        changed: Callable[[], None],
    ) -> None:
        self._games = games
        self._bots = bots
        self._store = store
        self._reader = reader
        self._bot_turns = BotTurns(bot_pool, self._thought)
        self._standings = standings
        self._metrics = metrics
        self._fetch = fetch
        self._now = now
        self._speed = speed
        self._patience = patience
        self._admission = admission
        self._changed = changed
        self.going: dict[str, OnlineGame] = {}
        self._over: OrderedDict[str, OnlineGame] = OrderedDict()
        self._results: dict[str, tuple[m.Change, m.Change] | None] = {}
        self._watchers: dict[str, set[Session]] = {}
        self._snapshots = SnapshotCache()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._next_game = 1
        self._next_number = 1

    # Beginning

    def restore(self, person: Callable[[int], Person]) -> None:
        """Take up the games that were going on when the server ended; before the store is started."""
        read = self._store.read
        self._next_game = read("SELECT coalesce(max(id), 0) + 1 FROM games")[0][0]
        self._next_number = read("SELECT coalesce(max(number), 0) + 1 FROM games")[0][0]
        now = self._now()
        for online_game in game_rows.going(read, self._games, self._patience, now):
            one, two = players = tuple(map(person, online_game.people))
            online_game.players = one, two
            for seat, player in enumerate(players):
                player.playing.add(online_game.code)
                self._standings.load_now(read, player, online_game.game.name)
                if not player.bot and online_game.away[seat] is None:
                    online_game.away[seat] = now
            self.going[online_game.code] = online_game

    def start(self) -> None:
        """In the event loop: clocks run, and bots think on."""
        for online_game in list(self.going.values()):  # one whose bot is gone ends here
            if online_game.clock is not None:
                online_game.since = self._now()
            self._go_on(online_game)

    async def begin(
        self,
        terms: m.Terms,
        owner: Person,
        other: Person,
        *,
        follows: OnlineGame | None = None,
        resumes: OnlineGame | None = None,
        claim: Callable[[], Claimed] | None = None,
    ) -> OnlineGame:
        """A new game; both players are told once it is on disk. One that `resumes` another begins with its moves.

        `claim` takes the seek or challenge that it comes from, or refuses. It is called when nothing else can refuse
        the game any more, or a game that is refused would cost somebody a seek.
        """
        game = self.game(terms.game)
        await self._standings.load(self._reader, (owner, other), game.name)
        self._admission.check(terms, owner, other, self.going.values())
        wanted, claimed = claim() if claim is not None else ([], None)
        seat = secrets.randbelow(2) if terms.seat is None else terms.seat
        people = (owner, other) if seat == 0 else (other, owner)
        before = follows or resumes  # whose board it is played on
        if follows is not None and game.seeded and follows.returns:
            before = None  # a drawn board is played twice, with seats exchanged
        now = self._now()
        online_game = OnlineGame(
            game,
            number=self._next_game,
            code=new_code(),
            people=(people[0].id, people[1].id),
            bots=(people[0].bot, people[1].bot),
            rated=terms.rated,
            clock=terms.clock,
            start=before.start if before is not None else game.start(),
            now=now,
            patience=self._patience,
        )
        if resumes is not None:
            online_game.restore([(move, now, None) for move in resumes.moves], now)
        self._next_game += 1
        online_game.players = people
        online_game.returns = before is not None and (before is follows or before.returns)
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
        copied = [
            writes.add_move(online_game.number, ply, move, at=now, clock=None)
            for ply, move in enumerate(online_game.moves)
        ]
        if not copied and any(session.scenes for person in people for session in person.sessions):
            self._snapshots.begin(online_game)
        shown = [{wanted: self.shown(online_game, at, scenes=wanted) for wanted in (False, True)} for at in (0, 1)]

        def told() -> None:
            if claimed is not None:
                claimed()
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

        self._store.write([*wanted, statement, *copied], told)
        self._go_on(online_game)
        return online_game

    async def resume(self, online_game: OnlineGame, seat: int) -> OnlineGame:
        """Go on with a game against a bot that was aborted, as a new one that is not rated."""
        if online_game.result != ABORTED or not online_game.bots[1 - seat] or online_game.position.outcome is not None:
            raise RefusedError("not_allowed", "only an aborted game with a bot can be gone on with")
        players = online_game.players
        terms = m.Terms(online_game.game.name, None, False, seat)
        return await self.begin(terms, players[seat], players[1 - seat], resumes=online_game)

    def game(self, name: str) -> Game:
        if name not in self._games:
            raise RefusedError("unknown", f"no game is called {name!a}: there are {', '.join(self._games)}")
        return self._games[name]

    # Looking

    async def find(self, code: str, charge: Callable[[int], None]) -> OnlineGame:
        """A game, going on or finished; `charge` hears what it costs to play one through that is on disk alone."""
        online_game = self.going.get(code) or self._over.get(code)
        if online_game is not None:
            return online_game
        charge(0)
        now = self._now()
        found = await self._reader.ask(
            lambda connection: game_rows.finished(connection, self._games, code, self._patience, now)
        )
        if found is None:
            raise RefusedError("unknown", "there is no such game")
        charge(PLY_BYTES * found.online_game.plies)
        players = await self._fetch(found.online_game.people)
        await self._standings.load(self._reader, players, found.online_game.game.name)
        self._keep(found.online_game, players, found.changes)
        return self._over[code]

    async def watch(self, online_game: OnlineGame, session: Session, charge: Callable[[int], None]) -> None:
        """Send the game as it is once that is on disk, and what happens in it from then on; `charge` hears its size."""
        if session.scenes:
            await self._snapshots.fill(online_game)
        if online_game.code not in session.watching and len(session.watching) >= _WATCHED:
            raise RefusedError("limit", f"you watch {_WATCHED} games already")
        seat = online_game.seat_of(session.person.id) if session.person else None
        data = m.encode(self.shown(online_game, seat, scenes=session.scenes))
        charge(len(data))

        def told() -> None:
            self._add_watcher(online_game, session)
            session.send(data)

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
        rating = self._standings.of(person, game).rating.now(self._now())
        return m.Player(person.name, round(rating.value), round(rating.deviation), person.bot, person.here)

    # What players do

    def move(self, online_game: OnlineGame, seat: int, request: m.Move, done: Callable[[], None]) -> None:
        arrived = time.perf_counter()
        now = self._now()
        self._lapse(online_game, now)
        before = online_game.position
        if not online_game.play(seat, request.ply, request.move, now, lag=request.lag):
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

    def end_by_hand(self, online_game: OnlineGame, done: Callable[[], None] = _nothing) -> None:
        """Without a result, whatever its position."""
        online_game.end(ABORTED, "moderation", self._now())
        self._end(online_game, done)

    def leave_all(self, person: Person) -> None:
        """Somebody is no more: their games are resigned, those in which they have not moved aborted."""
        for code in list(person.playing):
            online_game = self.going.get(code)
            seat = online_game.seat_of(person.id) if online_game is not None else None
            if online_game is None or seat is None or self._lapse(online_game, self._now()):
                continue
            (online_game.resign if seat in online_game.movers else online_game.abort)(seat, self._now())
            self._end(online_game)

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
            self._bot_turns.stop(online_game)
            wanted = [writes.take_back(online_game.number, online_game.plies)]
            if online_game.clock is not None:
                wanted += [
                    writes.set_clock(online_game.number, ply, online_game.left[at])
                    for at, ply in online_game.last_plies()
                ]
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

            self._store.write(wanted, told)
            self._go_on(online_game)
        else:
            terms = m.Terms(online_game.game.name, online_game.clock, online_game.rated, 1)
            first, second = online_game.players
            try:
                await self.begin(terms, first, second, follows=online_game)
            except RefusedError:
                online_game.reopen(seat, what)
                raise
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
            if since is not None and not online_game.bots[online_game.turn or 0]:
                self._go_on(online_game)  # a game with a bot does not wait as long for who is gone

    # Inside

    def _players(self, online_game: OnlineGame) -> tuple[m.Player, m.Player]:
        one, two = (self.player(person, online_game.game.name) for person in online_game.players)
        return one, two

    def _go_on(self, online_game: OnlineGame) -> None:
        """See to it that the next thing happens: a pass that is no choice, a bot's move, or the end of somebody's
        time."""
        turn, forced = online_game.turn, online_game.forced
        if turn is None:
            return
        if forced is not None:
            if not self._lapse(online_game, self._now()):
                self.move(
                    online_game, turn, m.Move(game=online_game.code, ply=online_game.plies, move=forced), _nothing
                )
            return
        if online_game.bots[turn]:
            self._think(online_game)
            return
        deadline = online_game.deadline()
        timer = self._timers.get(online_game.code)
        if deadline is None:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + (deadline - self._now()) / 1000 / self._speed
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
        players = online_game.players
        if online_game.plies < _COUNTED_PLIES and online_game.position.outcome is None:
            online_game.rated = False  # given away before it was played
        wanted = [
            writes.end_game(
                online_game.number,
                online_game.result,
                online_game.ending,
                rated=online_game.rated,
                number=number,
                at=online_game.ended,
            )
        ]
        changes = None
        if online_game.rated and online_game.result in SCORES:
            more, before, after = self._standings.count(online_game, players, number)
            wanted += more
            changes = (_change(before[0], after[0]), _change(before[1], after[1]))
        self._bot_turns.stop(online_game)
        self.going.pop(online_game.code, None)
        for person in players:
            person.playing.discard(online_game.code)
        timer = self._timers.pop(online_game.code, None)
        if timer is not None:
            timer.cancel()
        self._keep(online_game, players, changes)
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

    def _keep(self, online_game: OnlineGame, players: tuple[Person, Person], changes: game_rows.Changes) -> None:
        """A finished game stays at hand for a while."""
        if online_game.code not in self._over:
            self._over[online_game.code] = online_game
            online_game.players = players
            self._results[online_game.code] = changes
        for code in list(self._over):
            if len(self._over) <= _KEPT:
                break
            if code not in self._watchers and code != online_game.code:
                del self._over[code], self._results[code]

    def _think(self, online_game: OnlineGame) -> None:
        turn = online_game.turn
        assert turn is not None
        bot = self._bots.get((online_game.players[turn].name, online_game.game.name))
        if bot is not None:
            self._bot_turns.think(online_game, bot.spec)
            return
        online_game.end(ABORTED, "aborted", self._now())  # it was in a list once
        self._end(online_game)

    def _thought(self, online_game: OnlineGame, thought: Thought) -> None:
        self._metrics.add("thoughts")
        turn = online_game.turn
        assert turn is not None
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
        return any(session.scenes for person in online_game.players for session in person.sessions)


def _change(before: Rating, after: Rating) -> m.Change:
    return m.Change(round(before.value), round(after.value), round(after.deviation))
