"""A run notices at once that Ray on its machine is gone: here a plain listener stands where Ray listens."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

LISTENER = """if True:
    import socket
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    while True:
        one, _ = server.accept()
        one.sendall(b"settings")  # as gRPC does
        kept = globals().setdefault("kept", []).append(one)
"""

DRIVER = """if True:
    import sys, threading, types
    from alphadiamond.cluster.connection import _ExitReporter, _Heartbeat
    address = f"127.0.0.1:{sys.argv[1]}"
    heartbeat = _Heartbeat(address, address, patience=1000.0)
    ray = types.SimpleNamespace(is_initialized=lambda: sys.argv[2] == "joined")
    heartbeat.hold(ray, _ExitReporter(heartbeat.line, address))
    print("held", flush=True)
    sys.stdin.read()
    print("lost" if heartbeat.lost else "there")
"""


def driven(state: str) -> tuple[int, str, str]:
    """(exit code, output, errors) of a driver beside which the listener is killed."""
    with subprocess.Popen([sys.executable, "-c", LISTENER], stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout is not None
        port = listener.stdout.readline().strip()
        command = [sys.executable, "-c", DRIVER, port, state]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, text=True, cwd=ROOT, **pipes) as driver:  # type: ignore[call-overload]
            assert driver.stdout.readline() == "held\n"
            if state == "joined":
                listener.kill()
                driver.wait()  # nobody has asked it to end
            out, errors = driver.communicate()
            listener.kill()
    return driver.returncode, out, errors


def test_a_process_whose_ray_is_killed_ends_with_one_line_and_its_own_exit_code() -> None:
    code, _, errors = driven("joined")
    assert code == 2
    (line,) = errors.splitlines()
    assert line.startswith("error: the Ray cluster at 127.0.0.1:")
    assert line.endswith("is gone; start it again and go on with resume=RUN")


def test_a_connection_that_is_held_while_ray_is_there_disturbs_nobody() -> None:
    code, out, errors = driven("left")
    assert (code, out, errors) == (0, "there\n", "")
