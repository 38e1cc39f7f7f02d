"""The real window, driven by posted events."""

from pathlib import Path

import pygame
import pytest

from alphadiamond.client.app import App
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_over import GameOverScene
from alphadiamond.client.scenes.games import GamesScene
from alphadiamond.client.scenes.opponent import OpponentScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.scenes.settings import SettingsScene
from alphadiamond.client.scenes.statistics import StatisticsScene
from alphadiamond.client.scenes.title import TitleScene
from alphadiamond.client.scenes.tutorial import TutorialScene
from alphadiamond.client.showcase import sample_record
from alphadiamond.client.theme import THEMES
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.records import write_records
from alphadiamond.play.session import Session
from tests.client.driver import Driver


def test_playing_is_one_click_from_the_title(driver: Driver) -> None:
    driver.click("play")
    assert driver.game.session.second == "random"
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    assert len(driver.game.session.plies) == 2


def test_playing_is_one_key_from_the_title(driver: Driver) -> None:
    driver.press(pygame.K_RETURN)
    assert isinstance(driver.app.scene, GameScene)
    driver.type_move(Move.parse("ws-wi"))
    driver.wait_for_turn()
    assert str(driver.game.session.plies[0].move) == "ws-wi"


def test_each_mode_starts_by_mouse(driver: Driver) -> None:
    driver.click("new")
    driver.click("versus")
    driver.click("start")
    assert len(driver.game.session.humans) == 1
    driver.press(pygame.K_ESCAPE)
    driver.click("new")
    driver.click("people")
    assert len(driver.game.session.humans) == 2
    driver.press(pygame.K_ESCAPE)
    driver.click("new")
    driver.click("watch")
    driver.click("start")
    assert driver.game.session.humans == []


def test_each_mode_starts_by_keyboard_alone(driver: Driver) -> None:
    for mode, people in (("versus", 1), ("people", 2), ("watch", 0)):
        driver.focus("new")
        driver.press(pygame.K_RETURN)
        driver.focus(mode)
        driver.press(pygame.K_SPACE)
        if people != 2:
            driver.focus("start")
            driver.press(pygame.K_RETURN)
        assert len(driver.game.session.humans) == people
        driver.press(pygame.K_ESCAPE)
        if isinstance(driver.app.scene, ConfirmScene):
            driver.focus("choice1")
            driver.press(pygame.K_RETURN)
        assert isinstance(driver.app.scene, TitleScene)


def test_the_focus_shows_as_soon_as_a_key_is_used(driver: Driver) -> None:
    driver.press(pygame.K_TAB)
    assert sum(widget.focused for widget in driver.app.scene.widgets) == 1
    driver.click_at((5, 5))
    assert not any(widget.focused for widget in driver.app.scene.widgets)


def test_red_can_be_chosen_and_then_the_player_begins(driver: Driver) -> None:
    driver.click("new")
    driver.click("versus")
    rect = driver.widget("colour").rect
    driver.click_at((rect.right - 20, rect.centery))
    driver.click("start")
    driver.wait_for_turn()
    assert driver.game.session.is_human(Side.RED)
    assert len(driver.game.session.plies) == 1


def test_a_whole_game_against_a_fast_player(driver: Driver) -> None:
    driver.click("play")
    session = driver.game.session
    while not session.over:
        position = session.position
        best = max(position.moves(), key=lambda move: len(position.removed_by(move)))
        driver.move(best)
        driver.wait_for_turn()
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    assert driver.app.statistics.total(GAME).games == 1
    driver.click("again")
    assert driver.game.session is not session
    assert driver.game.session.plies == []


def test_beads_move_by_dragging(driver: Driver) -> None:
    driver.click("play")
    driver.drag(Move.parse("si-cs"))
    driver.wait_for_turn()
    assert str(driver.game.session.plies[0].move) == "si-cs"


def test_the_arrows_move_between_nodes(driver: Driver) -> None:
    driver.click("play")
    driver.focus("board")
    driver.board.cursor = 20
    driver.press(pygame.K_UP, pygame.K_RETURN)
    assert driver.board.selected == 17
    driver.press(pygame.K_UP, pygame.K_RETURN)
    assert str(driver.game.session.plies[0].move) == "si-cs"


def test_illegal_moves_by_hand_change_nothing(driver: Driver) -> None:
    driver.click("play")
    for source, target in ((17, 5), (0, 3), (20, 17)):
        driver.click_at(driver.board.geometry.point(source))
        driver.click_at(driver.board.geometry.point(target))
    assert driver.game.session.plies == []


def test_taking_back_and_redoing(driver: Driver) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    driver.click("undo")
    assert driver.game.session.plies == []
    driver.click("redo")
    assert len(driver.game.session.plies) == 2
    driver.press(pygame.K_u)
    assert driver.game.session.plies == []


def test_taking_back_while_the_player_thinks(driver: Driver) -> None:
    driver.app.settings.opponent = "mcts:seconds=600"
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.frames(20)
    driver.press(pygame.K_u)
    assert driver.game.session.plies == []
    driver.frames(20)
    assert driver.game.session.human_to_move


def test_escape_asks_before_a_running_game_is_left_and_it_can_be_continued(driver: Driver) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    plies = len(driver.game.session.plies)
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, ConfirmScene)
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, GameScene)
    driver.press(pygame.K_ESCAPE)
    driver.click("choice1")
    assert isinstance(driver.app.scene, TitleScene)
    driver.click("continue")
    assert len(driver.game.session.plies) == plies


def test_a_new_game_keeps_the_unfinished_one(driver: Driver) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    first = driver.game.session.record()
    driver.press(pygame.K_ESCAPE)
    driver.click("choice1")
    driver.click("play")
    assert [game.record for game in driver.app.library.games()] == [first]
    assert driver.app.library.running() is None


def test_resigning_asks_and_counts_as_lost(driver: Driver) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    driver.click("resign")
    driver.click("choice1")
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    assert driver.app.statistics.total(GAME).lost == 1


def test_saving_loading_and_replaying(driver: Driver) -> None:
    driver.click("play")
    for text in ("si-cs", "cs-c"):
        if Move.parse(text) in driver.game.session.position.moves():
            driver.move(Move.parse(text))
            driver.wait_for_turn()
    saved = driver.game.session.record()
    driver.press(pygame.K_s)
    driver.press(pygame.K_ESCAPE)
    driver.click("choice1")
    driver.click("games")
    assert isinstance(driver.app.scene, GamesScene)
    driver.click("replay")
    assert driver.replay.record.moves == saved.moves
    driver.press(pygame.K_SPACE)
    driver.until(lambda: driver.replay.ply == len(saved.moves))
    driver.press(pygame.K_HOME)
    assert driver.replay.ply == 0
    driver.press(pygame.K_PERIOD, pygame.K_PERIOD, pygame.K_COMMA)
    assert driver.replay.ply == 1


def test_the_move_list_and_the_curve_lead_anywhere(driver: Driver) -> None:
    driver.app.push(ReplayScene(driver.app, sample_record(game=GAME)))
    driver.frames(3)
    replay = driver.replay
    assert replay.moves is not None
    driver.click_at(replay.moves.cell(driver.app.painter, 2).center)
    assert replay.ply == 3
    assert replay.graph is not None
    driver.click_at((replay.graph.rect.right - 8, replay.graph.rect.centery))
    assert replay.ply == len(replay.session.plies)
    driver.focus("moves")
    driver.press(pygame.K_UP)
    assert replay.ply == len(replay.session.plies) - 1


def test_a_replay_can_be_played_on_from_any_point(driver: Driver) -> None:
    driver.app.push(ReplayScene(driver.app, sample_record(game=GAME)))
    driver.frames(2)
    driver.replay.look(4)
    driver.press(pygame.K_p)
    assert [ply.move for ply in driver.game.session.plies] == list(sample_record(game=GAME).moves[:4])
    assert driver.game.session.human_to_move


def test_looking_back_in_a_running_game_and_returning(driver: Driver) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    driver.press(pygame.K_HOME)
    assert driver.game.position == Position.start()
    driver.move(Move.parse("ws-w"))
    assert len(driver.game.session.plies) == 2, "no move is played while looking back"
    driver.press(pygame.K_ESCAPE)
    assert driver.game.looking is None


@pytest.mark.parametrize("size", [(960, 600), (1280, 800), (1920, 1080), (700, 420)])
def test_the_window_can_be_resized_in_a_game(driver: Driver, size: tuple[int, int]) -> None:
    driver.click("play")
    driver.app.display = pygame.display.set_mode(size)
    driver.post(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
    factor = (size[0] / driver.app.size[0], size[1] / driver.app.size[1])
    for node in (17, 15):
        x, y = driver.board.geometry.point(node)
        driver.click_at((x * factor[0], y * factor[1]))
    assert str(driver.game.session.plies[0].move) == "si-cs"


def test_themes_switch_at_once_and_survive(driver: Driver, tmp_path: Path) -> None:
    driver.click("settings")
    colours = set()
    for number in range(len(THEMES)):
        rect = driver.widget("theme").rect
        driver.click_at((rect.left + rect.width * (number + 0.5) / len(THEMES), rect.centery))
        driver.frames(20)
        colours.add(tuple(driver.app.surface.get_at((5, 5)))[:3])
    assert len(colours) == len(THEMES)
    assert driver.app.settings.theme == "high contrast"
    assert '"theme": "high contrast"' in (tmp_path / "window.json").read_text()


def test_every_setting_can_be_reached_by_keyboard(driver: Driver) -> None:
    driver.focus("settings")
    driver.press(pygame.K_RETURN)
    assert isinstance(driver.app.scene, SettingsScene)
    settings = driver.app.settings
    for name in ("marks", "names", "reduced_motion", "sound", "confirm"):
        before = getattr(settings, name)
        driver.focus(name)
        driver.press(pygame.K_RETURN)
        assert getattr(settings, name) is not before
    driver.focus("volume")
    before_volume = settings.volume
    driver.press(pygame.K_LEFT)
    assert settings.volume < before_volume
    driver.focus("text")
    driver.press(pygame.K_RIGHT)
    assert settings.text_size == "large"


def test_escape_goes_back_one_step(driver: Driver) -> None:
    driver.click("new")
    driver.click("versus")
    assert isinstance(driver.app.scene, OpponentScene)
    driver.press(pygame.K_ESCAPE)
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, TitleScene)
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, ConfirmScene)
    assert driver.app.running


def test_hints_come_in_two_steps(driver: Driver) -> None:
    driver.click("play")
    driver.until(lambda: not driver.app.analysts_busy_checking())
    driver.press(pygame.K_h)
    driver.until(lambda: bool(driver.board.hint))
    assert len(driver.board.hint) == 1
    driver.press(pygame.K_h)
    move = Move(*driver.board.hint)
    assert move in Position.start().moves()
    assert driver.game.session.hints == 1


def test_analysis_is_live_and_follows_the_game(driver: Driver) -> None:
    driver.click("play")
    driver.until(lambda: not driver.app.analysts_busy_checking())
    driver.press(pygame.K_a)
    game = driver.game
    driver.until(lambda: bool(game.analyses))
    assert driver.board.arrows
    assert game.panel is not None
    assert game.panel.lines
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    driver.until(lambda: any(one.position == game.position for one in game.analyses.values()))
    driver.press(pygame.K_b)
    driver.until(lambda: len(game.analyses) >= 4)
    driver.press(pygame.K_a)
    assert not driver.board.arrows


def test_watching_can_be_paused_and_stepped(driver: Driver) -> None:
    driver.app.push(GameScene(driver.app, Session(first="random", second="random", game=GAME)))
    driver.press(pygame.K_SPACE)
    driver.frames(5)
    count = len(driver.game.session.plies)
    driver.frames(60)
    assert len(driver.game.session.plies) == count
    driver.press(pygame.K_n)
    driver.until(lambda: len(driver.game.session.plies) == count + 1)
    driver.frames(60)
    assert len(driver.game.session.plies) == count + 1
    driver.focus("speed")
    driver.press(*[pygame.K_RIGHT] * 6)
    assert driver.app.settings.speed == 8.0
    driver.press(pygame.K_SPACE)
    driver.until(lambda: len(driver.game.session.plies) > count + 4)


def test_a_broken_player_is_explained_and_another_takes_over(driver: Driver) -> None:
    driver.until(lambda: not driver.app.analysts_busy_checking())
    driver.app.push(GameScene(driver.app, Session(second="perfect:tablebase=/nowhere", game=GAME)))
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    assert driver.game.session.second not in ("perfect:tablebase=/nowhere", "human")
    assert len(driver.game.session.plies) == 2


def test_players_that_cannot_be_had_are_shown_with_the_reason(driver: Driver) -> None:
    driver.until(lambda: not driver.app.analysts_busy_checking())
    scene = OpponentScene(driver.app)
    driver.app.push(scene)
    driver.frames(2)
    perfect = next(k for k, opponent in enumerate(scene.opponents) if opponent.name == "perfect")
    scene._choose(perfect)
    driver.frames(2)
    assert driver.has("build")
    assert not driver.widget("start").enabled


def test_a_dropped_record_opens_and_a_dropped_network_is_used(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "dropped.game"
    path.write_text(str(sample_record(game=GAME)))
    driver.post(pygame.DROPFILE, file=str(path))
    assert isinstance(driver.app.scene, ReplayScene)
    driver.post(pygame.DROPFILE, file=str(tmp_path / "net.safetensors"))
    assert driver.app.settings.checkpoint.endswith("net.safetensors")
    driver.post(pygame.DROPFILE, file=str(tmp_path / "missing.txt"))
    assert driver.app.running


def test_the_tutorial_is_done_by_doing(driver: Driver) -> None:
    driver.click("learn")
    scene = driver.app.scene
    assert isinstance(scene, TutorialScene)
    for number in range(6):
        assert scene.number == number
        lesson = scene.lesson
        solutions = scene.drawing.solutions(lesson)
        wrong = [move for move in scene.board.position.moves() if move not in solutions]
        if wrong:
            driver.move(wrong[0])
            assert not scene.done
            driver.until(lambda: scene.board.playable and not scene.board.busy)
        driver.move(solutions[0])
        assert scene.done
        driver.until(lambda: not scene.board.busy)
        driver.click("next")
    assert driver.game.coach
    assert driver.app.settings.tutorial_done


def test_statistics_can_be_looked_at_and_cleared(driver: Driver) -> None:
    driver.app.push(GameScene(driver.app, Session(second="random", game=GAME)))
    driver.move(Move.parse("si-cs"))
    driver.game.resign()
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    driver.click("menu")
    driver.click("statistics")
    assert isinstance(driver.app.scene, StatisticsScene)
    driver.click("clear")
    driver.click("choice1")
    assert driver.app.statistics.total(GAME).games == 0


def test_closing_the_window_ends_at_once_while_a_player_thinks(app: App) -> None:
    driver = Driver(app)
    app.settings.opponent = "mcts:seconds=600"
    driver.frames(1)
    driver.press(pygame.K_RETURN)
    driver.move(Move.parse("si-cs"))
    driver.frames(5)
    driver.post(pygame.QUIT)
    assert not app.running
    app.close()


def test_a_new_layout_between_press_and_release_costs_no_click(driver: Driver) -> None:
    place = driver.widget("settings").rect.center
    driver.post(pygame.MOUSEBUTTONDOWN, pos=place, button=1)
    driver.app.scene.refresh()
    driver.frames(1)
    driver.post(pygame.MOUSEBUTTONUP, pos=place, button=1)
    assert isinstance(driver.app.scene, SettingsScene)


def test_under_a_dialog_the_player_moves_and_the_clock_runs(driver: Driver) -> None:
    driver.click("play")
    scene, session = driver.game, driver.game.session
    driver.move(Move.parse("si-cs"))
    driver.click("resign")
    assert isinstance(driver.app.scene, ConfirmScene)
    driver.until(lambda: len(session.plies) == 2 and not scene.board.busy)
    assert isinstance(driver.app.scene, ConfirmScene)
    before = session.clocks[Side.GREEN]
    driver.frames(30)
    assert session.clocks[Side.GREEN] > before
    driver.click_at(scene.board.geometry.point(Move.parse("ws-wi").source))
    assert scene.board.selected is None, "input is for the dialog alone"


def test_a_game_that_ends_under_a_dialog_shows_its_end_afterwards(driver: Driver) -> None:
    record = sample_record(second="human", game=GAME)
    session = Session.of_record(record)
    last = session.plies[-1].move
    session.take_back_to(len(session.plies) - 1)
    scene = GameScene(driver.app, session)
    driver.app.start(scene)
    driver.frames(2)
    driver.click("new")
    scene._play(last)
    driver.until(lambda: scene._ended > 5)
    assert isinstance(driver.app.scene, ConfirmScene)
    driver.click("choice0")
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    driver.press(pygame.K_ESCAPE)
    driver.frames(60)
    assert driver.app.scene is scene, "once is enough"


def test_a_record_of_another_game_lies_over_a_game_and_gives_it_back(driver: Driver, tmp_path: Path) -> None:
    driver.click("play")
    driver.move(Move.parse("si-cs"))
    driver.wait_for_turn()
    scene = driver.game
    scene.toggle_analysis()
    driver.until(lambda: bool(scene.analyses))
    path = tmp_path / "other.game"
    write_records(path, [sample_record(game=load("connect_four"))])
    driver.post(pygame.DROPFILE, file=str(path))
    assert driver.app.game.name == "connect_four"
    driver.until(lambda: bool(driver.replay.evaluations.values))
    assert driver.replay.evaluations.values, "the analysts work for the board on top"
    driver.press(pygame.K_ESCAPE)
    assert driver.app.scene is scene
    assert driver.app.game is scene.session.game
    driver.until(lambda: bool(scene.analyses))
