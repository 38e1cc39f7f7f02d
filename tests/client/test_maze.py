"""A maze in the real window: steps, ways, fog, passes, what the end tells, path finders side by side, logs."""

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from alphadiamond.client.app import App
from alphadiamond.client.board.maze import MazeArt
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_over import GameOverScene
from alphadiamond.client.scenes.log import LogScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.scenes.simulation import SimulationScene
from alphadiamond.client.scenes.title import TitleScene
from alphadiamond.client.settings import Settings
from alphadiamond.client.showcase import WAY_SCENES, sample_record, stage
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.widgets import Label
from alphadiamond.games.labyrinth import Position, Side
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.play.session import HUMAN, Session
from tests.client.driver import Driver
from tests.client.test_layout import faults_of
from tests.games.labyrinth.test_rules import FIRST, START


def opened(tmp_path: Path, size: tuple[int, int] = (960, 600), text: str = "normal") -> App:
    settings = Settings(reduced_motion=True, game="labyrinth", opponent="random", text_size=text)
    app = App(headless=True, size=size, process=False, settings=settings, directory=tmp_path, seed=1)
    app.stack.append(TitleScene(app))
    app.scene.entered()
    return app


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    monkeypatch.setattr(SolutionLookup, "load", lambda self: None)
    monkeypatch.setattr(App, "check_players", lambda self: None)
    driver = Driver(opened(tmp_path))
    driver.frames(2)
    yield driver
    if driver.app.running:
        driver.app.close()


def play(driver: Driver, position: str = f"{FIRST} {START}", *, second: str = HUMAN) -> GameScene:
    session = Session(HUMAN, second, game=GAME, start=Position.parse(position))
    driver.app.push(GameScene(driver.app, session))
    driver.frames(2)
    return driver.game


def moves(scene: GameScene) -> list[str]:
    return [str(ply.move) for ply in scene.session.plies]


def point_at(driver: Driver, name: str) -> tuple[int, int]:
    x, y = driver.board.geometry.point(GAME.drawing.names.index(name))
    driver.post(pygame.MOUSEMOTION, pos=(round(x), round(y)), rel=(0, 0), buttons=(0, 0, 0))
    return round(x), round(y)


def texts(driver: Driver) -> str:
    return " / ".join(widget.text for widget in driver.app.scene.widgets if isinstance(widget, Label))


def test_a_cell_beside_the_runner_is_one_click_away(driver: Driver) -> None:
    scene = play(driver)
    driver.click_at(point_at(driver, "b1"))
    assert moves(scene) == ["e"]


def test_a_far_cell_shows_the_cheapest_way_and_a_click_takes_its_first_step(driver: Driver) -> None:
    scene = play(driver)
    place = point_at(driver, "i9")
    way = driver.board.way
    assert way is not None
    cheapest = GAME.drawing.ways.cheapest(scene.session.position, Side.A)
    assert way.path == cheapest.path
    assert way.text == f"{cheapest.steps} steps, cost {cheapest.cost}"
    driver.click_at(place)
    assert moves(scene) == ["e"]
    driver.until(lambda: not scene.board.busy)
    point_at(driver, "f1")
    assert driver.board.way is None, "no way leads into a wall"


def test_digits_step_as_they_lie_on_a_keypad(driver: Driver) -> None:
    scene = play(driver)
    driver.focus("board")
    driver.press(pygame.K_KP6)
    driver.until(lambda: not scene.board.busy)
    driver.press(pygame.K_4)
    assert moves(scene) == ["e", "w"]
    driver.press(pygame.K_8)
    assert moves(scene) == ["e", "w"], "north of b1 is a wall"


def test_whoever_is_at_home_passes_without_being_asked(driver: Driver) -> None:
    scene = play(driver, f"{FIRST} i9 c1 300 300 6 a")
    driver.until(lambda: moves(scene) == ["-"])
    driver.click_at(point_at(driver, "b1"))
    driver.until(lambda: moves(scene) == ["-", "w", "-"])
    assert scene.session.human_to_move


def test_a_take_back_goes_past_passes_to_a_choice(driver: Driver) -> None:
    scene = play(driver, f"{FIRST} h9 c1 300 300 6 a", second="random")
    driver.click_at(point_at(driver, "i9"))
    driver.until(lambda: len(scene.session.plies) > 2)
    driver.press(pygame.K_u)
    assert scene.session.plies == []
    assert scene.session.position.cells[Side.A] == GAME.drawing.names.index("h9")


def test_in_a_fog_only_what_is_near_is_seen_and_nobody_tells_of_the_rest(driver: Driver) -> None:
    scene = play(driver, f"{FIRST} g6 a9 196 198 18 a", second="random")
    assert scene.board.seen is None
    driver.press(pygame.K_f)
    driver.frames(2)
    assert scene.board.seen == GAME.drawing.ways.in_sight([scene.session.position], Side.A)
    assert scene.cards[Side.B].tally.words == "somewhere in the fog"
    assert "on g6" in scene.cards[Side.A].tally.words
    assert scene.bar is not None
    assert scene.bar.value == 0.0
    point_at(driver, "a9")
    assert driver.board.way is None, "the way there is not known"
    scene._play(scene.session.position.moves()[0])
    scene._play(scene.session.position.moves()[0])
    driver.frames(2)
    assert scene.moves is not None
    assert [ply.text for ply in scene.moves.plies] == [moves(scene)[0], "·"]
    driver.press(pygame.K_a)
    driver.frames(2)
    assert scene.panel is not None
    assert (scene.panel.message, scene.board.arrows) == ("Hidden in the fog", ()), "a player's view would tell"
    driver.press(pygame.K_a)
    scene.resign()
    driver.frames(2)
    assert scene.board.seen is None, "at the end the fog lifts"


def test_a_trail_is_not_drawn_across_the_fog(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = play(driver)
    scene.board.trails = {Side.B: (80, 79, 78, 77, 76)}
    scene.board.seen = frozenset({80, 77, 76})
    drawn: list[float] = []
    monkeypatch.setattr(driver.app.painter, "disc", lambda surface, place, *_: drawn.append(place[0]))
    MazeArt(scene.board, driver.app.surface, driver.app.painter)._draw_trails()
    at = [scene.board.geometry.point(cell)[0] for cell in (76, 77)]
    unit = scene.board.geometry.unit
    assert drawn
    assert all(at[0] - unit / 2 < x < at[1] + unit / 2 for x in drawn), "and from f9 to the corner nothing"


def test_the_end_tells_the_efficiency_and_shows_the_cheapest_way(driver: Driver) -> None:
    record = sample_record(second="random", game=GAME)
    scene = GameScene(driver.app, Session.of_record(record))
    driver.app.push(scene)
    driver.frames(2)
    cheapest = GAME.drawing.ways.cheapest(record.start, Side.A)
    assert scene.board.best_ways == {Side.A: cheapest.path}
    assert scene.board.trails[Side.A][0] == 0
    driver.app.push(GameOverScene(driver.app, scene))
    driver.frames(2)
    paid = scene.session.position.totals[Side.A]
    assert f"efficiency, cheapest {cheapest.cost}" in texts(driver)
    assert f"{100 * cheapest.cost / paid:.0f} %" in texts(driver)
    driver.click("log")
    assert isinstance(driver.app.scene, LogScene)
    log = GAME.drawing.ways.log(scene.session.plies, Side.A)
    assert f"{8 * len(log)} bits plain" in texts(driver)


def test_a_log_of_one_letter_is_not_coded_to_nothing(driver: Driver) -> None:
    session = Session(game=GAME, start=Position.parse(f"{FIRST} {START}"))
    for text in ("e", "w", "e", "w", "e"):
        session.play(GAME.move_in(session.position, text))
    driver.app.push(LogScene(driver.app, session))
    driver.frames(2)
    assert "24 bits plain, 3 coded: 88 % saved" in texts(driver)
    assert "16 bits plain, 2 coded: 88 % saved" in texts(driver)


def test_every_board_is_played_twice_with_seats_exchanged(driver: Driver) -> None:
    session = Session(HUMAN, "random", game=GAME)
    scene = GameScene(driver.app, session)
    driver.app.push(scene)
    scene.resign()
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    driver.click("again")
    driver.frames(2)
    second = driver.game.session
    assert second.start == session.start
    assert second.seats == ("random", HUMAN)
    driver.game.resign()
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    driver.click("again")
    assert driver.game.session.start != session.start


def simulation(driver: Driver) -> SimulationScene:
    assert isinstance(driver.app.scene, SimulationScene)
    return driver.app.scene


def test_path_finders_walk_one_maze_side_by_side(driver: Driver) -> None:
    driver.click("simulation")
    scene = simulation(driver)
    assert list(scene.boards) == list(GAME.drawing.ways.finders)
    driver.until(lambda: scene.frame > 3)
    driver.press(pygame.K_SPACE)
    frame = scene.frame
    driver.frames(5)
    assert scene.frame == frame, "it is paused"
    driver.press(pygame.K_PERIOD)
    assert scene.frame == frame + 1
    driver.press(pygame.K_COMMA, pygame.K_COMMA)
    assert scene.frame == frame - 1
    for name, board in scene.boards.items():
        assert board.moment == scene.walks[name].at(frame - 1)
    driver.press(pygame.K_END)
    assert scene.frame == scene.last
    rows = {title: row for title, row, _ in scene.table._rows}
    walk = scene.walks["a_star"]
    assert walk.efficiency is not None
    assert rows["A*"] == (str(walk.seen), str(walk.steps), str(walk.cost), f"{100 * walk.efficiency:.0f} %")


def test_heuristics_the_map_and_the_maze_can_be_exchanged(driver: Driver) -> None:
    driver.click("simulation")
    scene = simulation(driver)
    before = scene.walks
    scene._choose(1)
    assert {walk.heuristic for walk in scene.walks.values()} == {"manhattan", ""}
    assert scene.walks["dijkstra"] == before["dijkstra"]
    driver.press(pygame.K_d)
    assert scene.boards["a_star"].distances == GAME.drawing.ways.distances(scene.position, scene.side)
    driver.press(pygame.K_d)
    assert not scene.boards["a_star"].distances
    position = scene.position
    driver.press(pygame.K_n)
    assert scene.position != position


def test_a_replay_leads_to_both(driver: Driver) -> None:
    driver.app.push(ReplayScene(driver.app, sample_record(game=GAME)))
    driver.frames(2)
    driver.press(pygame.K_l)
    assert isinstance(driver.app.scene, LogScene)
    driver.press(pygame.K_ESCAPE, pygame.K_f)
    assert simulation(driver).position == Position.parse(Position.START)


@pytest.mark.parametrize(("size", "text"), [((960, 600), "largest"), ((1280, 800), "normal")], ids=str)
def test_everything_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], text: str
) -> None:
    monkeypatch.setattr(SolutionLookup, "load", lambda self: None)
    monkeypatch.setattr(App, "check_players", lambda self: None)
    app = opened(tmp_path, size, text)
    faults = []
    for name in ("title", "opponent", "game", "game-over", "tutorial", *WAY_SCENES):
        stage(app, name, frames=2, patient=False)
        faults += [f"{name}: {fault}" for fault in faults_of(app)]
    app.close()
    assert faults == []


def test_exact_values_are_margins() -> None:
    lookup = SolutionLookup(GAME)
    lookup.use(GAME.solution())
    position = Position.parse(f"{FIRST} g6 g7 196 148 19 b")
    found = {str(move): (exact.text, exact.score) for move, exact in lookup.moves(position).items()}
    assert found == {"n": ("loses by 12", "−12"), "e": ("wins by 4", "+4"), "w": ("wins by 10", "+10")}
