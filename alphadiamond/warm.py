"""Compile every kernel ahead, on all cores: `python -m alphadiamond.warm`, which `make setup` runs.

A package names what to compile in its `warming.py`: each public function there is a small piece of real work, so that
kernels are compiled for exactly the arguments with which they are used. What was done is noted beside the compiled
code, with a digest of the sources and the files it left; where nothing has changed and no file is gone there is nothing
to do, and finding that out takes a tenth of a second. `tests/test_warm.py` fails when real work finds a kernel that was
not compiled ahead.
"""

import ast
import contextlib
import importlib
import importlib.metadata
import io
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from alphadiamond.console import count_of, duration, progress
from alphadiamond.files import cache_directory, write_text
from alphadiamond.sources import PACKAGE, digest_of, sources_of

NAME = "warming.py"


@dataclass(frozen=True)
class WarmUp:
    """One piece of work."""

    module: str
    function: str
    title: str


@dataclass(frozen=True)
class Done:
    """What one piece of work came to."""

    compiled: int
    files: frozenset[str]
    """In the cache."""
    fault: str = ""


def warming_files() -> list[Path]:
    """The packages' lists, those that stand on the fewest sources first, since others build on them."""
    return sorted(PACKAGE.rglob(NAME), key=lambda path: (len(sources_of(path)), path))


def warm_ups(file: Path) -> list[WarmUp]:
    """The public functions of a list, with the first line of what they say of themselves."""
    module = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
    return [
        WarmUp(module, node.name, (ast.get_docstring(node) or node.name).split("\n")[0].rstrip("."))
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]


def stale_files() -> list[Path]:
    """The lists whose work has to be done: sources have changed, or compiled files are gone."""
    return [file for file in warming_files() if not _is_done(file)]


def files_ahead() -> set[str]:
    """What lies in the cache because it was compiled ahead, and not because somebody has needed it."""
    return {path for file in warming_files() for path in json.loads(_note(file).read_text())}


def warm() -> int:
    """Do what has to be done, with progress on standard error; returns how many kernels were compiled."""
    stale = stale_files()
    if not stale:
        return 0
    started = time.monotonic()
    jobs = {job: file for file in stale for job in warm_ups(file)}
    cores = _cores()
    print(f"compiling for this machine, once, on {count_of(cores, 'core')} (about a minute)", file=sys.stderr)
    compiled, faults = 0, list[str]()
    files: dict[Path, set[str]] = {file: set() for file in stale}
    with progress("compiling", len(jobs)) as update:
        for number, (job, done) in enumerate(_run(list(jobs), cores), start=1):
            compiled += done.compiled
            files[jobs[job]] |= done.files
            if done.fault:
                faults.append(f"{job.title}: {done.fault}")
            update(number, job.title)
    for fault in faults:
        print(f"not compiled ahead, so when it is needed: {fault}", file=sys.stderr)
    if not faults:
        with contextlib.suppress(OSError):
            for file in stale:
                write_text(_note(file), json.dumps(sorted(files[file])))
    print(f"compiled {count_of(compiled, 'kernel')} in {duration(time.monotonic() - started)}", file=sys.stderr)
    return compiled


def _run(jobs: list[WarmUp], cores: int) -> Iterator[tuple[WarmUp, Done]]:
    """Each piece of work with what came of it, as they are done; a process each, so that we see what each needs."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        min(cores, len(jobs)), mp_context=context, initializer=_begin, max_tasks_per_child=1
    ) as pool:
        futures = {pool.submit(perform, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except Exception as error:  # the process has died
                yield futures[future], Done(0, frozenset(), f"{type(error).__name__}: {error}")


def _begin() -> None:
    from alphadiamond.base.compiling import wait_for_others

    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    wait_for_others()


def perform(job: WarmUp) -> Done:
    """Do one piece of work in this process."""
    from alphadiamond.base.compiling import compilations, files_used

    before = compilations()
    fault = ""
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the work's own progress is nobody's business here
            getattr(importlib.import_module(job.module), job.function)()
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    return Done(compilations() - before, frozenset(str(path) for path in files_used()), fault)


def _note(file: Path) -> Path:
    """Where it is noted that a list is done: for these sources, this numba, this Python and this machine."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) if chosen else cache_directory() / "numba"
    module = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    made = f"{digest_of(file)}-numba{importlib.metadata.version('numba')}-{python}-{platform.node()}"
    return root / "warm" / f"{module}-{made}.json"


def _is_done(file: Path) -> bool:
    try:
        return all(os.path.exists(path) for path in json.loads(_note(file).read_text()))
    except (OSError, ValueError):
        return False


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    warm()
