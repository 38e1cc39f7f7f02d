"""What is seen of games, for clients that draw them without knowing any rules: the page in the browser is one.

The scenes of a game are made when somebody first asks, in a thread, and kept for a while; a move adds one.
"""

import asyncio
import functools
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

from msgspec import structs

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Game
from alphadiamond.base.notation import NotationError
from alphadiamond.base.ways import Ways
from alphadiamond.online.messages import DrawingInfo, FacetInfo, Scene
from alphadiamond.server.online_game import OnlineGame

_KEPT: Final = 20_000
"""Scenes of all games together; beyond, the games looked at longest ago are forgotten."""


@functools.lru_cache(maxsize=256)
def describe(game: Game, text: str = "") -> DrawingInfo | None:
    """All that never changes about how a game is drawn; where boards differ, on the one of this first position."""
    try:
        start = game.parse(text) if text and game.seeded else game.sample_start()
    except NotationError:
        return None
    drawing = game.drawing_for(start)
    tally = drawing.tally(start, game.sides[0])
    middle = game.parse(game.pictured) if game.pictured else _middle(drawing, start)
    return DrawingInfo(
        name=game.name,
        title=game.title,
        surface=drawing.surface,
        names=drawing.names,
        points=drawing.points,
        reach=drawing.reach,
        radius=drawing.radius,
        hole=drawing.hole,
        touch=drawing.touch,
        lines=drawing.lines,
        facets=tuple(FacetInfo(one.squares, one.colour, one.strength) for one in drawing.facets),
        labels=drawing.labels,
        columns=drawing.columns,
        column_names=drawing.column_names,
        row_names=drawing.row_names,
        colours=drawing.colours,
        side_names=drawing.side_names,
        shape=drawing.shape,
        piece=drawing.piece,
        pieces=drawing.plural,
        place=drawing.place,
        how=drawing.how,
        home=drawing.home,
        tagline=drawing.tagline,
        texts=drawing.texts,
        editable=drawing.editable,
        of=tally.of,
        bar=tally.bar,
        keys=dict(drawing.key_moves),
        passes=drawing.passes,
        sight=0 if drawing.ways is None else drawing.ways.sight,
        start=first_scene(drawing, start),
        sample=first_scene(drawing, middle),
    )


def _middle(drawing: Drawing, position: Any) -> Any:
    """A position from a game that is the same each time."""
    moves = drawing.sample(start=position)
    for move in moves[: len(moves) // 3]:
        position = position.play(move)
    return position


def first_scene(drawing: Drawing, start: Any) -> Scene:
    return Scene(
        _pieces(drawing, start),
        blocks=drawing.blocks(start),
        ground=_ground(drawing, start),
        tallies=_tallies(drawing, start),
        countdown=drawing.countdown(start),
    )


def scene_of(drawing: Drawing, before: Any, move: Any, start: Any = None) -> tuple[Scene, Any]:
    """What is seen of a legal move, and the position after it; `start` is where the game began."""
    ply = drawing.ply(before, move)
    outcome = ply.after.outcome
    why = "" if outcome is None else drawing.result_words(ply.after, outcome.winner, str(outcome.reason))
    scene = Scene(
        pieces=_pieces(drawing, ply.after),
        text=ply.text,
        seat=drawing.game.sides.index(ply.side),
        path=tuple(map(int, ply.path)),
        how=ply.how,
        captured=tuple(map(int, ply.captured)),
        lost=tuple(map(int, ply.lost)),
        lit=tuple(map(int, drawing.lit(ply.after))),
        blocks=drawing.blocks(ply.after),
        outcome=why,
        ground=_ground(drawing, ply.after),
        toll=drawing.toll(ply),
        tallies=_tallies(drawing, ply.after),
        countdown=drawing.countdown(ply.after),
    )
    if outcome is not None and drawing.ways is not None and start is not None:
        scene = _with_ways(scene, drawing, drawing.ways, start, ply.after)
    return scene, ply.after


def scenes_of(drawing: Drawing, start: Any, moves: Sequence[str]) -> list[Scene]:
    """A whole game."""
    found, position = [first_scene(drawing, start)], start
    for text in moves:
        scene, position = scene_of(drawing, position, drawing.game.move_in(position, text), start)
        found.append(scene)
    return found


def _pieces(drawing: Drawing, position: Any) -> str:
    shown = ["."] * len(drawing.names)
    for square, side in drawing.pieces(position).items():
        shown[square] = str(drawing.game.sides.index(side))
    return "".join(shown)


def _tallies(drawing: Drawing, position: Any) -> tuple[str, ...]:
    """Where a number is what the game is about, and pieces are not counted."""
    tallies = [drawing.tally(position, side) for side in drawing.game.sides]
    return tuple(tally.figure for tally in tallies) if all(tally.figure for tally in tallies) else ()


def _with_ways(scene: Scene, drawing: Drawing, ways: Ways, start: Any, end: Any) -> Scene:
    """How each did beside the cheapest way that there was."""
    sides = drawing.game.sides
    results = [ways.result(start, end, side) for side in sides]
    return structs.replace(
        scene,
        ways=tuple(tuple(map(int, ways.cheapest(start, side).path)) for side in sides),
        cheapest=tuple(least for _, least, _ in results),
        efficiency=tuple("" if share is None else f"{100 * share:.0f} %" for _, _, share in results),
    )


def _ground(drawing: Drawing, position: Any) -> str:
    ground = drawing.ground(position)
    return "".join(ground.get(square, ".") for square in range(len(drawing.names))) if ground else ""


class SnapshotCache:
    """What is seen of the games that somebody looks at, the latest of them kept."""

    def __init__(self) -> None:
        self._snapshots: OrderedDict[str, list[Scene]] = OrderedDict()
        self._count = 0
        self._drawing = asyncio.Lock()  # one at a time: a thread that draws slows the others down

    async def fill(self, online_game: OnlineGame) -> None:
        """Have the scenes of a game at hand."""
        drawing = online_game.game.drawing_for(online_game.start)
        if self.of(online_game):
            return
        async with self._drawing:
            while not self.of(online_game):
                moves = list(online_game.moves)
                found = await asyncio.to_thread(scenes_of, drawing, online_game.start, moves)
                if online_game.moves == moves:  # nothing was played or taken back meanwhile
                    self._keep(online_game.code, found)

    def of(self, online_game: OnlineGame) -> tuple[Scene, ...]:
        """Empty where they are not at hand."""
        found = self._snapshots.get(online_game.code)
        if found is None or len(found) != online_game.plies + 1:
            return ()
        self._snapshots.move_to_end(online_game.code)
        return tuple(found)

    def begin(self, online_game: OnlineGame) -> None:
        drawing = online_game.game.drawing_for(online_game.start)
        self._keep(online_game.code, [first_scene(drawing, online_game.start)])

    def add(self, online_game: OnlineGame, before: Any) -> Scene:
        """After a move: what is seen of it."""
        drawing = online_game.game.drawing_for(online_game.start)
        scene, _ = scene_of(drawing, before, drawing.game.move_in(before, online_game.moves[-1]), online_game.start)
        found = self._snapshots.get(online_game.code)
        if found is not None and len(found) == online_game.plies:
            found.append(scene)
            self._count += 1
            self._forget(online_game.code)
        return scene

    def cut(self, online_game: OnlineGame) -> None:
        """After a take-back."""
        found = self._snapshots.get(online_game.code)
        if found is not None:
            self._count -= len(found[online_game.plies + 1 :])
            del found[online_game.plies + 1 :]

    def _keep(self, code: str, scenes: list[Scene]) -> None:
        self._count += len(scenes) - len(self._snapshots.get(code, ()))
        self._snapshots[code] = scenes
        self._snapshots.move_to_end(code)
        self._forget(code)

    def _forget(self, but: str) -> None:
        while self._count > _KEPT and len(self._snapshots) > 1:
            oldest = next(code for code in self._snapshots if code != but)
            self._count -= len(self._snapshots.pop(oldest))
