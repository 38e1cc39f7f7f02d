"""A hint for the person to move, in two steps: which piece, then where to. No pygame here."""

from typing import Any

from alphadiamond.base.drawing import Drawing, Square
from alphadiamond.client.player_process import Answer, PlayerProcess
from alphadiamond.play.analysts import hint_spec
from alphadiamond.play.opponents import Roster


class Hint:
    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.move: Any | None = None
        self.step = 0
        """0 nothing yet, 1 the piece is shown, 2 the whole move."""
        self._job = 0

    @property
    def asked(self) -> bool:
        """Whether an answer is awaited."""
        return self._job != 0

    def clear(self) -> None:
        self.move, self.step, self._job = None, 0, 0

    def press(self, player_process: PlayerProcess, roster: Roster, position: Any) -> bool:
        """Ask, or show more of what is known; True if a player has been asked just now."""
        if self.move is not None:
            self.step = 2
        elif not self._job:
            self._job = player_process.move(hint_spec(roster, position), position, game=roster.game)
            return True
        return False

    def take(self, answer: Answer, position: Any) -> str:
        """Note an answer; returns a fault to tell the person, if there is one."""
        if not self._job or answer.job != self._job:
            return ""
        if answer.kind == "move" and answer.move in position.moves():
            self.move = answer.move
            self.step = 1 if len(self.drawing.spots(answer.move)) > 1 else 2  # a single click has no half
        elif answer.kind == "error":
            self.clear()
            return answer.text
        elif answer.kind == "done":
            self._job = 0
        return ""

    @property
    def text(self) -> str:
        if self._job and not self.step:
            return "Looking for a good move"
        first = f"Hint: this {self.drawing.piece}. Press H again to see where to"
        return ("", first, f"Hint: {self.move}")[self.step]

    def path(self, position: Any) -> tuple[Square, ...]:
        """The squares to show."""
        if self.move is None or not self.step:
            return ()
        path = self.drawing.path(position, self.move)
        return path if self.step == 2 else path[:1]
