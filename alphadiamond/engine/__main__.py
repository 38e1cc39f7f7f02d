"""The engine as `alphadiamond.engine.workers` starts it: settings as one argument, and gone when its input ends."""

import contextlib
import json
import os
import signal
import sys


def main() -> None:
    from alphadiamond.engine.engine import run
    from alphadiamond.engine.settings import EngineSettings

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever has started it
    arguments = json.loads(sys.argv[1])
    nice = arguments.pop("nice")
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(nice)
    run(EngineSettings(**arguments), end_at_once=True)


if __name__ == "__main__":
    main()
