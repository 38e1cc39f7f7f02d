"""What bots think of positions, for people who ask."""

import asyncio
import functools
from collections.abc import Callable, Sequence

from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server.bot_pool import BotPool, Thought
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.exploration import check_line
from alphadiamond.server.game_manager import GameManager
from alphadiamond.server.limits import PLY_BYTES
from alphadiamond.server.players import BotPlayer
from alphadiamond.server.session import Person, Session


class Opinions:
    """One at a time for each person."""

    def __init__(
        self,
        bots: dict[tuple[str, str], BotPlayer],
        bot_pool: BotPool,
        game_manager: GameManager,
        charge: Callable[[Session, int], None],
    ) -> None:
        self._bots = bots
        self._bot_pool = bot_pool
        self._game_manager = game_manager
        self._charge = charge

    async def analyse(self, session: Session, person: Person, request: m.Analyse) -> None:
        online_game = await self._game_manager.find(request.game, functools.partial(self._charge, session))
        if not online_game.over and (online_game.rated or online_game.seat_of(person.id) is None):
            raise RefusedError("not_allowed", "analysis is for finished games and for your own unrated ones")
        bot = self._bots.get((request.bot, online_game.game.name))
        if bot is None:
            raise RefusedError("unknown", "no such bot plays that here; `welcome` lists them")
        if request.ply > online_game.plies or (
            request.ply == online_game.plies and not online_game.legal and online_game.position.outcome
        ):
            raise RefusedError("not_allowed", "there is nothing to think about")
        moves = online_game.moves[: request.ply]
        if bot.exact and online_game.game.solution_searches:
            await asyncio.to_thread(_check_soon, online_game.game, str(online_game.start), moves)
        self._ask(session, person, request, bot, str(online_game.start), moves, code=online_game.code)

    async def consider(self, session: Session, person: Person, request: m.Consider) -> None:
        """Of a position that no game here has led to."""
        self._charge(session, PLY_BYTES * (1 + len(request.moves)))
        game = self._game_manager.game(request.of)
        bot = self._bots.get((request.bot, game.name))
        if bot is None:
            raise RefusedError("unknown", "no such bot plays that here; `welcome` lists them")
        going = (self._game_manager.going.get(code) for code in person.playing)
        if any(one is not None and one.rated and one.game is game for one in going):
            raise RefusedError("not_allowed", "not while you play a rated game of this kind")
        await check_line(game, request.start, request.moves)
        if bot.exact and game.solution_searches:
            await asyncio.to_thread(_check_soon, game, request.start, request.moves)
        self._ask(session, person, request, bot, request.start, request.moves)

    def _ask(
        self,
        session: Session,
        person: Person,
        request: m.Analyse | m.Consider,
        bot: BotPlayer,
        start: str,
        moves: list[str],
        *,
        code: str = "",
    ) -> None:
        if person.asking or self._bot_pool.full():
            raise RefusedError("limit", "one opinion at a time; wait for the last")
        person.asking = True

        def told(thought: Thought) -> None:
            person.asking = False
            session.opinion = None
            if session.closed:
                return
            if thought.fault:
                session.tell(m.Error(code="limit", message="the bot failed", id=request.id, game=code or None))
                return
            session.tell(
                m.Opinion(
                    game=code,
                    ply=len(moves),
                    bot=bot.name,
                    best=thought.move,
                    moves=tuple(thought.moves),
                    value=thought.value,
                    win_draw_loss=thought.win_draw_loss,
                    exact=thought.exact,
                    id=request.id,
                )
            )

        session.opinion = self._bot_pool.ask(bot.game, bot.spec, start, moves, told, opinion=True)


def _check_soon(game: Game, start: str, moves: Sequence[str]) -> None:
    """The window's rule: an exact player is not asked where it would search for minutes.

    In a thread: whether it would depends on the solution, which may have to be loaded.
    """
    position = game.parse(start)
    for move in moves:
        position = position.play(game.move_in(position, move))
    if position.outcome is None and not game.moves_exact_soon(position):
        raise RefusedError("too_long", "an exact answer would take too long here; ask about a later position")
