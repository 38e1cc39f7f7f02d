"""A hint for the person to move, in two steps: which bead, then where to. No pygame here."""

from alphadiamond.client.analysing import hint_spec
from alphadiamond.client.opponents import Roster
from alphadiamond.client.thinking import Answer, Desk
from alphadiamond.games.diamond_chase import Move, Position


class Hint:
    def __init__(self) -> None:
        self.move: Move | None = None
        self.step = 0
        """0 nothing yet, 1 the bead is shown, 2 the whole move."""
        self._job = 0

    @property
    def asked(self) -> bool:
        """Whether an answer is awaited."""
        return self._job != 0

    def clear(self) -> None:
        self.move, self.step, self._job = None, 0, 0

    def press(self, desk: Desk, roster: Roster, position: Position) -> bool:
        """Ask, or show more of what is known; True if a player has been asked just now."""
        if self.move is not None:
            self.step = 2
        elif not self._job:
            self._job = desk.move(hint_spec(roster), position)
            return True
        return False

    def take(self, answer: Answer, position: Position) -> str:
        """Note an answer; returns a fault to tell the person, if there is one."""
        if not self._job or answer.job != self._job:
            return ""
        if answer.kind == "move" and answer.move in position.moves():
            self.move, self.step = answer.move, 1
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
        return ("", "Hint: this bead. Press H again to see where to", f"Hint: {self.move}")[self.step]
