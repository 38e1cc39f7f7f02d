"""Self-play on a real cluster whose machines come and go: several nodes of Ray on this one."""

import os
import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="pip install '.[ray]'")

from alphadiamond.cluster.connection import ClusterError, Connection, refuse_open  # noqa: E402
from alphadiamond.cluster.workers import RayWorkers  # noqa: E402
from alphadiamond.settings.cluster import RaySettings  # noqa: E402
from alphadiamond.training.stop_flag import StopFlag, Stopped  # noqa: E402
from alphadiamond.training.worker import WorkerResult  # noqa: E402
from alphadiamond.training.workers import WorkerError  # noqa: E402
from tests.cluster.clusters import Cluster, running  # noqa: E402
from tests.training.small import SELFPLAY, job_of, settings  # noqa: E402
from tests.training.test_workers import OTHERS, WEIGHTS, played  # noqa: E402


def started(cluster: Cluster, said: list[str], *, count: int = 0, **changes: Any) -> RayWorkers:
    workers = RayWorkers(job_of(settings()), settings=cluster.settings(**changes), count=count, say=said.append)
    workers.start([])
    workers.update(WEIGHTS)
    return workers


def in_actor(workers: RayWorkers, place: int, what: Callable[[Any], Any]) -> Any:
    """Do something in the process of a worker."""
    return ray.get(workers._members[place].actor.__ray_call__.remote(what))


def iterate_until(workers: RayWorkers, good: Callable[[list[WorkerResult | None]], bool], *, first: int) -> int:
    """Play iterations until one is as wanted; its number."""
    for iteration in range(first, first + 200):
        if good(played(workers, iteration)):
            return iteration
        time.sleep(0.1)
    raise AssertionError("it never came to that")


def games_of(workers: RayWorkers) -> int:
    return sum(len(state["known"]) for state in workers.states())


def slow(actor: Any) -> None:
    """Let a worker take some seconds more for an iteration."""
    play = actor._worker.play
    actor._worker.play = lambda *asked: (time.sleep(4), play(*asked))[1]


def poison(actor: Any) -> None:
    """Let a worker's next results have values that are not numbers, as from bad memory."""
    play = actor._worker.play

    def spoilt(iteration: int, simulations: int) -> WorkerResult:
        result: WorkerResult = play(iteration, simulations)
        result.state["carelessness"][:] = float("nan")
        return result

    actor._worker.play = spoilt


def test_nodes_die_join_and_send_nonsense_and_self_play_goes_on() -> None:
    said: list[str] = []
    with running(head_cpus=1, nodes=1) as cluster:
        _assert_private(cluster)
        workers = started(cluster, said)
        assert workers.count == 2, "one for each core of the cluster"
        assert all(result is not None for result in played(workers, 1))
        names = [name for name in workers.measures() if name.startswith("cluster/speed/")]
        assert len(names) == workers.measures()["cluster/nodes"] == 2

        place = next(place for place, member in enumerate(workers._members) if not member.node.own)
        in_actor(workers, place, slow)
        workers.begin(2, SELFPLAY.simulations)
        (node,) = cluster.started.worker_nodes
        cluster.kill(node)
        alive, dead = workers.collect()
        assert alive is not None
        assert dead is None
        assert workers.replaced == 1
        assert games_of(workers) == SELFPLAY.games, "no game that was there before is lost"

        workers.update(OTHERS)
        (alone,) = [result for result in played(workers, 3) if result is not None]
        assert len(alone.state["known"]) == SELFPLAY.games, "one plays them all"

        cluster.add()
        at = iterate_until(workers, lambda results: sum(one is not None for one in results) == 2, first=4)
        assert games_of(workers) == SELFPLAY.games
        assert len(workers.first_samples) == 3

        place = next(place for place, member in enumerate(workers._members) if member.games)
        in_actor(workers, place, poison)
        assert None in played(workers, at + 1)
        assert workers.refused == 1
        assert any("is not taken in: state.carelessness is out of range" in line for line in said)
        assert any(one is not None for one in played(workers, at + 2))
        assert games_of(workers) == SELFPLAY.games
        workers.stop()
        assert not ray.is_initialized()
    assert all("\n" not in line for line in said)


def _assert_private(cluster: Cluster) -> None:
    """Nobody else can reach it, it asks for a token, and the token is in none of its files."""
    refuse_open(cluster.address)  # an error if it answers
    host, _, port = cluster.address.rpartition(":")
    assert host == "127.0.0.1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))  # nothing is sent; it tells which address the machine has for others
        other = one.getsockname()[0]
    if not other.startswith("127."):
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((other, int(port)), timeout=2)
    token = os.environ.get("RAY_AUTH_TOKEN", "")
    if token:
        session = Path(cluster.started.head_node.get_session_dir_path())
        files = [path for path in session.rglob("*") if path.is_file()]
        assert files
        assert not [path for path in files if token.encode() in path.read_bytes()]


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_a_wish_to_stop_and_an_error_are_heard() -> None:
    said: list[str] = []
    with running(head_cpus=2) as cluster:
        workers = started(cluster, said, count=2)
        played(workers, 1)
        pid = in_actor(workers, 1, lambda actor: os.getpid())
        workers.begin(2, SELFPLAY.simulations)
        os.kill(pid, signal.SIGKILL)
        assert [result is None for result in workers.collect()] == [False, True]
        iterate_until(workers, lambda results: sum(one is not None for one in results) == 2, first=3)
        assert workers.replaced == 1
        assert games_of(workers) == SELFPLAY.games
        in_actor(workers, 0, lambda actor: setattr(actor, "_game", None))
        with pytest.raises(WorkerError, match=r"worker \d+ on .* failed: AssertionError"):
            played(workers, 300)
        workers.stop()

        stopping = StopFlag()
        workers = RayWorkers(job_of(settings()), settings=cluster.settings(), count=1, stopping=stopping)
        workers.start([])
        workers.update(WEIGHTS)
        stopping.set()
        with pytest.raises(Stopped):
            played(workers, 1)
        workers.stop()
        workers.stop()


@pytest.mark.slow
def test_a_quorum_waits_for_most_and_what_is_late_counts_in_the_next_iteration() -> None:
    with running(head_cpus=2) as cluster:
        workers = started(cluster, [], count=2)
        assert None not in played(workers, 1)
        workers._settings.quorum = 0.5  # from here on
        before = [member.state for member in workers._members]
        in_actor(workers, 1, slow)
        workers.begin(500, SELFPLAY.simulations)
        in_time, late = workers.collect()
        assert in_time is not None
        assert late is None
        assert workers.measures()["cluster/late_workers"] == 1
        assert workers.states()[1] is before[1], "a run that is killed now plays that again"
        workers.update(OTHERS)
        workers.begin(501, SELFPLAY.simulations)
        time.sleep(5)
        both = workers.collect()
        assert all(result is not None for result in both) or workers.measures()["cluster/late_workers"] == 1
        caught = [both[1]] if both[1] is not None else []
        while not caught:
            workers.begin(502, SELFPLAY.simulations)
            caught = [one for one in workers.collect()[1:] if one is not None]
        (result,) = caught
        assert result is not None
        assert result.samples is not None
        assert set(result.samples.iteration.tolist()) == {500}, "the result of the iteration it was asked for, once"
        assert workers.measures()["cluster/sample_age"] > 0
        workers.stop()


@pytest.mark.slow
def test_a_node_with_another_version_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.metadata as metadata\n"
        "real = metadata.version\n"
        "metadata.version = lambda name: '1.2.3' if name == 'numpy' else real(name)\n"
    )
    said: list[str] = []
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with running(head_cpus=1) as cluster:
        cluster.add(environment={"PYTHONPATH": path})
        workers = RayWorkers(job_of(settings()), settings=cluster.settings(), say=said.append)
        assert workers.count == 1
        workers.stop()
    (line,) = said
    assert re.search(r"node .* is not used: it has numpy 1\.2\.3 where the run has \d", line)


@pytest.mark.slow
def test_a_cluster_without_a_token_is_joined_only_if_that_is_said() -> None:
    with running(head_cpus=1, mode="disabled") as cluster:
        with pytest.raises(ClusterError, match=r"asks for no token, .* ray\.insecure=true if that is meant"):
            Connection(cluster.settings(), cpus=1)
        connection = Connection(cluster.settings(insecure=True), cpus=1)
        assert connection.address == cluster.address
        connection.close()


@pytest.mark.slow
def test_a_wrong_token_and_an_address_where_nobody_is_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(head_cpus=1) as cluster:
        monkeypatch.setenv("RAY_AUTH_TOKEN", "f" * 64)
        with pytest.raises(ClusterError) as caught:
            Connection(cluster.settings(), cpus=1)
        assert "\n" not in str(caught.value)
        assert "f" * 64 not in str(caught.value)
        monkeypatch.undo()
    with pytest.raises(ClusterError, match=r"no Ray head answers at 127\.0\.0\.1:1"):
        Connection(RaySettings(address="127.0.0.1:1"), cpus=1)
