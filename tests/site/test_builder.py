"""Making the site: what lies in it, how large it is, and what it refuses."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="the page needs the extra [server]")

from alphadiamond import resources
from alphadiamond.games import load
from alphadiamond.resources import CHECKPOINTS, champion_of
from alphadiamond.site.builder import LARGEST, SiteError, build
from alphadiamond.site.players import STRENGTHS

ITERATIONS = (1, 10, 100, 900)


def test_networks_of_earlier_iterations_become_players_and_there_is_room_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With names as a run gives them; they are as large as the champion."""
    shutil.copytree(CHECKPOINTS, tmp_path / "checkpoints")
    monkeypatch.setattr(resources, "CHECKPOINTS", tmp_path / "checkpoints")
    champion = champion_of(load("diamond_chase"))
    for iteration in ITERATIONS:
        shutil.copy(champion, champion.with_name(f"iteration-{iteration:06}.safetensors"))
    made = build(tmp_path / "site")
    assert sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file()) == made.size <= LARGEST
    welcome = json.loads((tmp_path / "site" / "site.json").read_text())
    bots = [bot for bot in welcome["bots"] if bot["game"] == "diamond_chase"]
    assert [bot["name"] for bot in bots] == [
        *(one.name for one in STRENGTHS),
        *(f"@iteration-{iteration}" for iteration in ITERATIONS),
    ]
    networks = {bot["network"] for bot in bots}
    assert len(networks) == 1 + len(ITERATIONS)
    for path in networks:
        file = gzip.decompress((tmp_path / "site" / path).read_bytes())
        header = json.loads(file[4 : 4 + int.from_bytes(file[:4], "little")])
        assert header["game"] == "diamond_chase"
        assert header["origin"]["iteration"] == 900  # of the file that stands in for all of them
        assert made.files[path] < (320_000 if "-" in path else 640_000)
    worker = (tmp_path / "site" / "service-worker.js").read_text()
    assert all(f'"{path}"' in worker for path in made.files if path != "service-worker.js")


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear friend")
    with pytest.raises(SiteError, match="holds something else than a site"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
