"""Positions that are looked at without a game: set up by hand, read from text, and played on from."""

import asyncio
from typing import Any

from alphadiamond.base.game import Game
from alphadiamond.base.notation import NotationError
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.server.board_snapshots import scenes_of
from alphadiamond.server.errors import RefusedError


async def explore(game: Game, request: m.Explore) -> m.Explored:
    """Off the event loop: a long line takes a while."""
    return await asyncio.to_thread(_explore, game, request)


async def check_line(game: Game, start: str, moves: list[str]) -> Any:
    """The position after these moves; refused if there is none, or nothing can be played there."""
    try:
        position = await asyncio.to_thread(lambda: _follow(game.parse(start), moves))
    except (AlphaDiamondError, ValueError) as error:
        raise RefusedError("position", _line(error)) from None
    if position.outcome is not None or not position.moves():
        raise RefusedError("not_allowed", "there is nothing to think about")
    return position


def _explore(game: Game, request: m.Explore) -> m.Explored:
    try:
        start = _start(game, request)
        drawing = game.drawing_for(start)
        scenes = scenes_of(drawing, start, request.moves)
        position = _follow(start, request.moves)
    except (AlphaDiamondError, ValueError) as error:
        raise RefusedError("position", _line(error)) from None
    over = position.outcome is not None
    legal = () if over else tuple((str(move), tuple(map(int, drawing.spots(move)))) for move in position.moves())
    return m.Explored(
        of=game.name,
        start=str(start),
        position=str(position),
        scenes=tuple(scenes[request.since :]),
        turn=None if over or not legal else game.sides.index(position.side),
        legal=legal,
        id=request.id,
    )


def _start(game: Game, request: m.Explore) -> Any:
    if request.pieces is None:
        return game.parse(request.start) if request.start is not None else game.sample_start()
    start = game.sample_start()
    drawing = game.drawing_for(start)
    if not drawing.editable:
        raise NotationError("positions of this game cannot be set up by hand")
    if len(request.pieces) != len(drawing.names):
        raise NotationError(f"{len(drawing.names)} squares are needed, not {len(request.pieces)}")
    pieces = {square: game.sides[int(sign)] for square, sign in enumerate(request.pieces) if sign != "."}
    return drawing.arranged(pieces, game.sides[request.turn])


def _follow(position: Any, moves: list[str]) -> Any:
    for text in moves:
        position = position.play(text)
    return position


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
