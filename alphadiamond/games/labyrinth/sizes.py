"""The Labyrinth on smaller and larger boards, to see what a network makes of a size that it was not trained on.

They are no games of their own on menus: `game=alphadiamond.games.labyrinth.sizes:LABYRINTH_7` names one.
"""

from pathlib import Path
from typing import ClassVar, Final

from alphadiamond.base.drawing import Drawing
from alphadiamond.base.game import Shape
from alphadiamond.base.plain_drawing import PlainDrawing
from alphadiamond.games.labyrinth.board import deadline_of
from alphadiamond.games.labyrinth.game import Labyrinth, shape_of
from alphadiamond.games.labyrinth.rules import LabyrinthRules, rules_of


class _OtherSize(Labyrinth):
    networks_of: ClassVar[tuple[str, ...]] = (Labyrinth.name,)
    pictured: ClassVar[str] = ""

    @property
    def drawing(self) -> Drawing:  # type: ignore[override]
        return PlainDrawing(self)

    @property
    def exam(self) -> Path | None:
        """Made when it is asked for: `alphadiamond make-exam output=FILE`."""
        return None


class Labyrinth7(_OtherSize):
    name: ClassVar[str] = "labyrinth_7"
    title: ClassVar[str] = "Labyrinth 7 x 7"
    size: ClassVar[int] = 7
    rules: ClassVar[LabyrinthRules] = rules_of(7)
    shape: ClassVar[Shape] = shape_of(7)
    longest: ClassVar[int] = deadline_of(7)


class Labyrinth11(_OtherSize):
    name: ClassVar[str] = "labyrinth_11"
    title: ClassVar[str] = "Labyrinth 11 x 11"
    size: ClassVar[int] = 11
    rules: ClassVar[LabyrinthRules] = rules_of(11)
    shape: ClassVar[Shape] = shape_of(11)
    longest: ClassVar[int] = deadline_of(11)


LABYRINTH_7: Final = Labyrinth7()
LABYRINTH_11: Final = Labyrinth11()
