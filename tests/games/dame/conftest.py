"""Dame solved, once for all tests of it."""

from pathlib import Path

import pytest

from alphadiamond.games.dame.solver import DameSolution
from tests import solutions


@pytest.fixture(scope="session")
def solved_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = solutions.shared_directory(tmp_path_factory) / "dame"
    return solutions.made_once(path, _solve)


@pytest.fixture(scope="session")
def dame_solution(solved_directory: Path) -> DameSolution:
    return DameSolution.load(solved_directory)


def _solve(path: Path) -> None:
    part = path.with_suffix(".part")
    DameSolution.load_or_solve(part)
    part.rename(path)
