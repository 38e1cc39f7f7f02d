"""Processes that work for another."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from alphadiamond.base import processes
from alphadiamond.base.processes import ONE_THREAD, Process, cause_of, shared_numbers, told

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("cold")


def say_environment(connection: "Connection[Any, Any]", numbers: Any) -> None:
    numbers[0] = 7
    connection.send({name: os.environ.get(name) for name in ONE_THREAD})
    connection.send(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
    connection.recv()


def sleep_on(connection: "Connection[Any, Any]") -> None:
    connection.send(os.getpid())
    time.sleep(600)


def test_a_process_has_one_thread_shares_numbers_and_is_deaf_to_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_PATIENCE_SECONDS", 60)  # a busy machine must not have it killed
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    before, numbers = dict(os.environ), shared_numbers(2)
    process = Process(say_environment, numbers)
    assert dict(os.environ) == before
    assert process.receive() == ONE_THREAD
    assert process.receive() is True
    os.kill(process.pid, signal.SIGINT)
    assert process.is_alive
    assert list(numbers) == [7, 0]
    assert process.end() == 0, "one that waits for orders ends by itself"
    assert not process.send("anybody there?")


def test_one_that_is_killed_is_noticed_and_one_that_is_busy_is_ended() -> None:
    process, busy = Process(sleep_on), Process(sleep_on)
    assert busy.receive() == busy.pid
    process.receive()
    os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(EOFError):
        process.receive()
    assert cause_of(process.end()) == "SIGKILL"
    assert cause_of(busy.end()) == "SIGKILL"
    assert cause_of(3) == "exit code 3"


def test_processes_are_gone_when_whoever_started_them_is_killed() -> None:
    code = (
        "import time\n"
        "from alphadiamond.base.processes import Process\n"
        "from tests.base.test_processes import sleep_on\n"
        "if __name__ == '__main__':\n"
        "    print(Process(sleep_on).receive(), flush=True)\n"
        "    time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(600):
        if not _runs(pid):
            break
        time.sleep(0.05)
    assert not _runs(pid)


def test_an_error_is_told_in_one_line_with_where_it_was() -> None:
    try:
        raise ValueError("many\nlines " + 100 * "of words ")
    except ValueError as error:
        line = told(error)
    assert line.startswith("ValueError: many lines of words")
    assert "[...] (test_processes.py:" in line
    assert "\n" not in line


def _runs(pid: int) -> bool:
    """Whether a process is there and not only waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
