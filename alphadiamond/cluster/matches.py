"""Matches, exams and proofs over Ray: games of `arena` played by actors on any number of machines.

An actor keeps a worker process of the arena, so that players that hang, die or cheat end as they do on one machine, and
a game is the same wherever it is played. What comes back are moves by their numbers, which are played again here.
"""

import contextlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alphadiamond.arena.exam import Exam, ExamResult
from alphadiamond.arena.exam_workers import ExamTask, answer, exam_tasks, graded
from alphadiamond.arena.play import ArenaError, PlayedGame
from alphadiamond.arena.workers import Task, Workers
from alphadiamond.base.game import Game
from alphadiamond.base.processes import told
from alphadiamond.base.threads import available_cores
from alphadiamond.cluster.actor import facts
from alphadiamond.cluster.connection import Connection
from alphadiamond.cluster.nodes import Node, Nodes, on_node
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.proof.settings import ProveSettings
from alphadiamond.proof.tasks import Expansion, ProofTask, expand
from alphadiamond.settings.cluster import RaySettings
from alphadiamond.settings.evaluation import EvaluateSettings

_TICK = 0.5
_TEXT = 400  # characters of whatever an actor says
_ADMISSION_SECONDS = 300.0


class MatchActor:
    """Plays one game at a time."""

    def __init__(self, move_seconds: float | None) -> None:
        self._move_seconds = move_seconds
        self._workers: Workers | None = None

    def play(self, task: Task) -> dict[str, Any]:
        """A game as numbers and two words, or what is wrong with a player."""
        try:
            self._workers = self._workers or Workers(1, game=task.game, move_seconds=self._move_seconds)
            ((_, played),) = self._workers.play([task])
        except Exception as error:
            return {"error": str(error) if isinstance(error, AlphaDiamondError) else told(error)}
        record = played.record
        return {
            "actions": np.array([move.action for move in record.moves], dtype=np.int64),
            "result": str(record.result),
            "ending": str(record.ending),
            "seconds": np.array(played.seconds, dtype=np.float64),
        }

    def examine(self, task: ExamTask) -> dict[str, Any]:
        """What a player answers in a part of an exam."""
        try:
            actions, results = answer(task)
        except Exception as error:
            return {"error": str(error) if isinstance(error, AlphaDiamondError) else told(error)}
        return {"actions": actions, "results": results}

    def expand(self, task: ProofTask) -> dict[str, Any]:
        """What comes of some positions of a proof."""
        try:
            return dict(vars(expand(task)))
        except Exception as error:
            return {"error": str(error) if isinstance(error, AlphaDiamondError) else told(error)}


def look_at_players(game: Game, *, compiling: bool) -> dict[str, str]:
    """The facts of a machine; players compile what they need when they are built, before their clock runs."""
    return facts(game, Path(__file__))


class MatchWorkers:
    """As `arena.Workers`, on a cluster; close it."""

    def __init__(self, *, game: Game, settings: RaySettings, count: int = 0, move_seconds: float | None = None) -> None:
        """`count`: games at the same time; 0 for as many as there are cores."""
        self._game = game
        self._settings = settings
        self._wanted = count
        self._move_seconds = move_seconds
        self._connection = Connection(settings, cpus=count or available_cores())
        self._ray = self._connection.ray
        here = settings.address == "local"
        self._nodes = Nodes(self._connection, look_at_players, game, started_here=here, say=lambda text: print(text))
        self._actors: dict[Any, Node] = {}
        try:
            self._nodes.await_looks(_ADMISSION_SECONDS)
            self._follow()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._actors)

    def close(self) -> None:
        self._actors = {}
        self._connection.close()

    def play(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, PlayedGame]]:
        """Games as they finish, in any order. One whose machine dies is played again elsewhere."""
        asked: dict[Any, tuple[Any, Task]] = {}
        try:
            for actor, task, answer in self._answers(((("play", task), task) for task in tasks), asked):
                played = _played(task, answer)
                if played is None:
                    raise ArenaError(f"node {self._actors[actor].name} has sent a game that cannot be")
                yield task, played
        finally:
            for actor, _ in asked.values():  # games that nobody waits for any more
                self._drop(actor)

    def examine(self, specs: Sequence[str], exam: Exam, seed: int) -> list[ExamResult]:
        """The exams of players, in parts whose answers are the same wherever they are given."""
        asked: dict[Any, tuple[Any, ExamTask]] = {}
        calls = ((("examine", task), task) for task in exam_tasks(specs, exam, seed))
        found = []
        for _, task, sent in self._answers(calls, asked):
            parts = [sent.get(name) for name in ("actions", "results")]
            if not all(_is_column(part, len(task.states)) for part in parts):
                raise ArenaError(f"{task.spec}: its worker has sent answers that are none")
            found.append((task, (np.array(parts[0]), np.array(parts[1]))))
        return graded(specs, exam, found)

    def run(self, tasks: Iterable[ProofTask]) -> Iterator[tuple[ProofTask, Expansion]]:
        """The parts of a proof, as `proof.enumeration` asks for them."""
        asked: dict[Any, tuple[Any, ProofTask]] = {}
        for actor, task, sent in self._answers(((("expand", task), task) for task in tasks), asked):
            found = _expansion(task, sent)
            if found is None:
                raise ArenaError(f"node {self._actors[actor].name} has sent positions that cannot be")
            yield task, found

    def _answers(self, calls: Iterator[tuple[tuple[Any, ...], Any]], asked: dict[Any, Any]) -> Iterator[Any]:
        """(actor, what was asked for, answer) as they come; `asked` holds those that are being waited for."""
        again: deque[tuple[tuple[Any, ...], Any]] = deque()
        given: dict[Any, tuple[tuple[Any, ...], Any]] = {}
        calls = iter(calls)
        more = True
        while True:
            if not self._actors:
                self._follow()
            busy = {actor for actor, _ in asked.values()}
            for actor in [actor for actor in self._actors if actor not in busy]:
                call = again.popleft() if again else next(calls, None)
                if call is None:
                    more = False
                    break
                (name, *arguments), what = call
                ref = getattr(actor, name).remote(*arguments)
                asked[ref], given[ref] = (actor, what), call
            if not more and not again and not asked:
                return
            self._connection.check()
            self._nodes.refresh()
            for ref, (actor, _) in list(asked.items()):
                if not self._actors[actor].alive:
                    again.append(given.pop(ref))
                    self._drop(actor)
                    del asked[ref]
            if not asked:
                continue
            ready, _ = self._ray.wait(list(asked), num_returns=1, timeout=_TICK)
            for ref in ready:
                actor, what = asked.pop(ref)
                call = given.pop(ref)
                try:
                    answer = self._ray.get(ref, timeout=60)
                except self._ray.exceptions.RayError:
                    self._drop(actor)
                    again.append(call)
                    self._follow()
                    continue
                if type(answer) is not dict:
                    raise ArenaError(f"node {self._actors[actor].name} has answered nonsense")
                if "error" in answer:
                    raise ArenaError(" ".join(str(answer["error"]).split())[:_TEXT])
                yield actor, what, answer

    def _follow(self) -> None:
        """Actors wherever there is room."""
        self._nodes.refresh(now=True)
        here = self._settings.address == "local"
        usable = self._nodes.usable
        missing = [usable[0]] * self._wanted if here and self._wanted and usable else self._nodes.plan(self._wanted)
        for node in self._actors.values():
            if node in missing:
                missing.remove(node)
        kind = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(MatchActor)
        for node in missing:
            actor = kind.options(scheduling_strategy=on_node(node.id)).remote(self._move_seconds)
            self._actors[actor] = node
        if not self._actors:
            raise ArenaError("no machine of the Ray cluster has a core that may be used")

    def _drop(self, actor: Any) -> None:
        self._actors.pop(actor, None)
        with contextlib.suppress(Exception):
            self._ray.kill(actor, no_restart=True)


def make_workers(settings: EvaluateSettings) -> MatchWorkers:
    """Whoever plays an evaluation, as `arena.evaluation` asks for it by name."""
    return MatchWorkers(
        game=load(settings.game),
        settings=settings.ray,
        count=settings.workers or 0,
        move_seconds=settings.move_seconds,
    )


def make_proof_workers(settings: ProveSettings) -> MatchWorkers:
    """Whoever answers the tasks of a proof, as `proof.command` asks for it by name."""
    return MatchWorkers(game=load(settings.game), settings=settings.ray, count=settings.workers or 0)


def _expansion(task: ProofTask, sent: dict[str, Any]) -> Expansion | None:
    """What an actor has sent as an answer of its own arrays; None if it is none."""
    actions, ends, simulations = sent.get("actions"), sent.get("ends"), sent.get("simulations")
    sets = [sent.get(name) for name in ("replies", "lost_ends", "lost", "let_go")]
    if not (isinstance(actions, np.ndarray) and actions.dtype == np.int16 and actions.shape == task.numbers.shape):
        return None
    if not all(isinstance(one, np.ndarray) and one.dtype == np.uint64 and one.ndim == 1 for one in sets):
        return None
    if type(ends) is not tuple or [type(count) for count in ends] != [int] * 3 or type(simulations) is not int:
        return None
    replies, lost_ends, lost, let_go = (np.array(one) for one in sets)
    if len(replies) > 1 and not (replies[1:] > replies[:-1]).all():
        return None
    known = task.actions >= 0
    if not np.array_equal(actions[known], task.actions[known]):
        return None
    return Expansion(np.array(actions), replies, ends, lost_ends, lost, let_go, simulations)


def _is_column(value: Any, count: int) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "i" and value.shape == (count,)


def _played(task: Task, answer: dict[str, Any]) -> PlayedGame | None:
    """The game that an actor has played, move by move; None if it cannot be."""
    actions, seconds = answer.get("actions"), answer.get("seconds")
    texts = [answer.get("result"), answer.get("ending")]
    if not all(type(text) is str and len(text) <= _TEXT for text in texts):
        return None
    if not isinstance(actions, np.ndarray) or actions.dtype != np.int64 or actions.ndim != 1:
        return None
    if not isinstance(seconds, np.ndarray) or seconds.dtype != np.float64 or not np.isfinite(seconds).all():
        return None
    if len(actions) > task.game.longest:
        return None
    position, moves = task.start, []
    try:
        for action in actions.tolist():
            moves.append(task.game.move_of(action, position.side))
            position = position.play(moves[-1])
        by_rules = position.outcome is not None
        record = task.game.record(
            task.start,
            moves,
            players=(task.first, task.second),
            result=None if by_rules else texts[0],
            ending=None if by_rules else texts[1],
            date=task.date,
            tags=task.tags,
        )
    except (AlphaDiamondError, ValueError, IndexError):
        return None
    if (str(record.result), str(record.ending)) != tuple(texts):
        return None
    return PlayedGame(record, tuple(seconds.tolist()))
