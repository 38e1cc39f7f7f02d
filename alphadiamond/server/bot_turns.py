"""Whose turn it is among the bots: one thought at a time for each person, taken back when its position is gone."""

from collections.abc import Callable
from typing import TypeAlias

from alphadiamond.server.bot_pool import BotPool, Order, Thought
from alphadiamond.server.online_game import OnlineGame

Played: TypeAlias = Callable[[OnlineGame, Thought], None]
"""Told what a bot has thought of, if the game is still where it was."""


class BotTurns:
    """Games in which a bot is to move."""

    def __init__(self, bot_pool: BotPool, played: Played) -> None:
        self._bot_pool = bot_pool
        self._played = played
        self._orders: dict[int, tuple[str, Order]] = {}
        """The one thought that a bot may have for each person, and the game that it is for."""
        self._waiting: dict[int, dict[str, tuple[OnlineGame, str]]] = {}
        """Further games of these people in which a bot is to move, and which one."""

    def think(self, online_game: OnlineGame, spec: str) -> None:
        """Have the bot to move think."""
        turn = online_game.turn
        if turn is None:
            return
        person = online_game.people[1 - turn]
        if person in self._orders:  # or one person's games could keep everybody else's bots from moving
            self._waiting.setdefault(person, {})[online_game.code] = online_game, spec
            return
        moves = list(online_game.moves)

        def done(thought: Thought) -> None:
            try:
                if not order.cancelled and not online_game.over and online_game.moves == moves:
                    self._played(online_game, thought)
            finally:
                self._next(person, order)

        order = self._bot_pool.ask(online_game.game.name, spec, str(online_game.start), moves, done)
        self._orders[person] = online_game.code, order

    def stop(self, online_game: OnlineGame) -> None:
        """The position that a bot thinks about is gone."""
        for person in online_game.people:
            waiting = self._waiting.get(person, {})
            waiting.pop(online_game.code, None)
            code, order = self._orders.get(person, ("", None))
            if order is not None and code == online_game.code and not order.cancelled:
                order.cancel()
                if order.at_work is None:  # it costs nobody anything; otherwise the next waits for its end
                    self._next(person, order)

    def _next(self, person: int, order: Order) -> None:
        """A thought is over: the person's next game gets its turn."""
        if self._orders.get(person, ("", None))[1] is not order:
            return
        del self._orders[person]
        for online_game, spec in self._waiting.pop(person, {}).values():
            self.think(online_game, spec)
