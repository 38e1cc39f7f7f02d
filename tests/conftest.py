"""Settings and fixtures of the whole suite."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from alphadiamond import games
from alphadiamond.games.diamond_chase.solver import Tablebase
from tests import solutions, warm

# Compilation makes first examples slow; the derandomised profile makes a failure repeat.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")

# Tests start hundreds of processes, which without byte code read and compile the sources again each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

warm.install()

# A shell lets what runs in the background ignore Ctrl-C, and children inherit it: tests that press it would wait on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def cold() -> Iterator[None]:
    """Processes are started as a person's computer does it, and not by `tests.warm`."""
    with warm.cold():
        yield


@pytest.fixture(scope="session")
def small_table(tmp_path_factory: pytest.TempPathFactory) -> solutions.Table:
    """The array of all layers with those of 8 and 9 beads solved; it cannot be written to."""
    path = solutions.shared_directory(tmp_path_factory) / "small.npz"
    return solutions.read_small(solutions.made_once(path, solutions.solve_small))


@pytest.fixture(scope="session")
def small_tablebase(small_table: solutions.Table) -> Tablebase:
    """Knows positions of 8 and 9 beads only, and refuses others."""
    return solutions.tablebase_of(small_table)


@pytest.fixture(scope="session")
def whole_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole game solved, as files; for slow tests."""
    path = solutions.shared_directory(tmp_path_factory) / "tablebase"
    return solutions.made_once(path, solutions.solve_whole)


@pytest.fixture(scope="session")
def whole_tablebase(whole_directory: Path) -> Tablebase:
    return Tablebase.load(whole_directory)


@pytest.fixture
def perfect_small(small_tablebase: Tablebase, monkeypatch: pytest.MonkeyPatch) -> Tablebase:
    """The perfect player looks its moves up in the small layers."""
    monkeypatch.setattr("alphadiamond.games.diamond_chase.solver.tablebase.is_whole", lambda directory: True)
    monkeypatch.setattr("alphadiamond.games.diamond_chase.solver.tablebase.shared", lambda directory: small_tablebase)
    return small_tablebase


@pytest.fixture
def registered() -> Iterator[None]:
    """Whatever a test registers is forgotten after it."""
    before, path = set(games.GAMES), list(sys.path)
    yield
    added = set(games.GAMES) - before
    for name in added:
        games.unregister(name)
    sys.path[:] = path
    assert not any(f"{name}=" in os.environ.get(games.VARIABLE, "") for name in added)
