"""The board without a game: positions set up and pasted, lines as a tree, players asked, and a link that holds it."""

import pygame
import pytest

from alphadiamond.client import clipboard
from alphadiamond.client.scenes.analysis import AnalysisScene
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.editor import EditorScene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.paste import PasteScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.showcase import sample_record
from alphadiamond.client.solution_lookup import Exact, SolutionLookup
from alphadiamond.client.widgets.choices import Segments
from alphadiamond.client.widgets.tree import MoveTree
from alphadiamond.games import load
from tests.client.driver import Driver


@pytest.fixture(autouse=True)
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved beside the tests."""
    monkeypatch.setattr(SolutionLookup, "load", lambda self: None)


def board_of(driver: Driver, game: str = "diamond_chase") -> AnalysisScene:
    driver.app.use_game(load(game))
    driver.frames(2)
    driver.click("analysis")
    driver.frames(2)
    assert isinstance(driver.app.scene, AnalysisScene)
    return driver.app.scene


def scene_of(driver: Driver) -> AnalysisScene:
    driver.frames(2)
    assert isinstance(driver.app.scene, AnalysisScene)
    return driver.app.scene


def play(driver: Driver, text: str) -> None:
    scene = scene_of(driver)
    move = next(move for move in scene.position.moves() if str(move) == text)
    for spot in scene.drawing.spots(move):
        driver.click_at(driver.board.geometry.spot_point(spot))
    driver.until(lambda: not scene.board.busy)


def test_lines_are_tried_from_a_position_and_every_one_stays(driver: Driver) -> None:
    scene = board_of(driver)
    play(driver, "si-cs")
    play(driver, "ni-cn")
    driver.press(pygame.K_COMMA)
    play(driver, "en-e")
    assert str(scene.tree) == "si-cs ni-cn (en-e)"
    driver.click("promote")
    assert str(scene.tree) == "si-cs en-e (ni-cn)"
    driver.press(pygame.K_HOME)
    assert scene.ply == 0
    assert str(scene.position) == str(scene.tree.start)
    driver.press(pygame.K_END)
    driver.press(pygame.K_DELETE)
    assert str(scene.tree) == "si-cs ni-cn"
    assert scene.ply == 1


def test_a_click_in_the_tree_leads_there_and_so_do_arrows(driver: Driver) -> None:
    scene = board_of(driver)
    play(driver, "si-cs")
    play(driver, "ni-cn")
    driver.press(pygame.K_COMMA)
    play(driver, "en-e")
    tree = driver.widget("tree")
    assert isinstance(tree, MoveTree)
    first, other = scene.tree.root.children[0].children
    driver.click_at(tree.place_of(first).center)
    assert scene.tree.at is first
    assert str(scene.board.position) == str(scene.position)
    assert scene.focus_key == "tree"
    driver.press(pygame.K_DOWN)
    assert scene.tree.at is other
    driver.press(pygame.K_LEFT)
    assert scene.tree.at is first.parent
    driver.press(pygame.K_RIGHT)
    assert scene.tree.at is first


def test_what_a_player_said_of_one_line_is_no_part_of_the_curve_of_another(driver: Driver) -> None:
    scene = board_of(driver)
    play(driver, "si-cs")
    play(driver, "ni-cn")
    driver.until(lambda: 2 in scene.evaluations.values)
    scene.set_analysing(False)
    driver.press(pygame.K_COMMA)
    play(driver, "en-e")
    assert 2 not in scene.evaluations.values
    driver.press(pygame.K_a)
    driver.until(lambda: bool(scene.analyses))
    assert next(iter(scene.analyses.values())).position == scene.position


def test_any_player_is_asked_and_all_side_by_side(driver: Driver) -> None:
    scene = board_of(driver)
    driver.until(lambda: bool(scene.analyses))
    first = scene.live.analyst
    driver.click("next")
    driver.until(lambda: bool(scene.analyses) and scene.live.analyst in scene.analyses)
    assert scene.live.analyst != first
    driver.press(pygame.K_b)
    driver.until(lambda: len(scene.analyses) >= 3)


@pytest.mark.parametrize("name", ["diamond_chase", "dame"])
def test_a_position_is_set_up_by_hand(driver: Driver, name: str) -> None:
    scene = board_of(driver, name)
    driver.click("edit")
    editor = driver.app.scene
    assert isinstance(editor, EditorScene)
    driver.click("empty")
    assert editor.pieces == {}
    driver.click("start")
    square, editor.owner = next(iter(editor.pieces.items()))
    driver.click_at(driver.board.geometry.point(square))  # the same once more takes it away
    assert square not in editor.pieces
    turn = driver.widget("turn")
    assert isinstance(turn, Segments)
    driver.click_at(turn.part(1).center)
    driver.click("done")
    made = scene_of(driver)
    assert made is not scene
    assert made.drawing.pieces(made.position) == editor.pieces
    assert int(made.position.side) == 1
    assert len(made.tree) == 0


def test_columns_are_filled_from_below_and_what_cannot_be_is_said_in_a_line(driver: Driver) -> None:
    board_of(driver, "connect_four")
    driver.click("edit")
    editor = driver.app.scene
    assert isinstance(editor, EditorScene)
    owner = driver.widget("owner")
    assert isinstance(owner, Segments)
    for _ in range(2):
        driver.click_at(driver.board.geometry.spot_point(3))
    driver.click("done")
    assert driver.app.scene is editor
    assert editor.fault
    assert "\n" not in editor.fault
    driver.click_at(owner.part(2).center)
    driver.click_at(driver.board.geometry.spot_point(3))  # the top one goes
    assert not editor.fault
    driver.click_at(owner.part(1).center)
    driver.click_at(driver.board.geometry.spot_point(3))
    driver.click("done")
    assert str(scene_of(driver).position) == str(load("connect_four").start().play("4").play("4"))


def test_the_editor_goes_by_keys_alone(driver: Driver) -> None:
    board_of(driver)
    driver.press(pygame.K_e)
    editor = driver.app.scene
    assert isinstance(editor, EditorScene)
    driver.focus("board")
    here = driver.board.cursor
    before = editor.pieces.get(here)
    driver.press(pygame.K_RETURN)
    assert editor.pieces.get(here) != before
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, AnalysisScene)


def test_a_board_that_is_drawn_anew_is_not_set_up_by_hand(driver: Driver) -> None:
    board_of(driver, "labyrinth")
    assert not driver.widget("edit").enabled
    driver.press(pygame.K_e)
    assert isinstance(driver.app.scene, AnalysisScene)


def test_a_link_is_copied_and_pasted_with_position_and_lines(driver: Driver) -> None:
    scene = board_of(driver, "connect_four")
    driver.app.settings.server = "play.example.org"
    play(driver, "4")
    play(driver, "4")
    driver.press(pygame.K_COMMA)
    play(driver, "3")
    driver.press(pygame.K_c, mod=pygame.KMOD_CTRL)
    link = clipboard.read()
    assert link == scene.tree.link("https://play.example.org")
    assert link.startswith("https://play.example.org/#analysis/connect_four/")
    driver.press(pygame.K_ESCAPE)
    driver.click("choice1")  # leave, although there are lines
    board_of(driver, "dame")
    driver.press(pygame.K_v, mod=pygame.KMOD_CTRL)
    assert isinstance(driver.app.scene, PasteScene)
    assert driver.app.scene.text == link  # it was in the clipboard
    driver.press(pygame.K_RETURN)
    made = scene_of(driver)
    assert made.session.game.name == driver.app.game.name == "connect_four"
    assert str(made.tree) == "4 4 (3)"


def test_what_is_pasted_and_is_no_position_gets_one_line_and_the_board_stays(driver: Driver) -> None:
    scene = board_of(driver)
    clipboard.write("not a position")
    driver.click("paste")
    paste = driver.app.scene
    assert isinstance(paste, PasteScene)
    assert paste.text == str(scene.position)  # what was copied is of no use
    driver.press(pygame.K_u, mod=pygame.KMOD_CTRL)
    clipboard.write("nönsense\n")
    driver.press(pygame.K_v, mod=pygame.KMOD_CTRL)
    assert paste.text == "nönsense"
    driver.click("open")
    assert driver.app.scene is paste
    assert paste.fault
    assert "\n" not in paste.fault
    driver.click("cancel")
    assert driver.app.scene is scene


def test_lines_are_not_lost_without_a_question(driver: Driver) -> None:
    scene = board_of(driver)
    play(driver, "si-cs")
    for key in ("anew", "back"):
        driver.click(key)
        assert isinstance(driver.app.scene, ConfirmScene)
        driver.click("choice0")
        assert driver.app.scene is scene
    driver.click("anew")
    driver.click("choice1")
    assert len(scene_of(driver).tree) == 0


def test_a_replay_goes_over_to_a_tree_at_the_same_place_and_a_game_goes_on_from_there(driver: Driver) -> None:
    record = sample_record(moves=10, game=load("diamond_chase"))
    driver.app.push(ReplayScene(driver.app, record))
    driver.frames(2)
    driver.replay.look(4)
    driver.press(pygame.K_t)
    scene = scene_of(driver)
    assert scene.ply == 4
    assert [str(ply.move) for ply in scene.tree.plies()] == [str(move) for move in record.moves]
    driver.press(pygame.K_p)
    driver.frames(2)
    assert isinstance(driver.app.scene, GameScene)
    assert len(driver.app.scene.session.plies) == 4
    assert driver.app.scene.session.humans == [scene.position.side]


class Reversing(SolutionLookup):
    """Says of every position that it is won for whoever is to move, so that every move gives a win away."""

    @property
    def ready(self) -> bool:
        return True

    def exact(self, position: object) -> Exact:
        return Exact(1, 3)


def test_mistakes_are_marked_in_all_lines(driver: Driver) -> None:
    scene = board_of(driver)
    play(driver, "si-cs")
    driver.press(pygame.K_HOME)
    play(driver, "es-ei")
    assert scene._marks == {}
    driver.app.solution_lookup = Reversing(driver.app.game)
    driver.frames(2)
    assert set(scene._marks) == set(scene.tree.root.children)
    assert set(scene._marks.values()) == {"??"}
    assert "turned a win into a loss" in scene.status()
