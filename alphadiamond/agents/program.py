"""Another program as a player: `engine:command="python3 my_player.py"`.

See docs/reference/engine.md for what it is asked.
"""

import contextlib
import functools
import shlex
import shutil
import weakref
from typing import Annotated, Any, Final

from alphadiamond.agents.base import AgentError, Game, Position, Stop, UnavailableError
from alphadiamond.agents.remote import RemoteAgent
from alphadiamond.runner import Link, ProcessLink, Runner
from alphadiamond.runner.links import Ended, Heard
from alphadiamond.settings.ranges import SEED, above

_PATIENCE: Final = 2.0  # seconds for an answer when it is told to stop


class ProgramAgent(RemoteAgent):
    """A program that hangs, dies or answers nonsense fails with the reason, and is started again for the next game.

    It runs as long as this object lives, or the process that this object is in.
    """

    def __init__(
        self,
        *,
        game: Game,
        command: str = "",
        name: str = "",
        player: str = "",
        seconds: Annotated[float, above(0)] = 60.0,
        start_seconds: Annotated[float, above(0)] = 30.0,
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        self.check(command=command, name=name, player=player, seconds=seconds, start_seconds=start_seconds, seed=seed)
        runner = Runner(functools.partial(_connect, tuple(shlex.split(command))), name="its program")
        super().__init__(runner, game=game, player=player, seed=seed, seconds=seconds, patience=_PATIENCE)
        weakref.finalize(self, runner.close)
        self._start_seconds = start_seconds
        self._greeted = 0
        """The process that has answered."""
        self._hopeless = ""
        """Why no process ever has."""

    @classmethod
    def check(cls, **parameters: Any) -> None:
        parameters.pop("game", None)
        super().check(**parameters)
        command = parameters.get("command", "")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise AgentError(f"command={command!r}: {error}") from None
        if not words:
            raise AgentError('a command is missing: engine:command="python3 my_player.py"')
        if shutil.which(words[0]) is None:
            raise UnavailableError(f"no program is called {words[0]!r}")

    def reset(self) -> None:
        """A new game; the program is made ready for it before any clock runs, and why it is not is said when asked."""
        super().reset()
        with contextlib.suppress(AgentError):
            self._greet()

    def _answers(self, position: Position, stop: Stop, **wanted: Any) -> Any:
        self._greet()
        return super()._answers(position, stop, **wanted)

    def _greet(self) -> None:
        """Wait until a program that has just been started answers, whatever it answers."""
        if self._hopeless:
            raise AgentError(self._hopeless, player=self.spec)
        if self._greeted and self._runner.pid == self._greeted:
            return
        *_, answer = self._runner.answers({"action": "version"}, seconds=self._start_seconds)
        if answer.get("ended"):
            if not self._greeted:
                self._hopeless = answer["error"]
            raise AgentError(answer["error"], player=self.spec)
        self._greeted = self._runner.pid


def _connect(command: tuple[str, ...], heard: Heard, ended: Ended) -> Link:
    return ProcessLink(command, heard, ended, supervised=True)
