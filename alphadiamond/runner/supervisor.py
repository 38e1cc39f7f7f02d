"""Runs another program and ends it, with all that it has started, when whoever wanted it is gone, killed or not.

Started by its path: a pipe's number, then the command. The pipe's other end is held by whoever wants the program, so
that reading from it ends when they do. It imports nothing of the project, so that it is there at once.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading


def end_with(pipe: int) -> None:
    os.read(pipe, 1)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    pipe, command = int(sys.argv[1]), sys.argv[2:]
    threading.Thread(target=end_with, args=(pipe,), daemon=True).start()
    try:
        program = subprocess.Popen(command)
    except OSError as error:
        sys.exit(f"{command[0]} cannot be started: {error.strerror}")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # they are the program's: when it closes them they are closed
        os.dup2(nowhere, stream)
    code = program.wait()
    if code < 0:
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 1)


if __name__ == "__main__":
    main()
