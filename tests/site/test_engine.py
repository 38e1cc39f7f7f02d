"""The engine in the browser against Python: rules, games, searches and networks, compared in Node."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("msgspec", reason="the page needs the extra [server]")

from alphadiamond.arena.exam import Exam
from alphadiamond.games import BUILT_IN, load
from alphadiamond.resources import champion_of
from tests.site import fixtures

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "alphadiamond" / "site" / "static" / "js" / "engine"
NODE = shutil.which("node")
ALL = 1_000_000
"""More positions than any exam has."""
WITH_EXAM = [name for name in BUILT_IN if load(name).exam is not None and champion_of(load(name)).exists()]

POSITIONS = 100_000

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed: apt-get install nodejs")


def compared(name: str, directory: Path, *, engine: Path = ENGINE) -> dict[str, Any]:
    """What the engine makes of the fixtures in a directory."""
    command = [str(NODE), str(HERE / "run_parity.mjs"), str(engine), str(directory), name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", BUILT_IN)
def test_rules_and_encodings_are_the_same_in_every_position(name: str, tmp_path: Path) -> None:
    fixtures.write_positions(load(name), tmp_path, count=POSITIONS)
    assert compared(name, tmp_path)["positions"] == {"count": POSITIONS, "different": 0}


@pytest.mark.parametrize("name", BUILT_IN)
def test_whole_games_have_the_same_texts_scenes_and_results(name: str, tmp_path: Path) -> None:
    fixtures.write_games(load(name), tmp_path, count=5)
    found = compared(name, tmp_path)["games"]
    assert found["faults"] == []
    assert found["count"] > 50
    assert found["starts"] == (100 if load(name).seeded else 0)


@pytest.mark.parametrize("name", BUILT_IN)
def test_searches_visit_the_same_moves_where_arithmetic_is_the_same(name: str, tmp_path: Path) -> None:
    fixtures.write_searches(load(name), tmp_path, count=12)
    found = compared(name, tmp_path)["searches"]
    assert found["faults"] == []
    assert found["count"] == 48


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_player_goes_on_with_its_tree_as_in_python(name: str, tmp_path: Path) -> None:
    fixtures.write_followed(load(name), tmp_path, count=3)
    found = compared(name, tmp_path)["followed"]
    assert found["faults"] == []
    assert found["count"] > 30
    assert found["count"] / 2 < found["kept"] < found["count"]


@pytest.mark.parametrize("name", ["dame", "labyrinth"])
def test_exact_values_distances_and_margins_are_those_of_the_perfect_player(name: str, tmp_path: Path) -> None:
    fixtures.write_exact(load(name), tmp_path, count=10)
    found = compared(name, tmp_path)["exact"]
    assert found["faults"] == []
    assert found["count"] == 10


@pytest.mark.parametrize("name", WITH_EXAM)
def test_networks_say_the_same_and_choose_the_same_in_the_whole_exam(name: str, tmp_path: Path) -> None:
    game = load(name)
    fixtures.write_exam(game, tmp_path, checkpoint=champion_of(game), precisions={"f32": 1000, "f16": ALL})
    found = compared(name, tmp_path)["exam"]
    assert found["f32"]["vectors"]
    assert found["f32"]["worst"] < 1e-3
    assert found["f32"]["different"] <= 1
    assert not found["plain"]["vectors"]
    assert found["plain"]["worst"] < 1e-3
    shipped = found["f16"]
    assert shipped["count"] == len(Exam.load(game=game))
    assert shipped["different"] <= 0.001 * shipped["count"]


def test_a_fault_in_the_engine_is_noticed(tmp_path: Path) -> None:
    """What these comparisons are worth: each of these small changes is found by one of them."""
    name = "diamond_chase"
    game = load(name)
    fixtures.write_positions(game, tmp_path, count=2_000)
    fixtures.write_searches(game, tmp_path, count=8)
    fixtures.write_followed(game, tmp_path, count=2)
    changes = [
        ("games/diamond_chase.js", "const QUIET_LIMIT = 100", "const QUIET_LIMIT = 99", "positions"),
        ("games/diamond_chase.js", "Math.max(quiet - 50, 0) / 5", "Math.max(quiet - 51, 0) / 5", "positions"),
        ("search/search.js", "else if (cycle > 0)", "else if (cycle > 9)", "searches"),
        ("search/tree.js", "this.cycle[child] > depths[at] + 1", "this.cycle[child] > depths[at] + 99", "followed"),
        ("search/search.js", "tree.history), tree.key[0]]", "tree.history)]", "followed"),
        ("search/search.js", "const WIDENING = 0.7", "const WIDENING = 0.6", "searches"),
    ]
    for number, (file, before, after, noticed) in enumerate(changes):
        engine = tmp_path / f"engine{number}"
        shutil.copytree(ENGINE, engine)
        text = (engine / file).read_text()
        assert before in text
        (engine / file).write_text(text.replace(before, after))
        assert compared(name, tmp_path, engine=engine)[noticed]["different"] > 0, after
