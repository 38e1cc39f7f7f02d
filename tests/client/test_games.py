"""Every game in the real window, by posted events; the other tests of the window play the first one."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

from alphadiamond import games
from alphadiamond.client.app import App
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_over import GameOverScene
from alphadiamond.client.scenes.title import TitleScene
from alphadiamond.client.scenes.tutorial import TutorialScene
from alphadiamond.client.settings import Settings, load_settings, save_settings
from alphadiamond.client.showcase import sample_record
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.statistics import GameResult, Statistics
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.play.session import Session
from alphadiamond.settings.games import DEFAULT_GAME
from tests.client.driver import Driver

OTHERS = [name for name in games.GAMES if name not in (DEFAULT_GAME, "tic_tac_toe")]


@pytest.fixture(params=OTHERS)
def driver(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A window in which one of the other games has been chosen on the title; nothing is solved for it."""
    monkeypatch.setattr(SolutionLookup, "load", lambda self: None)
    monkeypatch.setattr(App, "check_players", lambda self: None)
    settings = Settings(reduced_motion=True, opponent="random", kept={request.param: {"opponent": "random"}})
    app = App(headless=True, size=(960, 600), process=False, settings=settings, directory=tmp_path, seed=1)
    app.stack.append(TitleScene(app))
    app.scene.entered()
    driver = Driver(app)
    driver.frames(2)
    choose(driver, request.param)
    yield driver
    if app.running:
        app.close()


def choose(driver: Driver, name: str) -> None:
    rect = driver.widget("game").rect
    number = list(games.GAMES).index(name)
    driver.click_at((rect.left + rect.width * (number + 0.5) / len(games.GAMES), rect.centery))


def click(driver: Driver, move: Any) -> None:
    """Play a move by all of its clicks."""
    for spot in driver.board.drawing.spots(move):
        driver.click_at(driver.board.geometry.spot_point(spot))


def two_people(driver: Driver, position: str | None = None) -> GameScene:
    game = driver.app.game
    session = Session(game=game, start=game.parse(position) if position else None)
    driver.app.push(GameScene(driver.app, session))
    driver.frames(2)
    return driver.game


def settle(driver: Driver) -> None:
    driver.until(lambda: not driver.game.board.busy)


def test_a_game_is_chosen_on_the_title_and_kept(driver: Driver, tmp_path: Path) -> None:
    name = driver.app.game.name
    assert name in OTHERS
    assert driver.app.settings.game == name
    assert load_settings(tmp_path / "window.json")[0].game == name
    assert driver.app.painter.theme.sides == driver.app.game.drawing.colours


def test_a_whole_game_by_clicks_is_played_counted_and_reviewed(driver: Driver) -> None:
    driver.click("play")
    session = driver.game.session
    assert session.game is driver.app.game
    while not session.over:
        position = session.position
        wins = [move for move in position.moves() if position.play(move).outcome is not None]
        click(driver, (wins or position.moves())[0])
        driver.wait_for_turn()
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    assert driver.app.statistics.total(session.game).games == 1
    assert driver.app.statistics.total(load(DEFAULT_GAME)).games == 0
    driver.click("review")
    assert driver.replay.session.game is session.game
    driver.press(pygame.K_END)
    assert driver.replay.position == session.position


def test_lessons_are_done_by_doing(driver: Driver) -> None:
    driver.click("learn")
    scene = driver.app.scene
    assert isinstance(scene, TutorialScene)
    for number in range(len(scene.lessons)):
        assert scene.number == number
        click(driver, scene.drawing.solutions(scene.lesson)[0])
        driver.until(lambda: not scene.board.busy)
        assert scene.done, scene.lesson.title
        driver.click("next")
    assert driver.game.coach
    assert driver.game.session.game is scene.game


def test_a_hint_shows_a_legal_move(driver: Driver) -> None:
    scene = two_people(driver)
    for player in ("perfect", "neural", "minimax"):  # quick ones only
        for opponent in driver.app.roster.opponents:
            if opponent.name == player:
                driver.app.roster.faults.update({level.spec: "not in this test" for level in opponent.levels})
    driver.app.roster.faults["minimax:depth=8"] = "not in this test"
    driver.press(pygame.K_h)
    driver.until(lambda: bool(driver.board.hint))
    driver.press(pygame.K_h)
    drawing, position = scene.drawing, scene.session.position
    assert driver.board.hint in [drawing.path(position, move) for move in position.moves()]


def test_saved_games_of_every_kind_lie_side_by_side(driver: Driver) -> None:
    here = driver.app.game
    driver.app.library.save(sample_record(moves=6, second="random", game=here))
    driver.app.library.save(sample_record(moves=6, second="random", game=GAME))
    driver.click("games")
    notes = [game.record.game.name for game in driver.app.library.games() if game.record is not None]
    assert sorted(notes) == sorted([here.name, DEFAULT_GAME])
    scene = driver.app.scene
    scene.chosen = notes.index(DEFAULT_GAME)  # type: ignore[attr-defined]
    scene.refresh()
    driver.click("go-on")
    assert driver.app.game.name == DEFAULT_GAME, "the window goes over to the game that is opened"
    assert driver.game.session.game is driver.app.game


def test_a_game_left_unfinished_is_continued_as_what_it_is(driver: Driver) -> None:
    here = driver.app.game
    driver.click("play")
    click(driver, driver.game.session.position.moves()[0])
    driver.wait_for_turn()
    driver.app.home()
    driver.frames(2)
    choose(driver, DEFAULT_GAME)
    driver.click("continue")
    assert driver.game.session.game is here is driver.app.game


# Connect Four


@pytest.mark.parametrize("driver", ["connect_four"], indirect=True)
def test_columns_go_by_their_keys_and_by_the_arrows(driver: Driver) -> None:
    scene = two_people(driver)
    driver.focus("board")
    driver.press(pygame.K_2)
    settle(driver)
    driver.press(pygame.K_KP7)
    settle(driver)
    driver.board.cursor = 3
    driver.press(pygame.K_LEFT, pygame.K_RETURN)
    settle(driver)
    assert [str(ply.move) for ply in scene.session.plies] == ["2", "7", "3"]


@pytest.mark.parametrize("driver", ["connect_four"], indirect=True)
def test_a_full_column_takes_no_disc(driver: Driver) -> None:
    scene = two_people(driver, "x....../o....../x....../o....../x....../o...... x")
    driver.click_at(driver.board.geometry.spot_point(0))
    driver.press(pygame.K_1)
    assert scene.session.plies == []


@pytest.mark.parametrize("driver", ["connect_four"], indirect=True)
def test_the_winning_four_are_lit_when_the_disc_has_fallen(driver: Driver) -> None:
    driver.app.settings.reduced_motion = False
    driver.app.renew_look()
    scene = two_people(driver, "......./......./......./......./..ooo../..xxx.. x")
    driver.click_at(driver.board.geometry.spot_point(1))
    assert scene.board.busy
    settle(driver)
    assert len(scene.board.lit) == 4
    assert scene.status() == "Yellow wins: four in a row after 7 discs"


# Dame

TWO_CHAINS = "....../....../.b.b../....../.b.b../..w... w"
"""c1 can take b2 and b4 or d2 and d4 and so on: its ends are the same square by two ways."""


@pytest.mark.parametrize("driver", ["dame"], indirect=True)
def test_a_chain_is_clicked_by_its_end_or_square_by_square(driver: Driver) -> None:
    chain = ".b..../....../...b../....../.b..../w..... w"
    for squares in (("a1", "e5"), ("a1", "c3", "e5")):
        scene = two_people(driver, chain)
        for name in squares:
            driver.click_at(driver.board.geometry.point(scene.drawing.names.index(name)))
        assert [str(ply.move) for ply in scene.session.plies] == ["a1xc3xe5"]


@pytest.mark.parametrize("driver", ["dame"], indirect=True)
def test_an_end_that_two_chains_share_has_to_be_led_up_to(driver: Driver) -> None:
    scene = two_people(driver, TWO_CHAINS)
    at = {name: driver.board.geometry.point(number) for number, name in enumerate(scene.drawing.names)}
    assert {"c1xa3xc5", "c1xe3xc5"} <= {str(move) for move in scene.session.position.moves()}
    driver.click_at(at["c1"])
    driver.click_at(at["c5"])
    assert scene.session.plies == [], "two chains end there"
    driver.click_at(at["e3"])
    assert driver.board.picked == tuple(scene.drawing.names.index(name) for name in ("c1", "e3"))
    driver.click_at(at["c5"])
    assert [str(ply.move) for ply in scene.session.plies] == ["c1xe3xc5"]


@pytest.mark.parametrize("driver", ["dame"], indirect=True)
def test_only_those_who_must_take_can_be_picked(driver: Driver) -> None:
    scene = two_people(driver, ".b..../....../...b../..w.../....../w..... w")
    driver.frames(2)
    assert driver.board.compulsory
    assert [scene.drawing.names[square] for square in driver.board.movable] == ["c3"]
    assert scene.status() == "White to move: what can be taken must be"
    driver.click_at(driver.board.geometry.point(scene.drawing.names.index("a1")))
    driver.click_at(driver.board.geometry.point(scene.drawing.names.index("b2")))
    assert scene.session.plies == []


# Files from before there were several games


def test_statistics_of_one_game_are_read_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "statistics.sqlite"
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE games (id INTEGER PRIMARY KEY, played TEXT NOT NULL DEFAULT (datetime('now')),"
        " opponent TEXT NOT NULL, colour TEXT NOT NULL CHECK (colour IN ('green', 'red')), result TEXT NOT NULL"
        " CHECK (result IN ('won', 'drawn', 'lost')), ending TEXT NOT NULL, plies INTEGER NOT NULL,"
        " seconds REAL NOT NULL, judged INTEGER NOT NULL, kept INTEGER NOT NULL, taken_back INTEGER NOT NULL,"
        " hints INTEGER NOT NULL)"
    )
    row = ("2026-01-02 03:04:05", "Hard", "red", "won", "beads", 41, 60.0, 10, 9, 1, 2)
    names = "played, opponent, colour, result, ending, plies, seconds, judged, kept, taken_back, hints"
    database.execute(f"INSERT INTO games ({names}) VALUES ({', '.join('?' * len(row))})", row)
    database.execute("PRAGMA user_version = 1")
    database.commit()
    database.close()
    statistics = Statistics(path)
    assert statistics.notice == ""
    assert (statistics.total(load(DEFAULT_GAME)).won, statistics.by_opponent(load(DEFAULT_GAME))[0].name) == (1, "Hard")
    statistics.add(GameResult("Easy", "x", "lost", "four in a row", 20, game=load("connect_four")))
    statistics.close()
    again = Statistics(path)
    assert (again.total(load(DEFAULT_GAME)).games, again.total(load("connect_four")).lost) == (1, 1)
    again.clear(load("connect_four"))
    assert (again.total(load(DEFAULT_GAME)).games, again.total(load("connect_four")).games) == (1, 0)
    (kept,) = sqlite3.connect(path).execute(f"SELECT {names} FROM games").fetchall()
    assert kept == row


def test_settings_of_one_game_are_those_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    path.write_text(json.dumps({"opponent": "minimax:depth=2", "colour": "red", "checkpoint": "a.safetensors"}))
    settings, notice = load_settings(path)
    assert notice == ""
    assert settings.game == DEFAULT_GAME
    settings.choose_game("dame")
    assert (settings.opponent, settings.colour, settings.checkpoint) == ("", "", "")
    settings.opponent, settings.colour = "mcts", "black"
    save_settings(settings, path)
    again, _ = load_settings(path)
    assert (again.game, again.opponent, again.colour) == ("dame", "mcts", "black")
    again.choose_game(DEFAULT_GAME)
    assert (again.opponent, again.colour, again.checkpoint) == ("minimax:depth=2", "red", "a.safetensors")
