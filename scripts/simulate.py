"""Let the path finders walk one maze side by side: in the terminal, or as a picture or an animation in a file.

    alphadiamond simulate                                  # a new maze, step by step
    alphadiamond simulate seed=7 heuristic=chebyshev map=true
    alphadiamond simulate seed=7 output=walks.gif          # or walks.png: the last moment alone
    alphadiamond simulate my.game                          # the maze of a record, and the logs of its game, coded

It ends with a table of cost, steps, explored cells and efficiency, and the Huffman code of every log.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alphadiamond import cli
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings import between, each, maybe, one_of, setting, text
from alphadiamond.settings.games import A_GAME
from alphadiamond.settings.places import Output
from alphadiamond.settings.ranges import SEED, Size, size_of

if TYPE_CHECKING:
    from alphadiamond.base.drawing import Drawing
    from alphadiamond.base.record import GameRecord

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# As the Labyrinth has them; a test compares them.
FINDERS = ("hill_climbing", "greedy_best_first", "breadth_first", "dijkstra", "a_star")
HEURISTICS = ("euclidean", "manhattan", "chebyshev")


@dataclass
class SimulateSettings:
    subject: str | None = setting(None, maybe(text("a position, or the path of a record"), "a new board"))
    """A position as text or the path of a record; a new board if not given. It may stand first without `subject=`."""
    game: str = setting("labyrinth", A_GAME)
    """Which game: one in which pieces look for their way."""
    seed: int | None = setting(None, maybe(SEED, "any"))
    """Draws the board, always the same one."""
    side: str = setting("first", one_of("first", "second"))
    """Whose way home is looked for."""
    finders: list[str] = setting([], each(one_of(*FINDERS)))
    """Which path finders; empty: all of them."""
    heuristic: str = setting("euclidean", one_of(*HEURISTICS))
    """What those that take a heuristic are guided by."""
    map: bool = False
    """Show the steps to the goal, by breadth-first search."""
    speed: float = setting(12.0, between(0, 1000, note="0: the last moment alone"))
    """Moments a second."""
    output: str | None = setting(None, maybe(Output(suffixes=(".gif", ".png")), "the terminal"))
    """A file instead of the terminal: an animation (.gif), or a picture of the last moment (.png)."""
    size: str = setting("1280x800", Size())
    """The size of its pictures."""
    plain: bool = False
    """Sentences instead of pictures, for screen readers."""


def simulate(settings: SimulateSettings) -> None:
    from alphadiamond.games import load
    from alphadiamond.terminal import simulation
    from alphadiamond.terminal.screen import Screen

    record, position = _subject(settings)
    game = record.game if record is not None else load(settings.game)
    drawing = game.drawing_for(position)
    side = game.sides[0 if settings.side == "first" else 1]
    ways = simulation.ways_of(drawing)
    told = {"heuristic": settings.heuristic, "side": side}
    walks = simulation.walks_of(drawing, position, finders=settings.finders, **told)
    screen = Screen(sys.stdout, plain=settings.plain)
    if settings.output is not None:
        _write(settings, game, position, side)
        screen.show(*simulation.table_lines(ways, walks, plain=settings.plain))
    else:
        distances = ways.distances(position, side) if settings.map else {}
        simulation.show_simulation(screen, drawing, position, walks, distances=distances, speed=settings.speed)
    logs = {ways.finders[name]: walk.log for name, walk in walks.items()}
    if record is not None:
        logs = _logs_of(record, drawing)
    for name, log in logs.items():
        screen.show("", f"{name}:", *(f"  {line}" for line in simulation.coding_lines(_code(log), ways.letters)))


def _code(log: str) -> Any:
    from alphadiamond.base.huffman import code

    return code(log)


def _subject(settings: SimulateSettings) -> "tuple[GameRecord | None, Any]":
    """The record and the position that are meant."""
    from alphadiamond.base.notation import NotationError, PositionError, shown
    from alphadiamond.games import load
    from alphadiamond.games.records import read_records

    game = load(settings.game)
    if settings.subject is None:
        return None, game.start(settings.seed)
    path = Path(settings.subject).expanduser()
    if not os.path.isfile(path):
        try:
            return None, game.parse(settings.subject)
        except PositionError:
            raise  # a position it is, only a wrong one
        except NotationError as error:
            told = f"no record is called {shown(settings.subject)}, and as a position it is wrong: {error}"
            raise AlphaDiamondError(told) from None
    records = read_records(path)
    if not records:
        raise AlphaDiamondError(f"{path}: holds no game")
    return records[0], records[0].start


def _logs_of(record: "GameRecord", drawing: "Drawing") -> dict[str, str]:
    """By player what happened in a recorded game."""
    position, plies = record.start, []
    for move in record.moves:
        plies.append(drawing.ply(position, move, len(plies)))
        position = plies[-1].after
    assert drawing.ways is not None
    names = [f"{side} ({player})" for side, player in zip(record.game.sides, record.players, strict=True)]
    return {name: drawing.ways.log(plies, side) for name, side in zip(names, record.game.sides, strict=True)}


def _write(settings: SimulateSettings, game: Any, position: Any, side: Any) -> None:
    from alphadiamond.client.animation import write_simulation
    from alphadiamond.console import print_written

    assert settings.output is not None
    told = {"heuristic": settings.heuristic, "finders": settings.finders, "steps_map": settings.map}
    size = size_of(settings.size)
    write_simulation(Path(settings.output), game, position, side=side, speed=settings.speed, size=size, **told)
    print_written(settings.output, file=sys.stderr)


if __name__ == "__main__":
    cli.name_bare("subject")
    cli.run(simulate, SimulateSettings, "simulate")
