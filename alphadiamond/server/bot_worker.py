"""A process that thinks for bots: one JSON object a line in, one out, until its input ends.

The server starts and ends it, and gives it players from its own list only.
"""

import math
import os
import sys
import time
from collections import OrderedDict
from typing import IO, Any, Final

import msgspec

from alphadiamond.agents import make_agent
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.online.messages import MoveOpinion

NICE: Final = 5
"""So that the server and its clients come first."""
KEPT: Final = 8
"""Built players, the last used ones."""
_TOP: Final = 64


class Order(msgspec.Struct, frozen=True):
    """What to think about."""

    game: str
    spec: str
    start: str
    moves: list[str]
    seconds: float
    analyse: bool = False


class Thought(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of it: a move, an opinion, or what went wrong."""

    move: str = ""
    fault: str = ""
    moves: list[MoveOpinion] = []
    value: float | None = None
    win_draw_loss: tuple[float, float, float] | None = None
    exact: bool = False


def think(order: Order, players: "OrderedDict[tuple[str, str], Any]") -> Thought:
    game = load(order.game)
    position = game.parse(order.start)
    for text in order.moves:
        position = position.play(game.parse_move(text))
    key = (order.game, order.spec)
    if key not in players:
        players[key] = make_agent(order.spec, game=game)
    players.move_to_end(key)
    while len(players) > KEPT:
        players.popitem(last=False)
    player = players[key]
    player.reset()  # it plays many games at once, and remembers none
    end = time.monotonic() + order.seconds

    def enough() -> bool:
        return time.monotonic() > end

    if not order.analyse:
        return Thought(str(player.choose(position, stop=enough)))
    analysis = player.analyse(position, stop=enough)
    moves = [
        MoveOpinion(
            str(one.move),
            _finite(one.score) or 0.0,
            _finite(one.value),
            one.visits,
            one.distance,
            tuple(map(str, one.variation)),
            _path(game, position, one.move),
        )
        for one in analysis.moves[:_TOP]
    ]
    return Thought(str(analysis.best), "", moves, _finite(analysis.value), analysis.win_draw_loss, bool(analysis.exact))


def _path(game: Any, position: Any, move: Any) -> tuple[int, ...]:
    try:
        return tuple(map(int, game.drawing_for(position).path(position, move)))
    except NotImplementedError:
        return ()


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _own_output() -> IO[bytes]:
    """Standard output for thoughts alone; whatever else is printed goes to standard error."""
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return sink


def main() -> None:
    import contextlib
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to answer
    with contextlib.suppress(OSError):
        os.nice(NICE)
    sink = _own_output()
    players: OrderedDict[tuple[str, str], Any] = OrderedDict()
    decoder = msgspec.json.Decoder(Order)
    with contextlib.suppress(BrokenPipeError):
        while line := sys.stdin.buffer.readline():
            try:
                thought = think(decoder.decode(line), players)
            except AlphaDiamondError as error:
                thought = Thought(fault=str(error))
            except Exception as error:  # a fault in a player must not end the others' games
                thought = Thought(fault=f"{type(error).__name__}: {error}")
            sink.write(msgspec.json.encode(thought) + b"\n")
            sink.flush()


if __name__ == "__main__":
    main()
