"""The machines of a cluster: which are there, which may play, and how many workers each of them gets."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.cluster.connection import Connection
from alphadiamond.training.cores import split

Look = Callable[..., dict[str, str]]
"""`look(asked, compiling=True)` runs on a machine and gives its facts: see `cluster.actor`."""

_LOOK_EVERY = 2.0
_FAULTS: Final = 3
"""Results that cannot be, after which a machine is used no more."""
NAMES: Final = {"alphadiamond": "another version of alphadiamond", "python": "Python"}


@dataclass
class Node:
    """One machine, or one of several parts of a machine that Ray takes for one."""

    id: str
    name: str
    """Its own name, with a number where several have the same."""
    cpus: int
    gpus: float
    own: bool
    """Whether this process runs on it."""
    look: Any = None
    """The answer to a look at it, while we wait for that."""
    usable: bool = False
    refused: bool = False
    alive: bool = True
    faults: int = 0
    since: float = 0.0
    """When it was first seen, by this process's clock."""


class Nodes:
    """Looks at every machine that joins before it is used, and notices those that have left."""

    def __init__(
        self,
        connection: Connection,
        look: Look,
        asked: Any,
        *,
        started_here: bool,
        gpu: float = 0.0,
        threads: int = 0,
        say: Callable[[str], None] | None = None,
    ) -> None:
        """`look`, given what is `asked`, says what a machine has, which must be what this one has; with `compiling` it
        also compiles there what will be needed. `started_here`: this process has started Ray, which therefore runs the
        same code on this machine."""
        self._connection, self._ray = connection, connection.ray
        self._started_here = started_here
        self._look, self._asked = look, asked
        self._gpu = gpu
        self._threads = threads
        self.say = say or (lambda text: None)
        self._expected = look(asked, compiling=False)
        self._own = self._ray.get_runtime_context().get_node_id()
        self._nodes: dict[str, Node] = {}
        self._looked = 0.0
        self.refusal = ""
        """Why the last machine that is not used is not."""

    @property
    def usable(self) -> list[Node]:
        """Those that may play, this machine first and then as they joined."""
        found = [node for node in self._nodes.values() if node.alive and node.usable and not node.refused]
        return sorted(found, key=lambda node: not node.own)

    def await_looks(self, seconds: float) -> None:
        """Wait until every machine that is there has been looked at, but not for ever."""
        end = time.monotonic() + seconds
        self.refresh(now=True)
        while time.monotonic() < end and any(node.look is not None for node in self._nodes.values() if node.alive):
            waiting = [node.look for node in self._nodes.values() if node.look is not None and node.alive]
            self._ray.wait(waiting, num_returns=len(waiting), timeout=0.5)
            self.refresh(now=True)

    def refresh(self, *, now: bool = False) -> None:
        """Look who is there; cheap enough to be called all the time."""
        if not now and time.monotonic() - self._looked < _LOOK_EVERY:
            return
        self._looked = time.monotonic()
        seen = {one["NodeID"]: one for one in self._connection.nodes(now=now) if one["Alive"]}
        for id, told in seen.items():
            if id not in self._nodes and told["Resources"].get("CPU", 0) >= 1:
                self._join(id, told)
        for id, node in self._nodes.items():
            if node.alive and id not in seen:
                node.alive, node.look = False, None
                self.say(f"node {node.name} has left")
        self._hear()

    def fault(self, node: Node) -> None:
        """Note that a machine has sent what cannot be."""
        node.faults += 1
        if node.faults >= _FAULTS and not node.refused:
            node.refused = True
            self.say(f"node {node.name} is used no more: it has sent {node.faults} results that cannot be")

    def plan(self, wanted: int) -> list[Node]:
        """The node of each worker, of so many if there is room; 0 for all that there is room for.

        They go round the nodes, so that a few workers are spread and many fill all.
        """
        room = {node.id: self._room(node) for node in self.usable}
        placed: list[Node] = []
        while any(room.values()) and (not wanted or len(placed) < wanted):
            for node in self.usable:
                if room[node.id] and (not wanted or len(placed) < wanted):
                    room[node.id] -= 1
                    placed.append(node)
        order = {node.id: place for place, node in enumerate(self.usable)}
        return sorted(placed, key=lambda node: order[node.id])

    def _room(self, node: Node) -> int:
        cpus = node.cpus
        if node.own:  # the learner gets its share here
            cpus = split(cpus, games=max(cpus, 1) * 4, threads=self._threads).workers
        return min(cpus, int(node.gpus / self._gpu + 1e-9)) if self._gpu else cpus

    def _join(self, id: str, told: dict[str, Any]) -> None:
        names = [node.name for node in self._nodes.values()]
        host = str(told["NodeManagerHostname"])
        name = next(
            name for name in (host, *(f"{host}-{number}" for number in range(2, len(names) + 3))) if name not in names
        )
        own, resources = id == self._own, told["Resources"]
        node = Node(id, name, int(resources["CPU"]), float(resources.get("GPU", 0)), own, since=time.monotonic())
        self._nodes[id] = node
        if own and self._started_here:
            node.usable = True
            return
        look = self._ray.remote(num_cpus=1, max_retries=0)(self._look)
        where = on_node(id)
        # This machine's code is compiled by whoever starts the workers.
        node.look = look.options(scheduling_strategy=where).remote(self._asked, compiling=not own)

    def _hear(self) -> None:
        looked = {node.look: node for node in self._nodes.values() if node.look is not None}
        if not looked:
            return
        ready, _ = self._ray.wait(list(looked), num_returns=len(looked), timeout=0)
        for answer in ready:
            node, fault = looked[answer], ""
            node.look = None
            try:
                found = self._ray.get(answer)
                fault = difference(found, self._expected)
            except Exception as error:
                fault = f"it has not this version of alphadiamond ({_cause(error)})"
            node.usable, node.refused = not fault, bool(fault)
            if fault:
                self.refusal = f"node {node.name} is not used: {fault}"
                self.say(self.refusal)
            elif not node.own:
                self.say(f"node {node.name} has joined with {node.cpus} cores")


def on_node(id: str) -> Any:
    """Ray's way to say that something runs on this node or not at all."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node_id=id, soft=False)


def difference(found: Any, expected: dict[str, str]) -> str:
    """What is another version on a machine, in words; nothing if all is the same."""
    if type(found) is not dict or set(found) != set(expected):
        return "it has another version of alphadiamond"
    for name, version in expected.items():
        if found[name] != version:
            if name == "alphadiamond":
                return "it has another version of alphadiamond"
            return f"it has {NAMES.get(name, name)} {str(found[name])[:40]} where the run has {version}"
    return ""


def _cause(error: Exception) -> str:
    cause: BaseException = getattr(error, "cause", None) or error
    return " ".join(f"{type(cause).__name__}: {cause}".split())[:120]
