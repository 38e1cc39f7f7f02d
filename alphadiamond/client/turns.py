"""The player at the move: asked once, listened to, and told when a new game begins. No pygame here."""

from typing import Any

from alphadiamond.client.player_process import Answer, PlayerProcess
from alphadiamond.play.session import Session


class Turn:
    def __init__(self) -> None:
        self.found: Any | None = None
        self.seconds = 0.0
        """How long the player has been thinking."""
        self._job = 0
        self._new = {0, 1}
        """Sides whose player has not been asked yet in this game."""

    @property
    def asked(self) -> bool:
        return self._job != 0

    def restart(self) -> None:
        """The position has changed: what was asked before is void."""
        self._job, self.found, self.seconds = 0, None, 0.0

    def new_player(self, side: Any) -> None:
        self._new.add(int(side))
        self.restart()

    def think(self, dt: float, session: Session, player_process: PlayerProcess) -> None:
        """Let time pass for the player at the move, asking it first if it has not been asked."""
        self.seconds += dt
        if not self._job:
            side = session.to_move
            self._job = player_process.move(
                session.seat(side), session.position, game=session.game, new_game=int(side) in self._new
            )
            self._new.discard(int(side))

    def take(self, answer: Answer, session: Session) -> str:
        """Note an answer; returns why the player cannot go on, if it cannot."""
        if not self._job or answer.job != self._job:
            return ""
        if answer.kind == "error":
            return answer.text
        if answer.kind == "move" and answer.move is not None:
            if answer.move not in session.position.moves():
                return f"{answer.spec} has tried an illegal move, {answer.move}"
            self.found = answer.move
        return ""
