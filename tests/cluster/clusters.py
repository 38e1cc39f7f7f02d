"""Real clusters of Ray on this machine, each node on the loopback address alone."""

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import pytest

from alphadiamond.cluster.connection import LOOPBACK, _environment
from alphadiamond.settings.cluster import RaySettings

ray = pytest.importorskip("ray", reason="pip install '.[ray]'")

SMALL = 80 * 1024 * 1024
"""Bytes of a node's object store; less is refused."""


class Cluster:
    """A head, which may have no core for workers, and nodes that come and go."""

    def __init__(self, *, head_cpus: int, mode: str = "token") -> None:
        from ray.cluster_utils import Cluster as Started

        with as_if_alone(mode):
            self._mode = mode
            self.started = Started(
                initialize_head=True, head_node_args={"num_cpus": head_cpus, "include_dashboard": False, **_HERE}
            )
        self.address = str(self.started.address)

    def add(self, *, cpus: int = 1, environment: dict[str, str] | None = None) -> Any:
        with as_if_alone(self._mode), pytest.MonkeyPatch.context() as patch:
            for name, value in (environment or {}).items():
                patch.setenv(name, value)
            return self.started.add_node(num_cpus=cpus, wait=True, **_HERE)

    def kill(self, node: Any) -> None:
        """As when its plug is pulled."""
        node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
        self.started.worker_nodes.discard(node)

    def kill_head(self) -> None:
        self.started.head_node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)

    def stop(self) -> None:
        if ray.is_initialized():
            ray.shutdown()
        self.started.shutdown()

    def settings(self, **changes: Any) -> RaySettings:
        return RaySettings(**{"address": self.address, **changes})


_HERE = {"node_ip_address": LOOPBACK, "object_store_memory": SMALL}


@contextlib.contextmanager
def as_if_alone(mode: str = "token") -> Iterator[None]:
    """The environment of Ray on this machine alone; with a token that nothing else knows."""
    with _environment(RaySettings(address="local")):
        os.environ["RAY_AUTH_MODE"] = mode
        yield


@contextlib.contextmanager
def running(*, head_cpus: int = 1, nodes: int = 0, mode: str = "token") -> Iterator[Cluster]:
    cluster = Cluster(head_cpus=head_cpus, mode=mode)
    try:
        for _ in range(nodes):
            cluster.add()
        yield cluster
    finally:
        cluster.stop()
