"""Workers as actors of Ray: the engine `ray` behind the protocol of `training.workers`.

A worker is an actor with one core and a share of the run's games. Weights lie in the object store once per update and
each machine fetches them once; results come back by reference and are checked as they finish. Nothing is played twice:
an actor that dies takes what it has played since its last result with it, and its games go on elsewhere from there.
"""

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alphadiamond.arena.pairs import Pairing
from alphadiamond.base.threads import available_cores
from alphadiamond.cluster.actor import SelfPlayActor, look_at
from alphadiamond.cluster.connection import HEAD_PATIENCE, Connection
from alphadiamond.cluster.nodes import Node, Nodes, on_node
from alphadiamond.cluster.worker_results import BadWorkerResultError, checked_scores, size_of, unpacked
from alphadiamond.console import count_of
from alphadiamond.settings.cluster import RaySettings
from alphadiamond.training.cores import FEWEST_GAMES, shares
from alphadiamond.training.reshard import WorkerState, reshard
from alphadiamond.training.settings import PitSettings, TrainSettings
from alphadiamond.training.stop_flag import StopFlag, Stopped
from alphadiamond.training.worker import Side, Weights, WorkerJob, WorkerResult
from alphadiamond.training.workers import Seated, WorkerError, worker_seed

_TICK = 0.2  # seconds between two looks at the wish to stop
_FETCH_SECONDS = 60.0  # for a result that is there to be brought here
_ADMISSION_SECONDS = 300.0  # for the look at all machines, which may have to compile
_PLACEMENT_SECONDS = 120.0  # for actors to come up

Say = Callable[[str], None]


@dataclass(eq=False)
class _Member:
    """One actor and what we know of it."""

    number: int
    node: Node
    actor: Any
    coming: Any
    """The answer that says it is up; None once it is."""
    asked: float
    """When it was created."""
    games: int = 0
    """How many it plays; 0 before it was given any."""
    state: WorkerState = field(default_factory=dict)
    """Its games as they were before what it plays now."""
    version: int = 0
    """The update whose weights it has."""
    match: int = 0
    """The match whose networks it has; 0 for none."""
    playing: Any = None
    """The result that it is playing for."""
    iteration: int = 0


class RayWorkers:
    """One actor a worker, spread over the machines of a cluster."""

    def __init__(
        self,
        job: WorkerJob,
        *,
        settings: RaySettings,
        count: int = 0,
        threads: int = 0,
        stopping: StopFlag | None = None,
        say: Say | None = None,
        patience: float = HEAD_PATIENCE,
    ) -> None:
        """`count`: workers; 0 for as many as there is room for, as machines come and go. `threads`: the learner's."""
        self._settings = settings
        self._job = replace(job, device="cuda" if settings.gpu else "cpu")
        self._wanted = count
        self._stopping = stopping or StopFlag()
        self._members: list[_Member] = []
        self._orphans: list[WorkerState] = []  # games whose worker is gone
        self._results: list[WorkerResult | None] = []
        self._begun: list[_Member] = []
        self._kept: list[WorkerState] = []  # what `states` says
        self._iteration = 0
        self._weights: Any = None
        self._version = 0
        self._seated = Seated()
        self._sides: list[Any] = []  # of the match that is under way, as the workers are told of them
        self._match = 0
        self._births = 0
        self._numbers = 0
        self._measured: dict[str, float] = {}
        self._dying = 0  # workers that have died alone, since any has brought a result
        self._untold: Counter[str] = Counter()  # workers that have died, by node
        self.replaced = 0
        """How many workers have died, with their machine or alone."""
        self.refused = 0
        """How many results were none."""
        self.first_samples: dict[str, float] = {}
        """Seconds from each node's joining to its first result."""
        self._connection = Connection(settings, cpus=count or available_cores(), patience=patience)
        self._ray = self._connection.ray
        here = settings.address == "local"
        self._nodes = Nodes(
            self._connection, look_at, self._job, started_here=here, gpu=settings.gpu, threads=threads, say=say
        )
        try:
            self._nodes.await_looks(_ADMISSION_SECONDS)
            self._planned = self._plan()
            if not self._planned:
                why = f" ({self._nodes.refusal})" if self._nodes.refusal else ""
                raise WorkerError(f"no machine of the Ray cluster has a core that this run may use{why}")
        except BaseException:
            self._connection.close()
            raise

    @property
    def say(self) -> Say:
        return self._nodes.say

    @say.setter
    def say(self, say: Say) -> None:
        """Who is told, in lines, what happens to the cluster."""
        self._nodes.say = say

    @property
    def count(self) -> int:
        return sum(member.games > 0 for member in self._members) or len(self._planned)

    @property
    def pids(self) -> list[int]:
        """None that are ours to end: they end with this process."""
        return []

    def start(self, states: Sequence[WorkerState | None]) -> None:
        for node in self._planned:
            self._members.append(self._create(node))
        self._await_members()
        self._orphans = [state for state in states if state]
        given = [state or {} for state in states]
        if len(given) == len(self._members):  # as they were
            self._orphans = []
            for member, state in zip(self._members, given, strict=True):
                member.state = state
        self._hand_out()

    def update(self, weights: Weights) -> None:
        self._connection.check()
        with self._connection.asking():
            self._weights = self._ray.put(weights)
        self._version += 1
        self._measured["cluster/update_bytes"] = float(sum(array.nbytes for array in weights.values()))

    def begin(self, iteration: int, simulations: int) -> None:
        self._connection.check()
        with self._connection.asking():
            self._follow()
            self._hand_out()
        self._iteration = iteration
        self._seated.clear()
        self._sides = []
        self._kept = self._states_now()
        self._begun = [member for member in self._members if member.games]
        for member in self._begun:
            if member.playing is None:
                self._bring_up_to_date(member)
                member.iteration, member.match = iteration, 0
                member.playing = member.actor.play.remote(iteration, simulations)

    def collect(self) -> list[WorkerResult | None]:
        self._finish_playing()
        results, self._results = self._results, []
        self._kept = self._states_now()
        return results

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        self._finish_playing()
        scores = [0.0] * len(pairings)
        left = list(range(len(pairings)))
        if self._seated.changed(first, second, settings):
            self._match += 1
            with self._connection.asking():
                self._sides = [side if isinstance(side, str) else self._ray.put(side) for side in (first, second)]
        while left:  # where a worker dies its share is played by the others
            players = [member for member in self._members if member.games and member.playing is None]
            if not players:
                with self._connection.asking():
                    self._follow()
                    self._hand_out()
                players = [member for member in self._members if member.games]  # those at work play it afterwards
            asked: dict[Any, tuple[_Member, list[int]]] = {}
            for number, member in enumerate(players):
                places = left[number :: len(players)]
                if places or len(players) == 1:
                    if member.match != self._match:
                        member.actor.seat.remote(*self._sides, settings)
                        member.match = self._match
                    asked[member.actor.pit.remote([pairings[place] for place in places])] = (member, places)
            left = []
            for answer, (member, places) in self._answers(asked):
                try:
                    for place, score in zip(places, checked_scores(answer, count=len(places)), strict=True):
                        scores[place] = score
                except BadWorkerResultError as error:
                    self._refuse(member, error)
                    left += places
            left += [place for member, places in asked.values() if member not in self._members for place in places]
            left = sorted(set(left))
        return scores

    def states(self) -> list[WorkerState]:
        """As when what was last collected was, even where a match has waited for more."""
        return self._kept

    def measures(self) -> dict[str, float]:
        """What a cluster has to report beside the games."""
        playing = [member for member in self._members if member.games]
        return self._measured | {
            "cluster/workers": float(len(playing)),
            "cluster/nodes": float(len({member.node.id for member in playing})),
            "cluster/lost_workers": float(self.replaced),
            "cluster/refused_harvests": float(self.refused),
        }

    def stop(self) -> None:
        if not self._connection.lost and self._ray.is_initialized():
            for member in self._members:
                self._ray.kill(member.actor, no_restart=True)
        self._members = []
        self._connection.close()

    def _states_now(self) -> list[WorkerState]:
        return [member.state for member in self._members if member.games] + self._orphans

    # Waiting

    def _finish_playing(self) -> None:
        """Take in what was begun, but for those that the quorum does not wait for."""
        if not self._begun:
            return
        playing = [member for member in self._begun if member.playing is not None and member in self._members]
        needed = math.ceil(self._settings.quorum * len(playing) - 1e-9)
        made: dict[_Member, WorkerResult] = {}
        size = 0
        asked = {member.playing: (member, member) for member in playing}
        for raw, (member, _) in self._answers(asked, needed=needed):
            member.playing = None
            try:
                games = member.games
                result = unpacked(raw, game=self._job.game, games=games, iteration=member.iteration)
            except BadWorkerResultError as error:
                self._refuse(member, error)
                continue
            size += size_of(raw)
            made[member] = result
            member.state = result.state
            self.first_samples.setdefault(member.node.name, time.monotonic() - member.node.since)
        self._results += [made.get(member) for member in self._begun]
        self._measure(made, size)
        self._begun = []
        self._dying = 0 if made else self._dying
        self._tell()

    def _answers(self, asked: dict[Any, tuple[_Member, Any]], *, needed: int | None = None) -> Any:
        """(answer, what was asked with it) as they come, until so many are there or their workers are gone."""
        open_refs = dict(asked)
        left = len(asked) if needed is None else needed
        while open_refs and left > 0:
            if self._stopping.is_set():
                raise Stopped
            self._connection.check()
            self._nodes.refresh()
            for ref, (member, _) in list(open_refs.items()):
                if not member.node.alive:
                    self._lose(member)
                    del open_refs[ref]
                    left -= 1
            if not open_refs or left <= 0:
                continue
            ready, _ = self._ray.wait(list(open_refs), num_returns=min(left, len(open_refs)), timeout=_TICK)
            for ref in ready:
                member, what = open_refs.pop(ref)
                left -= 1
                answer = self._fetch(ref, member)
                if answer is not None:
                    yield answer, (member, what)

    def _fetch(self, ref: Any, member: _Member) -> Any:
        """What a worker answered; None if it has died, an error if it says that something is wrong."""
        try:
            answer = self._ray.get(ref, timeout=_FETCH_SECONDS)
        except self._ray.exceptions.RayError:  # it or its machine has died, or what it made can no longer be fetched
            self._lose(member)
            return None
        if type(answer) is dict and "error" in answer:
            raise WorkerError(f"worker {member.number} on {member.node.name} failed: {str(answer['error'])[:400]}")
        return answer

    # Who is there

    def _plan(self) -> list[Node]:
        most = max(1, self._job.selfplay.games // FEWEST_GAMES)
        planned = self._nodes.plan(self._wanted or most)
        if self._wanted and self._settings.address == "local" and planned:
            return [planned[0]] * self._wanted  # as many as were asked for, whatever the machine has
        return planned

    def _follow(self) -> None:
        """Let go those whose machine is gone, and create workers where there is room."""
        self._nodes.refresh(now=True)
        for member in list(self._members):
            if not member.node.alive or member.node.refused:
                self._lose(member)
        self._tell()
        if self._dying > 10 * max(1, len(self._planned)):
            raise WorkerError(
                f"workers died {self._dying} times: is there enough memory for {len(self._planned)} of them?"
            )
        self._planned = self._plan()
        missing = list(self._planned)
        for member in self._members:
            if member.node in missing:
                missing.remove(member.node)
        for node in missing:
            self._members.append(self._create(node))
        if not any(member.games for member in self._members):
            self._await_members()
        else:
            self._greet_members(0)

    def _create(self, node: Node) -> _Member:
        gpu = {"num_gpus": self._settings.gpu} if self._settings.gpu else {}
        kind = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, **gpu)(SelfPlayActor)
        actor = kind.options(scheduling_strategy=on_node(node.id)).remote()
        number, self._numbers = self._numbers, self._numbers + 1
        return _Member(number, node, actor, actor.ready.remote(), time.monotonic())

    def _await_members(self) -> None:
        """Wait for actors to come up; those that have no room do not hold up the others for ever."""
        end = time.monotonic() + _PLACEMENT_SECONDS
        while any(member.coming is not None for member in self._members) and time.monotonic() < end:
            if self._stopping.is_set():
                raise Stopped
            self._connection.check()
            self._greet_members(_TICK)
        if not any(member.coming is None for member in self._members):
            raise WorkerError("no worker has found a core in the Ray cluster: is all of it in use?")

    def _greet_members(self, seconds: float) -> None:
        coming = {member.coming: member for member in self._members if member.coming is not None}
        if coming:
            ready, _ = self._ray.wait(list(coming), num_returns=len(coming), timeout=seconds)
            for ref in ready:
                if self._fetch(ref, coming[ref]) is not None:
                    coming[ref].coming = None

    def _lose(self, member: _Member) -> None:
        """Forget a worker; its games go on elsewhere from its last result."""
        if member not in self._members:
            return
        self._members.remove(member)
        member.playing = None
        if member.state:
            self._orphans.append(member.state)
        if member.games:
            self.replaced += 1
            self._dying += member.node.alive
            self._untold[member.node.name] += 1
        with contextlib.suppress(Exception), self._connection.asking():
            self._ray.kill(member.actor, no_restart=True)

    def _tell(self) -> None:
        """A line for each machine on which workers have died."""
        for name, count in self._untold.items():
            self.say(f"{count_of(count, 'worker')} on {name} died; their games go on from their last results")
        self._untold.clear()

    def _refuse(self, member: _Member, error: BadWorkerResultError) -> None:
        self.refused += 1
        self.say(f"a result of worker {member.number} on {member.node.name} is not taken in: {error}")
        self._nodes.fault(member.node)
        self._lose(member)

    def _hand_out(self) -> None:
        """Give every worker that is not at work its share of the games, if the workers are not the same as before."""
        free = [member for member in self._members if member.playing is None and member.coming is None]
        busy = sum(member.games for member in self._members if member.playing is not None)
        counts = shares(self._job.selfplay.games - busy, len(free)) if free else []
        if not free or (not self._orphans and all(m.games == n and m.games for m, n in zip(free, counts, strict=True))):
            return
        pool = [member.state for member in free]
        newcomers = [place for place, member in enumerate(free) if not member.games and not member.state]
        for place, state in zip(newcomers, list(self._orphans), strict=False):
            if len(state["known"]) == counts[place]:  # one takes over from one
                pool[place] = state
                self._orphans = [other for other in self._orphans if other is not state]
        given = reshard([*pool, *self._orphans], counts)
        self._orphans = []
        fresh = any(member.games for member in self._members)
        self._births += fresh
        for member, state, games in zip(free, given, counts, strict=True):
            if member.games == games and state is member.state:
                continue
            member.games, member.state = games, state
            if games:
                job = replace(self._job, selfplay=replace(self._job.selfplay, games=games))
                member.actor.take.remote(job, worker_seed(self._job.seed, member.number, self._births), state or None)
                member.version = member.match = 0

    def _bring_up_to_date(self, member: _Member) -> None:
        if self._weights is not None and member.version != self._version:
            member.actor.update.remote(self._weights)
            member.version = self._version

    def _measure(self, made: dict[_Member, WorkerResult], size: int) -> None:
        rates: dict[str, float] = {}
        aged = counted = 0
        for member, result in made.items():
            rate = result.measures["simulations"] / result.measures["seconds"]
            rates[member.node.name] = rates.get(member.node.name, 0.0) + rate
            count = len(result.samples) if result.samples is not None else 0
            counted += count
            aged += count * (self._iteration - member.iteration)
        late = sum(member.playing is not None for member in self._members)
        self._measured = {name: value for name, value in self._measured.items() if not name.startswith("cluster/speed")}
        self._measured |= {
            "cluster/harvest_bytes": float(size),
            "cluster/late_workers": float(late),
            "cluster/sample_age": aged / max(1, counted),
            **{f"cluster/speed/{name}": rate for name, rate in rates.items()},
        }


def make_workers(settings: TrainSettings, job: WorkerJob, *, stopping: StopFlag, say: Say) -> RayWorkers:
    """The workers of a run, as `training.engines` asks for them by name."""
    return RayWorkers(
        job,
        settings=settings.ray,
        count=settings.workers,
        threads=settings.learner.threads,
        stopping=stopping,
        say=say,
    )
