"""Compile kernels ahead, on all cores: before a command begins, those that it needs; by `make setup`, all.

A package names what to compile in its own `precompile.py`: each public function there is a small piece of real work, so
that kernels are compiled for exactly the arguments with which they are used; one that takes the name of a game is a
piece of work for each game. What was done is noted beside the compiled code, with a digest of the sources and the files
it left; where nothing has changed and no file is gone there is nothing to do: a tenth of a second tells.
`tests/test_precompile.py` fails when real work finds a kernel that was not compiled ahead.
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
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from alphadiamond.base.threads import available_cores
from alphadiamond.console import count_of, duration, progress
from alphadiamond.files import cache_directory, write_text
from alphadiamond.sources import PACKAGE, digest_of, sources_of

NAME = "precompile.py"

_GAME: Final = ("games.{game}", "games.arrays")
_MATCHES: Final = ("search", "network", "agents", "games.{game}.players", "arena", *_GAME)
_TRAINING: Final = ("search", "network", "agents.minimax", "agents.rollouts", "training.iteration")
NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "train": _TRAINING,
    "rate": (*_TRAINING, *_GAME),
    "play": _MATCHES,
    "serve": _MATCHES,
    "evaluate": _MATCHES,
    "analyse": _MATCHES,
    "engine": _MATCHES,
    "solve": ("games.{game}", "games.{game}.solver"),
    **dict.fromkeys(
        ("compare_models", "compare_runs", "compare_searches", "sample_quality", "scaling", "search_gain"),
        (*_TRAINING, *_MATCHES),
    ),
}
"""What a command waits for, of its game: pieces of work by name or all of a package, those that take longest first.
What is not here, and what only some settings need, is compiled when it is used."""


@dataclass(frozen=True)
class PrecompileJob:
    """One piece of work."""

    file: Path
    """The list that names it."""
    function: str
    title: str
    game: str = ""
    """For which game it is done; empty: for none in particular."""

    @property
    def module(self) -> str:
        return ".".join(self.file.relative_to(PACKAGE.parent).with_suffix("").parts)

    @property
    def package(self) -> str:
        """Without the name of the whole: `games.dame.solver`."""
        return ".".join(self.file.parent.relative_to(PACKAGE).parts)

    def digest(self) -> str:
        """Of all sources that it depends on."""
        own = digest_of(self.file)
        return f"{own}-{digest_of(_game_file(self.game))}" if self.game else own


@dataclass(frozen=True)
class Done:
    """What one piece of work came to."""

    compiled: int
    files: frozenset[str]
    """In the cache."""
    fault: str = ""


def precompile_files() -> list[Path]:
    """The packages' lists, those that stand on the fewest sources first, since others build on them."""
    lists = (path for path in PACKAGE.rglob(NAME) if path.parent != PACKAGE)
    return sorted(lists, key=lambda path: (len(sources_of(path)), path))


def game_names() -> list[str]:
    """The games that are here, without importing them."""
    return sorted(path.parent.name for path in (PACKAGE / "games").glob("*/game.py"))


def _game_file(name: str) -> Path:
    return PACKAGE / "games" / name / "game.py"


def jobs_in(file: Path) -> list[PrecompileJob]:
    """The public functions of a list, with the first line of what they say of themselves, once or for each game."""
    found = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            title = (ast.get_docstring(node) or node.name).split("\n")[0].rstrip(".")
            names = game_names() if node.args.args else [""]
            found += [PrecompileJob(file, node.name, f"{title} ({name})" if name else title, name) for name in names]
    return found


def stale() -> list[PrecompileJob]:
    """The work that has to be done: sources have changed, or compiled files are gone."""
    return [job for file in precompile_files() for job in jobs_in(file) if not _is_done(job)]


def needed(command: str, games: Iterable[str]) -> list[PrecompileJob]:
    """The work that is to be done before a command begins; none for a game that is not part of the project."""
    return list(dict.fromkeys(job for game in games if game in game_names() for job in _needed(command, game)))


def _needed(command: str, game: str) -> list[PrecompileJob]:
    found = []
    for name in (name.format(game=game) for name in NEEDED.get(command, ())):
        folder = name if (PACKAGE.joinpath(*name.split(".")) / NAME).is_file() else name.rpartition(".")[0]
        file = PACKAGE.joinpath(*folder.split(".")) / NAME
        jobs = [job for job in jobs_in(file) if job.game in ("", game)] if file.is_file() else []
        found += [job for job in jobs if name in (job.package, f"{job.package}.{job.function}")]
    return found


def prepare(command: str, games: Iterable[str]) -> int:
    """Compile what a command needs of some games and has not got, before it begins, with a line and a bar."""
    jobs = [job for job in needed(command, games) if not (_is_done(job) or _has_kernels(job))]
    if jobs and not _can_keep():  # nothing is gained: whoever needs a kernel says that it is compiled every time
        return 0
    return _compile(jobs, f"what {command} needs ", "half a minute or so") if jobs else 0


def files_ahead() -> set[str]:
    """What lies in the cache because it was compiled ahead, and not because somebody has needed it."""
    jobs = [job for file in precompile_files() for job in jobs_in(file)]
    return {path for job in jobs for path in json.loads(_note(job).read_text(encoding="utf-8"))}


def precompile() -> int:
    """Do all that has to be done, with progress on standard error; returns how many kernels were compiled."""
    jobs = stale()
    return _compile(jobs, "", "a minute or two") if jobs else 0


def _compile(jobs: list[PrecompileJob], what: str, long: str) -> int:
    started = time.monotonic()
    cores = available_cores()
    print(f"compiling {what}for this machine, once, on {count_of(cores, 'core')} ({long})", file=sys.stderr, flush=True)
    compiled, faults = 0, list[str]()
    with progress("compiling", len(jobs)) as update:
        for number, (job, done) in enumerate(_run(jobs, cores), start=1):
            compiled += done.compiled
            if done.fault:
                faults.append(f"{job.title}: {done.fault}")
            else:
                with contextlib.suppress(OSError):
                    write_text(_note(job), json.dumps(sorted(done.files)))
            update(number, job.title)
    for fault in faults:
        print(f"not compiled ahead, so when it is needed: {fault}", file=sys.stderr)
    print(f"compiled {count_of(compiled, 'kernel')} in {duration(time.monotonic() - started)}", file=sys.stderr)
    return compiled


def _run(jobs: list[PrecompileJob], cores: int) -> Iterator[tuple[PrecompileJob, Done]]:
    """Each piece of work with what came of it, as they are done; a process does many, since to start one takes as long
    as to compile a kernel."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(cores, len(jobs)), mp_context=context, initializer=_begin) as pool:
        futures = {pool.submit(perform, job): job for job in jobs}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except Exception as error:  # the process has died
                yield futures[future], Done(0, frozenset(), f"{type(error).__name__}: {error}")


def _begin() -> None:
    from alphadiamond.base.compilation import wait_for_others

    wait_for_others()


def perform(job: PrecompileJob) -> Done:
    """Do one piece of work in this process; what it finds loaded counts as its own, since it may need that."""
    from alphadiamond.base.compilation import compilations, files_used

    before = compilations()
    fault = ""
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the work's own progress is nobody's business here
            getattr(importlib.import_module(job.module), job.function)(*([job.game] if job.game else []))
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    return Done(compilations() - before, frozenset(str(path) for path in files_used()), fault)


def _root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else cache_directory() / "numba"


def _can_keep() -> bool:
    """Whether compiled code can be kept on this disk."""
    try:
        _root().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=_root()):
            return True
    except OSError:
        return False


def _note(job: PrecompileJob) -> Path:
    """Where it is noted that a piece of work is done: for these sources, this numba, this Python and this machine."""
    name = ".".join(filter(None, (job.module.partition(".")[2], job.function, job.game)))
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    made = f"{job.digest()}-numba{importlib.metadata.version('numba')}-{python}-{platform.node()}"
    return _root() / "precompiled" / f"{name}-{made}.json"


def _has_kernels(job: PrecompileJob) -> bool:
    """Whether it was done before with the kernels of today, whatever else has changed since."""
    name = _note(job).name.partition(job.digest())[0]
    for note in _note(job).parent.glob(f"{name}*-{platform.node()}.json"):
        with contextlib.suppress(OSError, ValueError):
            paths = [Path(path) for path in json.loads(note.read_text(encoding="utf-8"))]
            if (
                paths
                and all(path.exists() for path in paths)
                and all(map(_is_current, {path.parent for path in paths}))
            ):
                return True
    return False


def _is_current(directory: Path) -> bool:
    """Whether a directory of compiled code is that of its module as it is now."""
    module, _, digest = directory.name.rpartition("-")
    file = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    return file.is_file() and digest_of(file) == digest


def _is_done(job: PrecompileJob) -> bool:
    try:
        return all(os.path.exists(path) for path in json.loads(_note(job).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return False


if __name__ == "__main__":
    precompile()
