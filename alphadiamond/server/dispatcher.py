"""Everything that a client can ask for, whatever it is connected by."""

import asyncio
import contextlib
import functools
import itertools
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server import writes
from alphadiamond.server.admission import Admission
from alphadiamond.server.bot_pool import BotPool
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.exploration import explore
from alphadiamond.server.game_manager import Claimed, GameManager
from alphadiamond.server.glicko import Rating
from alphadiamond.server.limits import PLY_BYTES, Buckets, place_of
from alphadiamond.server.lobby import SHOWN, Challenge, Lobby
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.moderation import Moderation
from alphadiamond.server.online_game import OnlineGame, Patience
from alphadiamond.server.opinions import Opinions
from alphadiamond.server.people import People
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.puzzles import Puzzles
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person, Session
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Store

RENEWED: Final = 4001
_LOBBY_SECONDS: Final = 1.0
_LOBBY_FRESH: Final = 0.1
"""Seconds for which the lobby is not put into words again, however often it is asked for."""
_ASKED_BYTES: Final = 1_000_000.0
"""Bytes a second, over some time, that one address gets by asking; what it is told unasked is not counted."""
_ASKED_AT_ONCE: Final = 16_000_000.0
_CLOCKS_DIFFER: Final = 5_000
_log = logging.getLogger("alphadiamond.server")


class Dispatcher:
    """The server without its sockets."""

    def __init__(
        self,
        settings: ServeSettings,
        *,
        games: dict[str, Game],
        bots: Iterable[BotPlayer],
        store: Store,
        bot_pool: BotPool,
        metrics: Metrics,
    ) -> None:
        self._speed = settings.speed
        self._began = time.time(), time.monotonic()
        self.metrics = metrics
        self.reader = Reader(store.path)
        self.web = Reader(store.path, name="web")
        """For what is asked over HTTP."""
        self.games = games
        self.bots = {(bot.name, bot.game): bot for bot in bots}
        self.sessions: set[Session] = set()
        self.stopping = False
        self._store = store
        self._bot_pool = bot_pool
        self._asked = Buckets(_ASKED_BYTES, _ASKED_AT_ONCE)
        self._lobby_changed = False
        self._lobby_data = b""
        self._lobby_until = 0.0
        self._lobby_task: asyncio.Task[None] | None = None
        self._standings = Standings(self._beginning)
        self.people = People(
            reader=self.reader, store=store, now=self.now, metrics=metrics, names_an_hour=settings.people_per_address
        )
        self.lobby = Lobby(self.now)
        self.puzzles = Puzzles(games, store=store, reader=self.reader)
        self.game_manager = GameManager(
            games=games,
            bots=self.bots,
            store=store,
            reader=self.reader,
            bot_pool=bot_pool,
            standings=self._standings,
            metrics=metrics,
            fetch=self._fetch_both,
            now=self.now,
            speed=settings.speed,
            patience=Patience(
                first_move=round(1000 * settings.first_move_seconds),
                away=round(1000 * settings.away_seconds),
                correspondence=round(86_400_000 * settings.correspondence_days),
                unattended=round(3_600_000 * settings.unattended_hours),
            ),
            admission=Admission(
                most_each=settings.games_per_person,
                most_bots=settings.bot_games,
                most_bots_per_address=settings.bot_games_per_address,
                rated_at_home=settings.rated_at_home,
                standings=self._standings,
                now=self.now,
            ),
            changed=self._change_lobby,
        )
        self._opinions = Opinions(self.bots, bot_pool, self.game_manager, self._charge)
        self.moderation = Moderation(
            people=self.people,
            lobby=self.lobby,
            game_manager=self.game_manager,
            puzzles=self.puzzles,
            store=store,
            reader=self.reader,
        )
        self._handlers: dict[type[m.Request], Callable[[Session, Person, Any], Any]] = {
            m.Renew: self._renew,
            m.Recovery: self._recovery,
            m.Rename: self._rename,
            m.Delete: self._delete,
            m.Resume: self._resume,
            m.Seek: self._seek,
            m.Unseek: self._unseek,
            m.Take: self._take,
            m.Challenge: self._challenge,
            m.Accept: self._accept,
            m.Decline: self._decline,
            m.Bot: self._bot,
            m.Move: self._move,
            m.Resign: self._resign,
            m.Abort: self._abort,
            m.Claim: self._claim,
            m.Offer: self._offer,
            m.Refuse: self._refuse,
            m.Analyse: self._opinions.analyse,
            m.Consider: self._opinions.consider,
            m.Puzzle: self._puzzle,
            m.Solve: self._solve,
        }
        self._restore()

    def now(self) -> int:
        """Milliseconds since 1970, by a clock that is never set back while the server runs."""
        at, since = self._began
        return round(1000 * (at + self._speed * (time.monotonic() - since)))

    def start(self) -> None:
        self._store.start()
        self._bot_pool.start()
        self.game_manager.start()
        self._lobby_task = asyncio.create_task(self._tell_lobby())

    async def stop(self) -> None:
        if self._lobby_task is not None:
            self._lobby_task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._lobby_task
        await self._bot_pool.stop()
        await self._store.close()
        self.reader.close()
        self.web.close()

    def trouble(self, on: bool) -> None:
        """The disk does not take what is to be written, or takes it again."""
        data = m.encode(m.Trouble(on=on))
        for session in self.sessions:
            session.send(data)

    def when_written(self, done: Callable[[], None]) -> None:
        self._store.when_written(done)

    # Connections

    def leave(self, session: Session) -> None:
        """A connection is gone."""
        session.closed = True
        self.sessions.discard(session)
        if session.opinion is not None:
            session.opinion.cancel()
        for code in list(session.watching):
            self.game_manager.unwatch(code, session)
        person = session.person
        if person is not None:
            person.sessions.discard(session)
            if not person.sessions:
                self.lobby.gone(person)
                self.game_manager.went(person)
        self._change_lobby()

    async def handle(self, session: Session, request: m.ClientMessage) -> None:
        """Do what is asked, or say why not."""
        while self._store.behind:  # a slow disk slows clients down, and memory does not fill
            await asyncio.sleep(0.01)
        try:
            if self.stopping:
                raise RefusedError("stopping", "the server is stopping; ask again when it is back")
            if isinstance(request, m.Hello):
                await self._hello(session, request)
            elif not session.greeted:
                raise RefusedError("hello", "say hello first")
            elif isinstance(request, m.Ping):
                session.tell(m.Pong(now=self.now(), id=request.id))
            elif isinstance(request, m.Lobby):
                session.in_lobby = request.on
                if request.on:
                    data = self._lobby_bytes()
                    self._charge(session, len(data))
                    session.send(data)
                self._ok(session, request)()
            elif isinstance(request, m.Watch):
                charge = functools.partial(self._charge, session)
                charge(0)
                online_game = await self.game_manager.find(request.game, charge)
                await self.game_manager.watch(online_game, session, charge)
                self._store.when_written(self._ok(session, request))
            elif isinstance(request, m.Unwatch):
                self.game_manager.unwatch(request.game, session)
                self._ok(session, request)()
            elif isinstance(request, m.Look):
                self._look(session, request)
            elif isinstance(request, m.Explore):
                followed = self.game_manager.game(request.of)
                self._charge(session, PLY_BYTES * (1 + len(request.moves)))
                data = m.encode(await explore(followed, request))
                self._charge(session, len(data))
                session.send(data)
            elif session.person is None:
                raise RefusedError("hello", "spectators cannot do that: say hello with a name or a token")
            elif session.person.left:  # until the connection is closed
                raise RefusedError("hello", "this person is no more")
            else:
                done = self._handlers[type(request)](session, session.person, request)
                if done is not None:
                    await done
        except sqlite3.Error as error:
            self.metrics.trouble("the database cannot be read", error)
            message = "the server cannot read its disk just now; ask again"
            session.tell(m.Error(code="storage", message=message, id=request.id))
        except RefusedError as error:
            self.metrics.add("refused")
            game = error.game or getattr(request, "game", None)
            session.tell(m.Error(code=error.code, message=error.message, id=request.id, game=game))

    # Who is who

    async def _hello(self, session: Session, request: m.Hello) -> None:
        if session.greeted:
            raise RefusedError("not_allowed", "you have said hello already")
        if request.version != m.VERSION:
            raise RefusedError("bad_message", f"this server speaks version {m.VERSION}, not {request.version}")
        person = token = None
        if request.token is not None:
            person = await self.people.by_token(request.token)
        elif request.recovery is not None:
            person, token = await self.people.by_code(request.recovery, lambda: self._close_others(person, session))
        elif request.name is not None:
            person, token = await self.people.newcomer(session.address, request.name)
        if session.closed:
            return
        session.greeted = True
        session.scenes = request.scenes
        if person is not None:
            was_here = person.here
            session.person = person
            person.address = place_of(session.address)
            person.sessions.add(session)
            if not was_here:
                self.game_manager.came(person)
        self._store.when_written(lambda: session.tell(self._welcome(person, token)))
        self._change_lobby()

    def _close_others(self, person: Person | None, session: Session) -> None:
        for other in list(person.sessions) if person is not None else ():
            if other is not session:
                other.close(RENEWED, "the token was renewed elsewhere")

    def _welcome(self, person: Person | None, token: str | None) -> m.Welcome:
        codes = sorted(person.playing) if person else []
        return m.Welcome(
            version=m.VERSION,
            now=self.now(),
            games=tuple(info_of(game) for game in self.games.values()),
            bots=tuple(self.bot_infos()),
            name=person.name if person else None,
            token=token,
            puzzles=self.puzzles.games,
            playing=tuple(
                self.game_manager.line(self.game_manager.going[code])
                for code in codes
                if code in self.game_manager.going
            ),
            challenges=tuple(map(_told_challenge, self.lobby.challenges_of(person))) if person else (),
        )

    def bot_infos(self) -> list[m.BotInfo]:
        found = []
        for bot in self.bots.values():
            rating = self._standings.of(self.people.bot(bot.name), bot.game).rating
            found.append(
                m.BotInfo(
                    bot.name,
                    bot.title,
                    bot.game,
                    round(rating.value),
                    round(rating.deviation),
                    bot.anchor is not None,
                    bot.exact,
                )
            )
        return found

    def _renew(self, session: Session, person: Person, request: m.Renew) -> None:
        def told(token: str) -> None:
            self._close_others(person, session)
            session.tell(m.Token(token=token))
            self._ok(session, request)()

        self.people.renew(person, told)

    def _recovery(self, session: Session, person: Person, request: m.Recovery) -> None:
        self.people.make_code(person, lambda code: session.tell(m.RecoveryCode(code=code, id=request.id)))

    async def _rename(self, session: Session, person: Person, request: m.Rename) -> None:
        def told() -> None:
            for other in person.sessions:
                other.tell(m.Named(name=person.name))
            self._ok(session, request)()
            self._change_lobby()

        await self.moderation.rename(person, request.name, "themselves", told, address=session.address)

    def _delete(self, session: Session, person: Person, request: m.Delete) -> None:
        if request.name != person.name:
            raise RefusedError("not_allowed", "give your name to be removed for good")
        self.moderation.remove(person, "themselves", self._ok(session, request))

    async def _fetch_both(self, numbers: tuple[int, int]) -> tuple[Person, Person]:
        one, two = await self.people.fetch(numbers)
        return one, two

    # The lobby

    def _seek(self, session: Session, person: Person, request: m.Seek) -> Any:
        self.game_manager.game(request.terms.game)
        _check_heard(person)

        async def placed() -> None:
            await self._standings.load(self.reader, (person,), request.terms.game)
            if session.closed:
                return
            made = self.lobby.seek(person, request.terms)
            session.tell(m.Sought(seek=made.code, id=request.id))
            self._change_lobby()

        return placed()

    def _unseek(self, session: Session, person: Person, request: m.Unseek) -> None:
        self.lobby.unseek(person, request.seek)
        self._ok(session, request)()
        self._change_lobby()

    async def _take(self, session: Session, person: Person, request: m.Take) -> None:
        seek = self.lobby.find_seek(person, request.seek)

        def claim() -> Claimed:
            self.lobby.take(person, request.seek)
            self._change_lobby()
            return [], None

        await self._begin(session, request, seek.terms, seek.owner, person, claim)

    async def _challenge(self, session: Session, person: Person, request: m.Challenge) -> None:
        self.game_manager.game(request.terms.game)
        _check_heard(person)
        invited = None if request.to is None else await self.people.find(request.to)
        if invited is not None and (invited.bot or invited is person):
            raise RefusedError("not_allowed", "challenge another person; a bot is played with `bot`")
        made, wanted = self.lobby.challenge(person, invited, request.terms)

        def told() -> None:
            info = _told_challenge(made)
            link = f"/#challenge/{made.code}"
            session.tell(m.Challenged(challenge=info, link=link, id=request.id))
            for other in [*person.sessions, *(invited.sessions if invited else ())]:
                if other is not session:
                    other.tell(m.Challenged(challenge=info, link=link))

        self._store.write(wanted, told)

    def _look(self, session: Session, request: m.Look) -> None:
        found = self.lobby.find(session.person, request.challenge)
        session.tell(m.Challenged(challenge=_told_challenge(found), link=f"/#challenge/{found.code}", id=request.id))

    async def _accept(self, session: Session, person: Person, request: m.Accept) -> None:
        found = self.lobby.find(person, request.challenge)

        def claim() -> Claimed:
            _, wanted = self.lobby.accept(person, request.challenge)
            return wanted, lambda: self._unchallenge(found)

        await self._begin(session, request, found.terms, found.owner, person, claim)

    def _decline(self, session: Session, person: Person, request: m.Decline) -> None:
        found, wanted = self.lobby.decline(person, request.challenge)
        self._store.write(wanted, lambda: self._unchallenge(found))
        self._store.when_written(self._ok(session, request))

    def _unchallenge(self, challenge: Challenge) -> None:
        for person in (challenge.owner, challenge.invited):
            for session in person.sessions if person is not None else ():
                session.tell(m.Unchallenged(challenge=challenge.code))

    async def _bot(self, session: Session, person: Person, request: m.Bot) -> None:
        if (request.bot, request.terms.game) not in self.bots:
            raise RefusedError("unknown", "no such bot plays that here; `welcome` lists them")
        await self._begin(session, request, request.terms, person, self.people.bot(request.bot))

    async def _resume(self, session: Session, person: Person, request: m.Resume) -> None:
        await self.game_manager.resume(*await self._any_seat(session, person, request.game))
        self._store.when_written(self._ok(session, request))

    async def _begin(
        self,
        session: Session,
        request: m.ClientMessage,
        terms: m.Terms,
        owner: Person,
        other: Person,
        claim: Callable[[], Claimed] | None = None,
    ) -> None:
        await self.game_manager.begin(terms, owner, other, claim=claim)
        self._store.when_written(self._ok(session, request))

    def _change_lobby(self) -> None:
        self._lobby_changed = True

    async def _tell_lobby(self) -> None:
        """The whole of it, made once for all, to whoever wants it."""
        while True:
            await asyncio.sleep(_LOBBY_SECONDS)
            listening = [session for session in self.sessions if session.in_lobby]
            if self._lobby_changed and listening:
                self._lobby_changed = False
                self._lobby_until = 0.0
                data = self._lobby_bytes()
                for session in listening:
                    session.send(data)

    def _lobby_bytes(self) -> bytes:
        now = time.monotonic()
        if now >= self._lobby_until:
            self._lobby_data = m.encode(self._lobby_state())
            self._lobby_until = now + _LOBBY_FRESH
        return self._lobby_data

    def _charge(self, session: Session, size: int) -> None:
        """An answer of so many bytes; whoever has asked for too much waits."""
        if not self._asked.take(session.address, time.monotonic(), size):
            raise RefusedError("too_fast", "you have asked for very much; wait a little")

    def _lobby_state(self) -> m.LobbyState:
        here = {session.person.name for session in self.sessions if session.person and not session.person.silenced}
        seeks = [
            m.SeekInfo(one.code, self.game_manager.player(one.owner, one.terms.game), one.terms)
            for one in itertools.islice(reversed(self.lobby.seeks.values()), SHOWN)
        ]
        games = [
            self.game_manager.line(online_game)
            for online_game in itertools.islice(reversed(self.game_manager.going.values()), SHOWN // 2)
        ]
        return m.LobbyState(
            seeks=tuple(seeks),
            games=tuple(games),
            people=tuple(sorted(here)[:SHOWN]),
            playing=len(self.game_manager.going),
            here=len(here),
        )

    # Games

    def _seat(self, person: Person, code: str) -> tuple[OnlineGame, int]:
        """A game of one's own that goes on, or one that has just ended."""
        online_game = self.game_manager.going.get(code)
        if online_game is None:
            raise RefusedError("unknown", "there is no such game going on")
        seat = online_game.seat_of(person.id)
        if seat is None:
            raise RefusedError("not_allowed", "you do not play in this game")
        return online_game, seat

    async def _any_seat(self, session: Session, person: Person, code: str) -> tuple[OnlineGame, int]:
        """The same, also for finished games."""
        online_game = await self.game_manager.find(code, functools.partial(self._charge, session))
        seat = online_game.seat_of(person.id)
        if seat is None:
            raise RefusedError("not_allowed", "you do not play in this game")
        return online_game, seat

    def _move(self, session: Session, person: Person, request: m.Move) -> Any:
        if request.game in self.game_manager.going:
            online_game, seat = self._seat(person, request.game)
            self.game_manager.move(online_game, seat, request, self._ok(session, request))
            return None

        async def late() -> None:
            """A move sent again may be the one that ended the game."""
            online_game, seat = await self._any_seat(session, person, request.game)
            self.game_manager.move(online_game, seat, request, self._ok(session, request))

        return late()

    async def _resign(self, session: Session, person: Person, request: m.Resign) -> None:
        self.game_manager.resign(*await self._any_seat(session, person, request.game), self._ok(session, request))

    async def _abort(self, session: Session, person: Person, request: m.Abort) -> None:
        self.game_manager.abort(*await self._any_seat(session, person, request.game), self._ok(session, request))

    async def _claim(self, session: Session, person: Person, request: m.Claim) -> None:
        self.game_manager.claim(*await self._any_seat(session, person, request.game), self._ok(session, request))

    async def _offer(self, session: Session, person: Person, request: m.Offer) -> None:
        online_game, seat = await self._any_seat(session, person, request.game)
        await self.game_manager.offer(online_game, seat, request.what, self._ok(session, request))

    async def _refuse(self, session: Session, person: Person, request: m.Refuse) -> None:
        online_game, _ = await self._any_seat(session, person, request.game)
        self.game_manager.refuse(online_game, request.what, self._ok(session, request))

    async def _puzzle(self, session: Session, person: Person, request: m.Puzzle) -> None:
        session.tell(await self.puzzles.give(person.id, request))

    async def _solve(self, session: Session, person: Person, request: m.Solve) -> None:
        answer, wanted = await self.puzzles.solve(person.id, request, at=self.now())
        self._store.write(wanted, lambda: session.tell(answer))

    # Inside

    def _ok(self, session: Session, request: m.ClientMessage) -> Callable[[], None]:
        def told() -> None:
            if request.id is not None:
                session.tell(m.Ok(id=request.id))

        return told

    def _beginning(self, person: Person, game: str) -> Rating:
        bot = self.bots.get((person.name, game)) if person.bot else None
        return bot.rating if bot else Rating()

    def _restore(self) -> None:
        """What was there when the server last ended, and the bots of its list."""
        read = self._store.read
        self.people.restore([bot.name for bot in self.bots.values()])
        held = self.people.read_now(
            "id IN (SELECT first FROM games WHERE result IS NULL UNION SELECT second FROM games WHERE result IS NULL "
            "UNION SELECT owner FROM challenges UNION SELECT invited FROM challenges)"
        )
        people = {person.id: person for person in held}
        for bot in self.bots.values():
            self._standings.load_now(read, self.people.bot(bot.name), bot.game)
        self._store.write_now(writes.drop_challenges(self.now()))
        (newest,) = read("SELECT max(coalesce(max(at), 0), (SELECT coalesce(max(began), 0) FROM games)) FROM moves")[0]
        if newest > self.now() + _CLOCKS_DIFFER:  # nothing depends on it: what has to be waited for begins now
            _log.warning("the clock was set back", extra={"seconds": round((newest - self.now()) / 1000)})
        rows: Any = read("SELECT code, owner, invited, terms, until FROM challenges")
        self.lobby.restore(rows, people)
        self.game_manager.restore(people.__getitem__)


def info_of(game: Game) -> m.GameInfo:
    first, second = game.sides
    return m.GameInfo(game.name, game.title, (str(first), str(second)), "" if game.seeded else str(game.start()))


def _told_challenge(challenge: Challenge) -> m.ChallengeInfo:
    invited = challenge.invited.name if challenge.invited else None
    return m.ChallengeInfo(challenge.code, challenge.owner.name, challenge.terms, invited)


def _check_heard(person: Person) -> None:
    if person.silenced:
        raise RefusedError("not_allowed", "whoever runs this server has silenced you: you can offer nothing to others")
