"""Starting Ray on this machine or joining a cluster, safely, and noticing when it is gone.

Ray trusts whoever has the cluster's token: they can run anything on all of its machines. So a token is always asked
for, Ray that we start ourselves listens on the loopback address alone, and a cluster that asks for no token is not
joined unless a person says so. A token never reaches a log, a command line or the run directory.
"""

import atexit
import contextlib
import importlib
import importlib.util
import ipaddress
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import VARIABLE, outside_games
from alphadiamond.settings.cluster import RaySettings

LOOPBACK: Final = "127.0.0.1"
OLDEST: Final = (2, 59)
"""The first version of Ray whose own clusters ask for a token by default."""

_LOOPBACK_ONLY = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # 0: Ray takes the loopback address for its own, on any system
_MODE, _TOKEN, _TOKEN_FILE = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
_RECONNECT = "RAY_gcs_rpc_server_reconnect_timeout_s"  # after it Ray ends the process, in whose middle whatever is
_RECONNECT_SECONDS = 600
_NICENESS = "RAY_worker_niceness"  # 15 if nobody says: beside other work, a learner's too, workers would hardly play
_LOOK_EVERY = 1.0
_LAST_SECONDS = 5
HEAD_PATIENCE: Final = 10.0
"""Seconds that a head may be out of reach before it counts as gone."""
_CONNECT_SECONDS = 3.0


class ClusterError(AlphaDiamondError):
    """A cluster that cannot be used, or that is gone."""


class Connection:
    """This process as a driver of Ray, until it is closed."""

    def __init__(self, settings: RaySettings, *, cpus: int, patience: float = HEAD_PATIENCE) -> None:
        """`cpus`: how many workers Ray shall take this machine to have room for, if it is started here."""
        self.ray = import_ray()
        self._directory: Path | None = None
        if self.ray.is_initialized():
            raise ClusterError("this process is part of a Ray cluster already")
        with _environment(settings):
            self._connect(settings, cpus)
        own = self.own_node
        self.address = str(self.ray.get_runtime_context().gcs_address)
        raylet = f"{own['NodeManagerAddress']}:{own['NodeManagerPort']}"
        self._heartbeat = _Heartbeat(self.address, raylet, patience)
        self._node_poller = _NodePoller(self.ray, self._heartbeat)
        self._exit_reporter = _ExitReporter(self._heartbeat.line, raylet)
        self._heartbeat.hold(self.ray, self._exit_reporter)

    @property
    def own_node(self) -> dict[str, Any]:
        """What Ray knows of this machine."""
        mine = self.ray.get_runtime_context().get_node_id()
        found: dict[str, Any] = next(node for node in self.ray.nodes() if node["NodeID"] == mine)
        return found

    def nodes(self, *, now: bool = False) -> list[dict[str, Any]]:
        """What Ray knows of its nodes, a second ago or `now`; an error if it is gone."""
        return self._node_poller.nodes(now=now)

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Around what needs Ray's head and waits for it: if it is gone for good, this process ends with a line.

        There is no other way out of such a wait, and what a run has saved is whole at any moment.
        """
        self._heartbeat.asking = True
        try:
            yield
        finally:
            self._heartbeat.asking = False

    @property
    def lost(self) -> bool:
        """Whether Ray's head, or its part on this machine, is gone."""
        return self._heartbeat.lost

    def check(self) -> None:
        """Raise an error of one line if it is; to be called before whatever touches Ray's object store, since a process
        that does so when the store is gone is ended by Ray, without a word."""
        self._heartbeat.look_here()
        if self.lost:
            raise ClusterError(self._heartbeat.line)

    def close(self) -> None:
        """Leave the cluster, or end it if it was started here; may be called twice, and after it is gone."""
        self._heartbeat.stopping.set()
        self._exit_reporter.spare()
        if self.lost:
            # Ray would wait for its head for minutes; what there is of it here is ended without asking it.
            self._abandon()
        elif self.ray.is_initialized():
            self.ray.shutdown()
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)

    def _connect(self, settings: RaySettings, cpus: int) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"} | _games_from_elsewhere()
        _hush()
        try:
            if settings.address == "local":
                # A directory of our own: Ray's is open to everybody on this machine, and is never emptied.
                self._directory = Path(tempfile.mkdtemp(prefix="alphadiamond-"))
                own = {"_node_ip_address": LOOPBACK, "_temp_dir": str(self._directory), "num_cpus": cpus}
                self.ray.init(address="local", include_dashboard=settings.dashboard, **own, **quiet)
                if not is_loopback(host := str(self.own_node["NodeManagerAddress"])):
                    self.ray.shutdown()
                    raise ClusterError(f"Ray would listen on {host} and not on the loopback address alone: not started")
                return
            address = self._address(settings.address)
            if not settings.insecure:
                refuse_open(address)
            self.ray.init(address=address, **quiet)
        except ClusterError:
            raise
        except Exception as error:
            raise ClusterError(_reason(error, settings.address)) from None

    def _address(self, address: str) -> str:
        """The head's host and port."""
        services = importlib.import_module("ray._private.services")
        found = services.canonicalize_bootstrap_address(address)
        if found is None:
            raise ClusterError("ray.address=auto: this machine is part of no Ray cluster; `ray start` makes it one")
        return str(found)

    def _abandon(self) -> None:
        worker: Any = importlib.import_module("ray._private.worker")
        node = getattr(worker, "_global_node", None)
        for registered in (worker.shutdown, getattr(self.ray, "shutdown", None)):
            if registered is not None:
                atexit.unregister(registered)
        with contextlib.suppress(Exception):
            if self._directory is not None and node is not None:  # we have started it
                node.kill_all_processes(check_alive=False, allow_graceful=False)
        atexit.register(_leave)


def _leave() -> None:
    """End this process before its threads of Ray, which still wait for the head, crash it on the way out."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(2)


def import_ray() -> Any:
    """The package, or an error that says how to get it."""
    if importlib.util.find_spec("ray") is None:
        raise ClusterError("engine=ray needs Ray: pip install '.[ray]'")
    for name, value in {"RAY_DEDUP_LOGS": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}.items():
        os.environ.setdefault(name, value)
    ray = importlib.import_module("ray")
    version = str(ray.__version__)
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise ClusterError(f"Ray {version} is too old: pip install 'ray>={OLDEST[0]}.{OLDEST[1]}'")
    return ray


def is_loopback(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def refuse_open(address: str) -> None:
    """Raise an error if the head at this address answers somebody without a token."""
    grpc = importlib.import_module("grpc")
    messages = importlib.import_module("ray.core.generated.gcs_service_pb2")
    services = importlib.import_module("ray.core.generated.gcs_service_pb2_grpc")
    with grpc.insecure_channel(address) as channel:
        try:
            services.NodeInfoGcsServiceStub(channel).GetAllNodeInfo(
                messages.GetAllNodeInfoRequest(), timeout=_CONNECT_SECONDS
            )
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.UNAUTHENTICATED:
                return
            raise ClusterError(f"no Ray head answers at {address} ({error.code().name.lower()})") from None
    raise ClusterError(
        f"the Ray cluster at {address} asks for no token, so that anybody who reaches it can run anything on it: "
        "start it with RAY_AUTH_MODE=token, or say ray.insecure=true if that is meant"
    )


@contextlib.contextmanager
def _environment(settings: RaySettings) -> Any:
    """What Ray reads while it starts or joins: authentication and addresses.

    Processes that Ray starts inherit it; this process keeps only the mode and the token.
    """
    local = settings.address == "local"
    host = settings.address.rpartition(":")[0]
    here = local or is_loopback(host)
    before = {name: os.environ.get(name) for name in (_LOOPBACK_ONLY, _RECONNECT, _NICENESS)}
    if not settings.insecure:
        os.environ[_MODE] = "token"
    if local and not (os.environ.get(_TOKEN) or os.environ.get(_TOKEN_FILE) or _default_token().is_file()):
        os.environ[_TOKEN] = secrets.token_hex(32)  # for this process and those it starts, nowhere on disk
    if here:
        os.environ[_LOOPBACK_ONLY] = "0"
    os.environ[_RECONNECT] = str(_RECONNECT_SECONDS)
    os.environ.setdefault(_NICENESS, "0")
    constants: Any = importlib.import_module("ray._private.ray_constants")
    cluster_before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = not here and cluster_before  # read once, when Ray was imported
    _refresh()
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = cluster_before
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _games_from_elsewhere() -> dict[str, Any]:
    """What Ray's processes have to know of games that are no part of the package: their places, and the directories
    that they lie in, which every machine has at the same path unless they are installed there."""
    places = outside_games()
    directories = dict.fromkeys(place.partition("@")[2] for place in places.values() if "@" in place)
    if not places:
        return {}
    path = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), *directories])
    return {"runtime_env": {"env_vars": {VARIABLE: os.environ[VARIABLE], "PYTHONPATH": path}}}


def _default_token() -> Path:
    return Path.home() / ".ray" / "auth_token"


def _refresh() -> None:
    """Let Ray read its environment again: it does so once, when it is imported."""
    raylet = importlib.import_module("ray._raylet")
    raylet.Config.initialize("")
    raylet.AuthenticationTokenLoader.instance().reset_cache()


def _hush() -> None:
    """Ray's notices about its own processes go to its logs; what they mean for a run we say ourselves, in a line."""
    worker: Any = importlib.import_module("ray._private.worker")
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None


def _reason(error: Exception, address: str) -> str:
    """Why a cluster could not be joined, without anything that Ray might quote."""
    if type(error).__name__ == "AuthenticationError" or "authentication token" in str(error).lower():
        hint = "give this machine the cluster's token, in ~/.ray/auth_token or RAY_AUTH_TOKEN_PATH"
        return f"ray.address={address}: the cluster does not accept this machine's token; {hint}"
    told = str(error).strip().splitlines()[:1]
    return f"ray.address={address}: {type(error).__name__}{f': {told[0]}' if told else ''}"


class _Heartbeat:
    """Looks whether Ray still answers, from a thread of its own: Ray itself waits for minutes, or for ever."""

    def __init__(self, head: str, here: str, patience: float) -> None:
        """`here` is the address of Ray on this machine, which cannot come back as a head may."""
        self._head, self._here = _parts(head), _parts(here)
        self._patience = patience
        self.line = f"the Ray cluster at {head} is gone; start it again and go on with resume=RUN"
        self.stopping = threading.Event()
        self.lost = False
        self.asking = False
        """Whether somebody waits for an answer of the head at this moment."""
        threading.Thread(target=self._look, name="ray heartbeat", daemon=True).start()

    def look_here(self) -> None:
        if not self.stopping.is_set() and not _answers(*self._here):
            self.lost = True

    def hold(self, ray: Any, exit_reporter: "_ExitReporter") -> None:
        """Hold a connection to Ray on this machine, and end this process as soon as it breaks and nobody answers.

        To ask before each use is not enough: when the store is gone by the time it is used, Ray ends this process with
        an exit code of its own. What a run has saved is whole at any moment.
        """

        def wait() -> None:
            while not self.stopping.is_set():
                with contextlib.suppress(OSError), socket.create_connection(self._here, _CONNECT_SECONDS) as held:
                    held.settimeout(None)
                    while held.recv(4096):  # until it closes the connection, or is killed
                        pass
                if not self.stopping.is_set() and not _answers(*self._here):
                    self.lost = True
                    if not ray.is_initialized():  # left meanwhile
                        return
                    exit_reporter.spare()
                    print(f"error: {self.line}", file=sys.stderr, flush=True)
                    os._exit(2)
                self.stopping.wait(_LOOK_EVERY)

        threading.Thread(target=wait, name="ray here", daemon=True).start()

    def _look(self) -> None:
        answered = time.monotonic()
        while not self.stopping.wait(_LOOK_EVERY):
            began = time.monotonic()
            self.look_here()
            if _answers(*self._head):
                answered = time.monotonic()
            elif began - answered > self._patience:
                self.lost = True
            if self.lost:
                break
        asked = 0
        while not self.stopping.wait(_LOOK_EVERY) and self.lost:
            asked = asked + 1 if self.asking else 0
            if asked > _LAST_SECONDS:
                print(f"error: {self.line}", file=sys.stderr, flush=True)
                os._exit(2)


class _NodePoller:
    """Asks Ray for its nodes again and again, from a thread of its own: when the head is gone, no answer comes."""

    def __init__(self, ray: Any, heartbeat: _Heartbeat) -> None:
        self._ray = ray
        self._heartbeat = heartbeat
        self._found: list[dict[str, Any]] = ray.nodes()
        self._asked = time.monotonic()
        self._wanted = threading.Event()
        threading.Thread(target=self._ask, name="ray nodes", daemon=True).start()

    def nodes(self, *, now: bool) -> list[dict[str, Any]]:
        since = time.monotonic()
        self._wanted.set()
        while now and self._asked < since and not self._heartbeat.stopping.is_set():
            if self._heartbeat.lost:
                raise ClusterError(self._heartbeat.line)
            time.sleep(0.005)
        return self._found

    def _ask(self) -> None:
        while not self._heartbeat.stopping.is_set():
            self._wanted.wait(_LOOK_EVERY)
            self._wanted.clear()
            asked = time.monotonic()
            try:
                self._found = self._ray.nodes()
            except Exception:  # Ray has been shut down meanwhile
                if self._heartbeat.stopping.wait(_LOOK_EVERY):
                    return
            self._asked = asked


class _ExitReporter:
    """A small process that says the line if Ray ends this one, which it does without asking when its part on this
    machine is gone."""

    _CODE = """if True:
        import signal, socket, sys
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        line, host, port = sys.argv[1:]
        if not sys.stdin.buffer.read():
            try:
                socket.create_connection((host, int(port)), timeout=3).close()
            except OSError:
                print(f"error: {line}", file=sys.stderr, flush=True)
    """

    def __init__(self, line: str, here: str) -> None:
        host, port = _parts(here)
        command = [sys.executable, "-I", "-S", "-c", self._CODE, line, host, str(port)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)

    def spare(self) -> None:
        """This process goes on or ends in its own time."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(b".")
            self._process.stdin.close()
        self._process.wait()


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def _answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=_CONNECT_SECONDS):
            return True
    except OSError:
        return False
