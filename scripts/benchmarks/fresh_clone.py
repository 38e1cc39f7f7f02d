"""A newcomer's first minutes: a fresh clone, no environment, empty caches, then `make train` until its first iteration.

Packages and kernels are counted, since seconds are those of this machine and of what it fetches packages from.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.rates import Row

_ROOT = Path(__file__).parents[2]
_FOREIGN = ("VIRTUAL_ENV", "PYTHONPATH", "CONDA_PREFIX", "NUMBA_CACHE_DIR", "MAKEFLAGS", "MAKELEVEL")
_LONGEST = 1800.0


def measure() -> list[Row]:
    if not all(map(shutil.which, ("git", "make"))):
        print("a fresh clone is not measured: it takes git and make")
        return []
    with tempfile.TemporaryDirectory(prefix="fresh-clone-") as directory:
        return _rows(Path(directory))


def _rows(room: Path) -> list[Row]:
    clone, log = room / "clone", room / "kernels"
    subprocess.run(["git", "clone", "-q", str(_ROOT), str(clone)], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    environment |= {f"XDG_{kind}_HOME": str(room / kind.lower()) for kind in ("CACHE", "DATA", "STATE")}
    environment["ALPHADIAMOND_KERNEL_LOG"] = str(log)
    marks = {
        "installing": clone / ".venv" / ".installed-run",
        "compiling": clone / "runs" / "laptop" / "lock",
        "first": clone / "runs" / "laptop" / "metrics.jsonl",
    }
    started = time.monotonic()
    seconds: dict[str, float] = {}
    with (room / "said").open("w") as said:
        process = subprocess.Popen(
            ["make", "train"], cwd=clone, env=environment, stdout=said, stderr=said, start_new_session=True
        )
        try:
            while len(seconds) < len(marks) and time.monotonic() - started < _LONGEST:
                if process.poll() is not None:
                    last = (room / "said").read_text().strip().rpartition("\n")[2]
                    print(f"a fresh clone is not measured: make train ended with {last}")
                    return []
                for name, path in marks.items():
                    if name not in seconds and path.exists() and (name != "first" or path.stat().st_size):
                        seconds[name] = time.monotonic() - started
                time.sleep(0.1)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    if len(seconds) < len(marks):
        print(f"a fresh clone is not measured: no iteration within {_LONGEST:.0f} s")
        return []
    listed = [str(clone / ".venv/bin/python"), "-m", "pip", "list", "--format=freeze"]
    packages = subprocess.run(listed, capture_output=True, text=True, env=environment).stdout.count("==")
    kernels = sum(line.startswith("compiled ") for line in log.read_text().splitlines())
    return [
        Row("fresh clone: packages that make train installs", float(packages), "packages"),
        Row("fresh clone: installing them", seconds["installing"], "s"),
        Row("fresh clone: kernels that it compiles", float(kernels), "kernels"),
        Row("fresh clone: compiling them", seconds["compiling"] - seconds["installing"], "s"),
        Row("fresh clone: make train, to the end of the first iteration", seconds["first"], "s"),
    ]
