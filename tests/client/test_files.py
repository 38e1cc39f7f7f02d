"""Settings, statistics and games on disk, whole and damaged."""

import json
import sqlite3
from pathlib import Path

import pytest

from alphadiamond.client.settings import Settings, load_settings, save_settings
from alphadiamond.client.showcase import sample_record
from alphadiamond.client.statistics import GameResult, Statistics
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.library import Library


def test_settings_survive(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    chosen = Settings(theme="daylight", volume=0.25, size=(1600, 900), marks=True, opponent="minimax:depth=2")
    save_settings(chosen, path)
    assert load_settings(path) == (chosen, "")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff\xfe", b'"text"'])
def test_damaged_settings_are_set_aside(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "window.json"
    path.write_bytes(damage)
    settings, notice = load_settings(path)
    assert settings == Settings()
    assert "set aside as window.json.damaged" in notice
    assert (tmp_path / "window.json.damaged").read_bytes() == damage


def test_settings_that_cannot_be_are_replaced_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    wrong = {"theme": "plaid", "volume": 7, "size": ["a", 3], "sound": "yes", "speed": 3.3, "palette": "colour-blind"}
    path.write_text(json.dumps({**wrong, "unknown": 1}))
    settings, notice = load_settings(path)
    assert notice == ""
    assert settings == Settings(palette="colour-blind", volume=1.0)


def result(kind: str, opponent: str = "Hard", colour: str = "green", judged: int = 10, kept: int = 8) -> GameResult:
    return GameResult(opponent, colour, kind, "beads", 40, 60.0, judged, kept, game=GAME)


def test_statistics_count_by_opponent_colour_and_streak(tmp_path: Path) -> None:
    statistics = Statistics(tmp_path / "statistics.sqlite")
    for kind in ("won", "won", "lost", "won", "won", "won", "drawn", "won"):
        statistics.add(result(kind))
    statistics.add(result("lost", opponent="Random", colour="red", judged=0, kept=0))
    assert statistics.streaks(GAME) == (0, 3)
    total = statistics.total(GAME)
    assert (total.won, total.drawn, total.lost) == (6, 1, 2)
    assert total.accuracy == pytest.approx(0.8)
    assert [row.name for row in statistics.by_opponent(GAME)] == ["Hard", "Random"]
    assert statistics.by_opponent(GAME)[1].accuracy is None
    assert [row.name for row in statistics.by_colour(GAME)] == ["green", "red"]
    assert statistics.results(GAME, limit=3) == ["drawn", "won", "lost"]
    statistics.close()
    assert Statistics(tmp_path / "statistics.sqlite").total(GAME).games == 9


@pytest.mark.parametrize("damage", ["text", "header", "schema", "newer"])
def test_damaged_statistics_are_set_aside_and_begun_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "statistics.sqlite"
    if damage == "text":
        path.write_text("this is no database, but it is long enough to be looked at as one" * 20)
    elif damage == "header":
        Statistics(path).close()
        path.write_bytes(b"SQLite format 3\0" + b"\x13" * 4000)
    else:
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE games (something TEXT)" if damage == "schema" else "PRAGMA user_version = 99")
        database.commit()
        database.close()
    statistics = Statistics(path)
    assert "set aside" in statistics.notice
    statistics.add(result("won"))
    assert statistics.total(GAME).games == 1
    assert (tmp_path / "statistics.sqlite.damaged").exists()


def test_statistics_without_a_place_to_write_still_count(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    statistics = Statistics(tmp_path / "file" / "statistics.sqlite")
    statistics.add(result("won"))
    assert statistics.total(GAME).won == 1
    assert "cannot be kept" in statistics.notice


def test_games_are_saved_listed_and_removed(tmp_path: Path) -> None:
    library = Library(tmp_path / "games")
    record = sample_record(game=GAME)
    first, second = library.save(record), library.save(record)
    assert first != second
    assert [game.record for game in library.games()] == [record, record]
    library.remove(first)
    assert len(library.games()) == 1


def test_a_damaged_game_is_listed_with_its_fault(tmp_path: Path) -> None:
    library = Library(tmp_path / "games")
    path = library.save(sample_record(game=GAME))
    path.write_text(path.read_text()[:200])
    (game,) = library.games()
    assert game.record is None
    assert game.fault


def test_the_running_game_is_kept_until_it_is_over(tmp_path: Path) -> None:
    library = Library(tmp_path / "games")
    assert library.running() is None
    unfinished = sample_record(moves=6, game=GAME)
    library.keep_running(unfinished).result()
    assert library.running() == unfinished
    library.keep_running(sample_record(game=GAME)).result()
    assert library.running() is None
    library.autosave.write_text("nonsense")
    assert library.running() is None
    assert library.autosave.with_name("running.game.damaged").exists()
