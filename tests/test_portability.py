"""Every module and the commands work without what only Unix has.

No Windows is at hand here. Where the project's own code imports `os` or `signal` it is given one without the names that
Windows lacks, and `fcntl`, `resource` and their like are not to be found; libraries see the system as it is. Processes
that are started inherit this, so that workers, engines and servers live with it too.
"""

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

AS_ON_WINDOWS = """
import builtins, sys, types

HIDDEN = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix", "syslog", "readline"}
LACKING = {
    "os": {"fork", "forkpty", "killpg", "getpgid", "getpgrp", "setpgid", "setsid", "nice", "getpriority", "setpriority",
           "sched_getaffinity", "sched_setaffinity", "sysconf", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK",
           "getuid", "geteuid", "getgid", "uname", "wait", "wait3", "wait4", "mkfifo", "register_at_fork", "fchmod",
           "chown", "lchown", "getloadavg", "set_blocking", "get_blocking", "sync", "pipe2", "posix_spawn", "eventfd"},
    "signal": {"SIGKILL", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGALRM", "SIGSTOP", "SIGCONT",
               "SIGPIPE", "pthread_sigmask", "pthread_kill", "alarm", "setitimer", "sigwait", "SIG_BLOCK"},
}
INSTEAD = {"os": {"name": "nt"}, "signal": {}}


class Lacking(types.ModuleType):
    def __init__(self, module):
        super().__init__(module.__name__)
        self.__dict__["_module"] = module

    def __getattr__(self, name):
        module = self.__dict__["_module"]
        if name in INSTEAD[module.__name__]:
            return INSTEAD[module.__name__][name]
        if name in LACKING[module.__name__]:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} on Windows")
        return getattr(module, name)


real, proxies = builtins.__import__, {}


def as_on_windows(name, globals=None, locals=None, fromlist=(), level=0):
    found = real(name, globals, locals, fromlist, level)
    importer = (globals or {}).get("__name__") or ""
    if importer.partition(".")[0] == "alphadiamond":
        top = name.partition(".")[0]
        if top in HIDDEN:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)
        if name in LACKING:
            return proxies.setdefault(name, Lacking(found))
    return found


builtins.__import__ = as_on_windows
"""


@pytest.fixture
def windows(tmp_path: Path) -> dict[str, str]:
    """The environment of processes that live as on Windows."""
    (tmp_path / "sitecustomize.py").write_text(AS_ON_WINDOWS)
    path = os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path}


def run(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


SMALL = (
    *("profile=smoke", "game=dame", "workers=1", "model.width=3", "model.blocks=1", "selfplay.games=8"),
    *("selfplay.rounds=8", "gate.max_pairs=1", "evaluation.baselines=[random]", "evaluation.pairs=1", "plot=false"),
    *("evaluation.earlier_pairs=1", "replay.smallest=8"),
)

IMPORT_AND_CLAIM = """if True:
    import importlib, os, pkgutil, signal, sys
    from pathlib import Path
    import alphadiamond
    from alphadiamond.base import processes
    assert processes.os.name == "nt" and processes.KILL == signal.SIGTERM
    names = [module.name for module in pkgutil.walk_packages(alphadiamond.__path__, "alphadiamond.")]
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    print(len(names))

    from alphadiamond.settings import memory
    assert memory.machine() > 1 << 28

    from alphadiamond.training.rundir import RunDirectory, RunError
    run = RunDirectory(Path(sys.argv[1]) / "run")
    with run.locked():
        try:
            with RunDirectory(run.path).locked():
                raise AssertionError("two hold it")
        except RunError as error:
            assert f"in use by process {os.getpid()}" in str(error)
    assert not run.path.exists()

    from alphadiamond.server.main import _raise_file_limit
    _raise_file_limit()
"""


def test_every_module_is_imported_and_locks_and_limits_work_without_what_only_unix_has(
    tmp_path: Path, windows: dict[str, str]
) -> None:
    assert int(run(windows, "-c", IMPORT_AND_CLAIM, str(tmp_path)).split()[-1]) > 300


def test_the_tests_would_notice_a_module_that_needs_unix(windows: dict[str, str]) -> None:
    """What is hidden is hidden from the project, and from nobody else."""
    code = """if True:
        import fcntl, os
        assert os.name == "posix"
        space = {"__name__": "alphadiamond.probe"}
        for line in ("import fcntl", "import resource", "import signal; signal.SIGKILL", "import os; os.killpg"):
            try:
                exec(line, dict(space))
            except (ImportError, AttributeError):
                continue
            raise AssertionError(line)
        exec("import os, signal; assert os.name == 'nt'; signal.SIGTERM; os.kill", dict(space))
    """
    run(windows, "-c", code)


def test_every_process_is_spawned() -> None:
    """Windows has no other way, and macOS none that is safe: whoever wants a pool or a process says so."""
    for path in sorted((ROOT / "alphadiamond").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                assert ast.unparse(node) not in ("multiprocessing.Process", "multiprocessing.Pool"), path.name
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("get_context"):
                assert [ast.unparse(one) for one in node.args] == ["'spawn'"], path.name
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("ProcessPoolExecutor"):
                assert "mp_context" in {one.arg for one in node.keywords}, path.name


def test_text_is_read_and_written_as_utf_8() -> None:
    """On Windows the default is another."""
    for path in [*sorted((ROOT / "alphadiamond").rglob("*.py")), ROOT / "setup.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                named = "encoding" in {one.arg for one in node.keywords}
                if node.func.attr == "read_text":
                    assert named or node.args, f"{path.name}:{node.lineno}"
                if node.func.attr == "write_text" and isinstance(node.func.value, ast.Name | ast.BinOp):
                    assert named or len(node.args) > 1, f"{path.name}:{node.lineno}"


@pytest.mark.slow
def test_a_run_is_made_stopped_resumed_shown_and_rated(tmp_path: Path, windows: dict[str, str]) -> None:
    place = tmp_path / "run"
    command = [sys.executable, "scripts/train.py", *SMALL, f"run={place}", "iterations=100000"]
    with subprocess.Popen(command, cwd=ROOT, env=windows, stdout=subprocess.DEVNULL) as process:
        while not (place / "state-000002.pt").exists():
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 128 + signal.SIGTERM
    done = int(max(place.glob("state-*.pt")).stem.split("-")[1])
    assert "going on after" in run(windows, "scripts/train.py", f"resume={place}", f"iterations={done + 1}")
    assert "Dame" in run(windows, "scripts/show.py", str(place))
    run(windows, "scripts/rate.py", "game=dame", f"runs=[{place}]", "pairs=1", f"output={tmp_path}/rating")


@pytest.mark.slow
def test_players_window_and_server_work(tmp_path: Path, windows: dict[str, str]) -> None:
    match = ("players=[greedy,minimax:depth=2]", "games=2", "workers=2", f"output={tmp_path}/out")
    run(windows, "scripts/evaluate.py", "game=connect_four", *match)
    run(windows, "scripts/play.py", "headless=true", "first=minimax:depth=2", "second=greedy", "frames=60")
    run(windows, "scripts/serve.py", "port=0", f"directory={tmp_path}/online", "seconds=1")
