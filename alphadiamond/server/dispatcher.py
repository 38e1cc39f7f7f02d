"""Everything that a client can ask for, whatever it is connected by."""

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server import accounts, writes
from alphadiamond.server.bot_pool import BotPool, Thought
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.game_manager import GameManager
from alphadiamond.server.glicko import Rating
from alphadiamond.server.limits import Buckets
from alphadiamond.server.lobby import SHOWN, Challenge, Lobby
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.online_game import OnlineGame, Patience
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.queries import Reader
from alphadiamond.server.session import Person, Session
from alphadiamond.server.settings import ServeSettings
from alphadiamond.server.standings import Standings
from alphadiamond.server.storage import Store

RENEWED: Final = 4001
_LOBBY_SECONDS: Final = 1.0
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
        self._offset = time.time() - time.monotonic()
        self.metrics = metrics
        self.reader = Reader(store.path)
        self.games = games
        self.bots = {(bot.name, bot.game): bot for bot in bots}
        self.sessions: set[Session] = set()
        self.stopping = False
        self._store = store
        self._bot_pool = bot_pool
        self._people: dict[int, Person] = {}
        self._by_name: dict[str, int] = {}
        self._claimed: set[str] = set()
        self._next_person = 1
        self._newcomers = Buckets(settings.people_per_address / 3600, settings.people_per_address)
        self._lobby_changed = False
        self._lobby_task: asyncio.Task[None] | None = None
        self._standings = Standings(self._beginning)
        self.lobby = Lobby(self.now)
        self.game_manager = GameManager(
            games=games,
            bots=self.bots,
            store=store,
            reader=self.reader,
            bot_pool=bot_pool,
            standings=self._standings,
            metrics=metrics,
            person=self._people.__getitem__,
            fetch=self._fetch,
            now=self.now,
            patience=Patience(
                first_move=round(1000 * settings.first_move_seconds),
                away=round(1000 * settings.away_seconds),
                correspondence=round(86_400_000 * settings.correspondence_days),
            ),
            most_each=settings.games_per_person,
            most_bots=settings.bot_games,
            changed=self._change_lobby,
        )
        self._handlers: dict[type[m.Request], Callable[[Session, Person, Any], Any]] = {
            m.Renew: self._renew,
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
            m.Analyse: self._analyse,
        }
        self._restore()

    def now(self) -> int:
        """Milliseconds since 1970, by a clock that is never set back while the server runs."""
        return round(1000 * (time.monotonic() + self._offset))

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

    def when_written(self, done: Callable[[], None]) -> None:
        self._store.when_written(done)

    # Connections

    def leave(self, session: Session) -> None:
        """A connection is gone."""
        session.closed = True
        self.sessions.discard(session)
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
                raise RefusedError("limit", "the server is stopping")
            if isinstance(request, m.Hello):
                await self._hello(session, request)
            elif not session.greeted:
                raise RefusedError("hello", "say hello first")
            elif isinstance(request, m.Ping):
                session.tell(m.Pong(now=self.now(), id=request.id))
            elif isinstance(request, m.Lobby):
                session.in_lobby = request.on
                if request.on:
                    session.tell(self._lobby_state())
                self._ok(session, request)()
            elif isinstance(request, m.Watch):
                await self.game_manager.watch(await self.game_manager.find(request.game), session)
                self._store.when_written(self._ok(session, request))
            elif isinstance(request, m.Unwatch):
                self.game_manager.unwatch(request.game, session)
                self._ok(session, request)()
            elif isinstance(request, m.Look):
                await self._look(session, request)
            elif session.person is None:
                raise RefusedError("hello", "spectators cannot do that: say hello with a name or a token")
            else:
                done = self._handlers[type(request)](session, session.person, request)
                if done is not None:
                    await done
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
        token = None
        if request.token is not None:
            person = await self._known(request.token)
        elif request.name is not None:
            person, token = await self._newcomer(session, request.name)
        else:
            person = None
        if session.closed:
            return
        session.greeted = True
        session.scenes = request.scenes
        if person is not None:
            was_here = person.here
            session.person = person
            person.sessions.add(session)
            if not was_here:
                self.game_manager.came(person)
        self._store.when_written(lambda: session.tell(self._welcome(person, token)))
        self._change_lobby()

    def _welcome(self, person: Person | None, token: str | None) -> m.Welcome:
        codes = sorted(person.playing) if person else []
        return m.Welcome(
            version=m.VERSION,
            now=self.now(),
            games=tuple(info_of(game) for game in self.games.values()),
            bots=tuple(self.bot_infos()),
            name=person.name if person else None,
            token=token,
            playing=tuple(
                self.game_manager.line(self.game_manager.going[code])
                for code in codes
                if code in self.game_manager.going
            ),
            challenges=tuple(map(self._told_challenge, self.lobby.challenges_of(person.id))) if person else (),
        )

    def bot_infos(self) -> list[m.BotInfo]:
        found = []
        for bot in self.bots.values():
            rating = self._standings.of(self._by_name[accounts.key_of(bot.name)], bot.game).rating
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

    async def _known(self, token: str) -> Person:
        if accounts.looks_like_token(token):
            hashed = accounts.hash_of(token)
            rows = await self.reader.rows("SELECT id, name, bot FROM people WHERE token = ?", hashed)
            if rows:
                return self._meet(*rows[0])
        raise RefusedError("token", "this token is not valid; say hello with a name to begin anew")

    async def _newcomer(self, session: Session, text: str) -> tuple[Person, str]:
        name = accounts.clean_name(text)
        key = accounts.key_of(name)
        taken = RefusedError("name", f"{name} is taken")
        if key in self._claimed:
            raise taken
        self._claimed.add(key)  # before looking, so that of two at once only one gets it
        try:
            if key in self._by_name or await self.reader.rows("SELECT 1 FROM people WHERE key = ?", key):
                raise taken
            if not self._newcomers.take(session.address, time.monotonic()):
                raise RefusedError("limit", "too many new names from your address; try again later")
        except BaseException:
            self._claimed.discard(key)
            raise
        token = accounts.new_token()
        number = self._next_person
        self._next_person += 1
        statement = writes.add_person(number, name, key, accounts.hash_of(token), at=self.now())
        self._store.write([statement], lambda: self._claimed.discard(key))
        self.metrics.add("people")
        return self._meet(number, name, False), token

    async def _renew(self, session: Session, person: Person, request: m.Renew) -> None:
        token = accounts.new_token()

        def told() -> None:
            for other in list(person.sessions):
                if other is not session:
                    other.close(RENEWED, "the token was renewed elsewhere")
            session.tell(m.Token(token=token))
            self._ok(session, request)()

        self._store.write([writes.set_token(person.id, accounts.hash_of(token))], told)

    def _meet(self, number: int, name: str, bot: bool) -> Person:
        """The one object of a person."""
        if number not in self._people:
            self._people[number] = Person(number, name, bool(bot))
            self._by_name[accounts.key_of(name)] = number
        return self._people[number]

    async def _fetch(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            if number not in self._people:
                for row in await self.reader.rows("SELECT id, name, bot FROM people WHERE id = ?", number):
                    self._meet(*row)

    async def find_person(self, name: str) -> Person:
        key = accounts.key_of(name)
        if key not in self._by_name:
            for row in await self.reader.rows("SELECT id, name, bot FROM people WHERE key = ?", key):
                self._meet(*row)
        if key not in self._by_name:
            raise RefusedError("unknown", f"nobody here is called {name[: accounts.LONGEST]!a}")
        return self._people[self._by_name[key]]

    # The lobby

    def _seek(self, session: Session, person: Person, request: m.Seek) -> Any:
        self.game_manager.game(request.terms.game)

        async def placed() -> None:
            await self._standings.load(self.reader, (person.id,), request.terms.game)
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
        seek = self.lobby.take(person, request.seek)
        self._change_lobby()
        await self._begin(session, request, seek.terms, seek.owner, person)

    async def _challenge(self, session: Session, person: Person, request: m.Challenge) -> None:
        self.game_manager.game(request.terms.game)
        invited = None if request.to is None else await self.find_person(request.to)
        if invited is not None and (invited.bot or invited is person):
            raise RefusedError("not_allowed", "challenge another person; a bot is played with `bot`")
        made, wanted = self.lobby.challenge(person, invited, request.terms)

        def told() -> None:
            info = self._told_challenge(made)
            link = f"/#challenge/{made.code}"
            session.tell(m.Challenged(challenge=info, link=link, id=request.id))
            for other in [*person.sessions, *(invited.sessions if invited else ())]:
                if other is not session:
                    other.tell(m.Challenged(challenge=info, link=link))

        self._store.write(wanted, told)

    async def _look(self, session: Session, request: m.Look) -> None:
        found = self.lobby.find(session.person.id if session.person else None, request.challenge)
        await self._fetch(tuple(number for number in (found.owner, found.invited) if number is not None))
        info = self._told_challenge(found)
        session.tell(m.Challenged(challenge=info, link=f"/#challenge/{found.code}", id=request.id))

    async def _accept(self, session: Session, person: Person, request: m.Accept) -> None:
        found, wanted = self.lobby.accept(person, request.challenge)
        self._store.write(wanted, lambda: self._unchallenge(found))
        await self._fetch((found.owner,))
        await self._begin(session, request, found.terms, self._people[found.owner], person)

    def _decline(self, session: Session, person: Person, request: m.Decline) -> None:
        found, wanted = self.lobby.decline(person, request.challenge)
        self._store.write(wanted, lambda: self._unchallenge(found))
        self._store.when_written(self._ok(session, request))

    def _unchallenge(self, challenge: Challenge) -> None:
        for number in (challenge.owner, challenge.invited):
            person = self._people.get(number) if number is not None else None
            for session in person.sessions if person else ():
                session.tell(m.Unchallenged(challenge=challenge.code))

    def _told_challenge(self, challenge: Challenge) -> m.ChallengeInfo:
        invited = self._people.get(challenge.invited) if challenge.invited is not None else None
        owner = self._people.get(challenge.owner)
        return m.ChallengeInfo(
            challenge.code, owner.name if owner else "", challenge.terms, invited.name if invited else None
        )

    async def _bot(self, session: Session, person: Person, request: m.Bot) -> None:
        if (request.bot, request.terms.game) not in self.bots:
            raise RefusedError("unknown", "no such bot plays that here; `welcome` lists them")
        other = self._people[self._by_name[accounts.key_of(request.bot)]]
        await self._begin(session, request, request.terms, person, other)

    async def _begin(
        self, session: Session, request: m.ClientMessage, terms: m.Terms, owner: Person, other: Person
    ) -> None:
        await self.game_manager.begin(terms, owner, other)
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
                data = m.encode(self._lobby_state())
                for session in listening:
                    session.send(data)

    def _lobby_state(self) -> m.LobbyState:
        here = {session.person.name for session in self.sessions if session.person}
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

    async def _any_seat(self, person: Person, code: str) -> tuple[OnlineGame, int]:
        """The same, also for finished games."""
        online_game = await self.game_manager.find(code)
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
            online_game, seat = await self._any_seat(person, request.game)
            self.game_manager.move(online_game, seat, request, self._ok(session, request))

        return late()

    async def _resign(self, session: Session, person: Person, request: m.Resign) -> None:
        self.game_manager.resign(*await self._any_seat(person, request.game), self._ok(session, request))

    async def _abort(self, session: Session, person: Person, request: m.Abort) -> None:
        self.game_manager.abort(*await self._any_seat(person, request.game), self._ok(session, request))

    async def _claim(self, session: Session, person: Person, request: m.Claim) -> None:
        self.game_manager.claim(*await self._any_seat(person, request.game), self._ok(session, request))

    async def _offer(self, session: Session, person: Person, request: m.Offer) -> None:
        online_game, seat = await self._any_seat(person, request.game)
        await self.game_manager.offer(online_game, seat, request.what, self._ok(session, request))

    async def _refuse(self, session: Session, person: Person, request: m.Refuse) -> None:
        online_game, _ = await self._any_seat(person, request.game)
        self.game_manager.refuse(online_game, request.what, self._ok(session, request))

    async def _analyse(self, session: Session, person: Person, request: m.Analyse) -> None:
        online_game = await self.game_manager.find(request.game)
        if not online_game.over and (online_game.rated or online_game.seat_of(person.id) is None):
            raise RefusedError("not_allowed", "analysis is for finished games and for your own unrated ones")
        bot = self.bots.get((request.bot, online_game.game.name))
        if bot is None:
            raise RefusedError("unknown", "no such bot plays that here; `welcome` lists them")
        if request.ply > online_game.plies or (
            request.ply == online_game.plies and not online_game.legal and online_game.position.outcome
        ):
            raise RefusedError("not_allowed", "there is nothing to think about")
        if person.asking or self._bot_pool.full():
            raise RefusedError("limit", "one opinion at a time; wait for the last")
        person.asking = True
        moves = online_game.moves[: request.ply]

        def told(thought: Thought) -> None:
            person.asking = False
            if session.closed:
                return
            if thought.fault:
                session.tell(m.Error(code="limit", message="the bot failed", id=request.id, game=online_game.code))
                return
            session.tell(
                m.Opinion(
                    game=online_game.code,
                    ply=request.ply,
                    bot=bot.name,
                    best=thought.move,
                    moves=tuple(thought.moves),
                    value=thought.value,
                    win_draw_loss=thought.win_draw_loss,
                    exact=thought.exact,
                    id=request.id,
                )
            )

        self._bot_pool.ask(online_game.game.name, bot.spec, str(online_game.start), moves, told, opinion=True)

    # Inside

    def _ok(self, session: Session, request: m.ClientMessage) -> Callable[[], None]:
        def told() -> None:
            if request.id is not None:
                session.tell(m.Ok(id=request.id))

        return told

    def _beginning(self, person: int, game: str) -> Rating:
        known = self._people.get(person)
        bot = self.bots.get((known.name, game)) if known and known.bot else None
        return bot.rating if bot else Rating()

    def _restore(self) -> None:
        """What was there when the server last ended, and the bots of its list."""
        read = self._store.read
        self._next_person = read("SELECT coalesce(max(id), 0) + 1 FROM people")[0][0]
        for row in read("SELECT id, name, bot FROM people WHERE bot"):
            self._meet(*row)
        for bot in self.bots.values():
            key = accounts.key_of(bot.name)
            if key not in self._by_name:
                self._store.write_now(writes.add_person(self._next_person, bot.name, key, None, at=self.now()))
                self._meet(self._next_person, bot.name, True)
                self._next_person += 1
        wanted = (
            "SELECT first FROM games WHERE result IS NULL UNION SELECT second FROM games WHERE result IS NULL "
            "UNION SELECT owner FROM challenges UNION SELECT invited FROM challenges"
        )
        for row in read(f"SELECT id, name, bot FROM people WHERE id IN ({wanted})"):
            self._meet(*row)
        for bot in self.bots.values():
            self._standings.load_now(read, self._by_name[accounts.key_of(bot.name)], bot.game)
        self._store.write_now(writes.drop_challenges(self.now()))
        rows: Any = read("SELECT code, owner, invited, terms, until FROM challenges")
        self.lobby.restore(rows)
        self.game_manager.restore()


def info_of(game: Game) -> m.GameInfo:
    first, second = game.sides
    return m.GameInfo(game.name, game.title, (str(first), str(second)), "" if game.seeded else str(game.start()))
