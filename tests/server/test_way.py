"""The page's cheapest ways through a maze are those of the game."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.games import load
from alphadiamond.server.board_snapshots import first_scene

SCRIPT = Path(__file__).parents[2] / "alphadiamond" / "server" / "static" / "js" / "board" / "way.js"
NODE = shutil.which("node")
ASK = """
const { wayTo } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const found = JSON.parse(text).map(([ground, columns, from, to, seen]) =>
  wayTo(ground, columns, from, to, seen && new Set(seen)));
console.log(JSON.stringify(found));
"""


@pytest.mark.skipif(NODE is None, reason="Node is not installed: apt-get install nodejs")
def test_the_page_finds_ways_as_cheap_as_the_game_over_what_is_known() -> None:
    game = load("labyrinth")
    rng = np.random.default_rng(5)
    asked, expected = [], []
    for seed in range(25):
        position = game.start(seed)
        for _ in range(int(rng.integers(0, 20))):
            position = position.play(rng.choice(position.moves()))
        drawing = game.drawing_for(position)
        ways = drawing.ways
        known = ways.in_sight([position], position.side) if seed % 2 else None
        scene = first_scene(drawing, position)
        here = position.cells[position.side]
        for square in range(len(drawing.names)):
            asked.append([scene.ground, len(drawing.column_names), here, square, known and sorted(known)])
            expected.append(ways.to(position, square, known=known))
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", ASK, SCRIPT.as_uri()],
        input=json.dumps(asked), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [way and way["cost"] for way in found] == [cost if path else None for path, cost in expected]
    assert sum(way is not None for way in found) > 600
    for (ground, columns, here, square, _), way in zip(asked, found, strict=True):
        if way is None:
            continue
        assert (way["path"][0], way["path"][-1]) == (here, square)
        for one, other in zip(way["path"], way["path"][1:], strict=False):
            (row, column), (to_row, to_column) = divmod(one, columns), divmod(other, columns)
            assert max(abs(row - to_row), abs(column - to_column)) == 1
            assert ground[other] != "#"
