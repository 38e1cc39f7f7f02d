"""A player in another process, asked through a runner by the lines of docs/reference/engine.md."""

from collections.abc import Iterator
from typing import Any, Final

from alphadiamond.agents.answers import best_of, position_json, read_analysis
from alphadiamond.agents.base import Agent, AgentError, Analysis, Game, Move, Position, Stop, never, require_moves
from alphadiamond.runner import Answer, Runner

_REPORT_SECONDS: Final = 0.1
_SHARE: Final = 0.9  # of its time, which a player is told to keep
_AT_ONCE: Final = 0.001  # the time limit of a question whose answer is wanted now


class RemoteAgent(Agent):
    """Thinks wherever the runner's process is; `player` is who it shall ask there, by default whoever answers.

    Without an answer after `seconds`, or `patience` seconds after it was told to stop, the process is ended and the
    player has failed; the next question begins another one.
    """

    def __init__(
        self,
        runner: Runner,
        *,
        game: Game,
        player: str = "",
        seed: int | None = None,
        seconds: float | None = None,
        patience: float | None = None,
    ) -> None:
        self.game = game
        self._runner = runner
        self._player = player
        self._seed = seed
        self._seconds = seconds
        self._patience = patience
        self._session = 0

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        *_, last = self._answers(position, stop)
        return read_analysis(last, position, self.game)

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        *_, last = self._answers(position, stop, move_only=True)
        return best_of(last, position)

    def stream(self, position: Position, *, stop: Stop = never) -> Iterator[Analysis]:
        require_moves(position, self.game)
        for answer in self._answers(position, stop, report_seconds=_REPORT_SECONDS):
            yield read_analysis(answer, position, self.game)

    def reset(self) -> None:
        """What is asked from now on is of another game."""
        self._session += 1

    def reseed(self, seed: int) -> bool:
        """It goes along with the next question, and counts if that is the first of a game."""
        self._seed = seed
        return True

    def record_result(self, score: float) -> float | None:
        self._last({"action": "result", **self._whom(), "score": score})
        return None

    def check_there(self) -> None:
        """An AgentError if there is no such player in that process."""
        self._last({"action": "check", **self._whom(), "session": None})

    def _whom(self) -> dict[str, Any]:
        player = {"player": self._player} if self._player else {}
        return {**player, "game": self.game.name, "session": self._session}

    def _answers(self, position: Position, stop: Stop, **wanted: Any) -> Iterator[Answer]:
        require_moves(position, self.game)
        limit = {} if self._seconds is None else {"time_limit": _SHARE * self._seconds}
        seed = {} if self._seed is None else {"seed": self._seed}
        self._seed = None
        query = {**self._whom(), **position_json(position), **limit, **seed, **wanted}
        if stop():
            query["time_limit"], stop = _AT_ONCE, never
        for answer in self._asked(query, stop):
            if answer.get("no_results"):  # it was stopped before it had begun
                yield from self._asked({**query, "time_limit": _AT_ONCE}, never)
            else:
                yield answer

    def _asked(self, query: dict[str, Any], stop: Stop) -> Iterator[Answer]:
        for answer in self._runner.answers(query, stop=stop, seconds=self._seconds, patience=self._patience):
            if "error" in answer:
                raise AgentError(str(answer["error"]), player=self.spec)
            yield answer

    def _last(self, query: dict[str, Any]) -> Answer:
        *_, last = self._asked({key: value for key, value in query.items() if value is not None}, never)
        return last
