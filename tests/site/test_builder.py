"""Making the site: what lies in it, how large it is, and what it refuses."""

import gzip
import json
from pathlib import Path

import pytest

pytest.importorskip("msgspec", reason="the page needs the extra [server]")

from alphadiamond.site import command
from alphadiamond.site.builder import LARGEST, Made, SiteError, build
from alphadiamond.site.players import STRENGTHS

ITERATIONS = (1, 10, 100, 900)
"""Of the champion's run; the last one is the champion."""


def test_networks_of_earlier_iterations_are_players_and_there_is_room_for_them(
    tmp_path: Path,
) -> None:
    made = build(tmp_path / "site")
    assert sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file()) == made.size <= LARGEST
    welcome = json.loads((tmp_path / "site" / "site.json").read_text())
    bots = [bot for bot in welcome["bots"] if bot["game"] == "diamond_chase"]
    assert [bot["name"] for bot in bots] == [
        *(one.name for one in STRENGTHS),
        *(f"@iteration-{iteration}" for iteration in ITERATIONS),
    ]
    assert bots[-1]["network"] == bots[0]["network"]
    for bot in bots:
        path = bot["network"]
        file = gzip.decompress((tmp_path / "site" / path).read_bytes())
        header = json.loads(file[4 : 4 + int.from_bytes(file[:4], "little")])
        assert header["game"] == "diamond_chase"
        assert header["origin"]["iteration"] == bot.get("iteration", ITERATIONS[-1])
        assert made.files[path] < (340_000 if "-" in path else 640_000)
    worker = (tmp_path / "site" / "service-worker.js").read_text()
    assert all(f'"{path}"' in worker for path in made.files if path != "service-worker.js")


def test_a_game_of_one_s_own_is_not_left_out_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "build", lambda output: Made({}, ()))
    monkeypatch.setattr(command, "outside_games", lambda: {"domineering": "domineering.game:GAME"})
    command.run(tmp_path / "site")
    assert "domineering is left out: the page has no rules for it in JavaScript" in capsys.readouterr().out


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear friend")
    with pytest.raises(SiteError, match="holds something else than a site"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
