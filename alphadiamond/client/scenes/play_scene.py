"""What a game that is played here and one that is played online share: its end, the ways out, and what it says."""

from collections.abc import Callable
from typing import Any

from alphadiamond.client.scenes.board_scene import BoardScene
from alphadiamond.client.scenes.confirm import ConfirmScene


class PlayScene(BoardScene):
    on_looking = "Esc returns"
    """What can be done while an earlier position is looked at."""

    # What subclasses write

    @property
    def over(self) -> bool:
        raise NotImplementedError

    @property
    def winner(self) -> Any | None:
        """The side that has won, or its number."""
        raise NotImplementedError

    @property
    def lost(self) -> bool:
        """Whether the person has lost."""
        raise NotImplementedError

    def result_text(self) -> str:
        raise NotImplementedError

    def turn_text(self) -> str:
        """Who is to do what, while it goes on."""
        raise NotImplementedError

    def resign(self) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        """Esc, where there is nothing else to leave."""
        raise NotImplementedError

    # What they share

    def status(self) -> str:
        if self.looking is not None:
            return f"After move {self.ply} of {len(self.session.plies)} · {self.on_looking}"
        return self.result_text() if self.over else self.turn_text()

    def must_text(self) -> str:
        """A reminder that there is no choice; empty where there is."""
        return f": {self.drawing.must_take}" if self.board.compulsory and self.drawing.must_take else ""

    def celebrate(self) -> None:
        """Sound for the end, and confetti for whoever has won it."""
        winner, lost = self.winner, self.lost
        self.app.sounds.play("draw" if winner is None else "defeat" if lost else "win")
        if winner is not None and not lost:
            theme = self.painter.theme
            colours = (theme.bead(winner), theme.gold, theme.accent, theme.accent_2)
            self.effects.confetti(self.area.width, colours=colours, scale=self.painter.look.scale)

    def ask(self, title: str, text: str, yes: str, action: Callable[[], None], *, kind: str = "primary") -> None:
        """Before the game is ended or left; who does not want to be asked is not."""
        if self.app.settings.confirm:
            self.app.push(ConfirmScene(self.app, title, text, yes, action, kind=kind))
        else:
            action()

    def ask_resign(self) -> None:
        self.ask("Resign?", self.resign_text(), "Resign", self._resign_now, kind="danger")

    def resign_text(self) -> str:
        return "The game ends here and counts as lost."

    def _resign_now(self) -> None:
        if not self.over:  # it may have ended while the question was open
            self.resign()

    def back(self) -> None:
        if self.board.selected is not None:
            self.board.selected = None
        elif self.looking is not None:
            self.look(len(self.session.plies))
        else:
            self.leave()
