"""Countdown clocks of games that are played here."""

import pygame

from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_over import GameOverScene
from alphadiamond.client.widgets.choices import Segments
from alphadiamond.play.session import Clock
from tests.client.driver import Driver


def choose_clock(driver: Driver, number: int) -> None:
    driver.click("new")
    clock = driver.widget("clock")
    assert isinstance(clock, Segments)
    driver.click_at(clock.part(number).center)


def two_moves(driver: Driver) -> GameScene:
    game = driver.game
    for _ in range(2):
        driver.move(game.session.position.moves()[0])
        driver.until(lambda: not game.board.busy)
    return game


def test_two_people_play_by_a_clock_and_whoever_has_none_left_has_lost(driver: Driver) -> None:
    choose_clock(driver, 1)
    assert driver.app.settings.clock == "60+1"
    driver.click("people")
    game = two_moves(driver)
    first, second = game.session.game.sides
    assert game.session.clock == Clock(60, 1)
    assert game.cards[first].countdown
    driver.frames(30, dt=0.1)
    assert 56 < game.session.left[first] < 57.2
    game.session.left[first] = 9.36
    game.arrange()
    assert game.cards[first]._clock() == ("9.3", True)
    game.look(0)  # looking back stops no clock
    driver.frames(10, dt=0.1)
    assert game.session.left[first] < 8.5
    driver.frames(90, dt=0.1)
    assert game.session.flagged is first
    assert game.result_text().endswith("wins by time")
    game.look(0)
    game.take_back()  # not any more
    assert game.session.flagged is first
    assert driver.said[-1] == "The time is up."
    game.look(2)
    driver.until(lambda: isinstance(driver.app.scene, GameOverScene))
    assert driver.app.library.running() is None
    driver.click("again")
    assert driver.game.session.left == {first: 60.0, second: 60.0}


def test_a_left_game_goes_on_with_the_time_that_was_left(driver: Driver) -> None:
    choose_clock(driver, 2)
    driver.click("people")
    game = two_moves(driver)
    first = game.session.to_move
    driver.frames(50, dt=0.1)
    left = game.session.left[first]
    assert left < 176
    driver.press(pygame.K_ESCAPE)
    driver.click("choice1")
    driver.click("continue")
    assert driver.game is not game
    assert abs(driver.game.session.left[first] - left) < 0.5


def test_a_player_has_a_clock_too_and_without_one_time_counts_up(driver: Driver) -> None:
    driver.app.settings.clock = "180+2"
    driver.click("play")
    assert driver.game.session.clock == Clock(180, 2)
    driver.wait_for_turn()
    driver.press(pygame.K_ESCAPE)
    driver.app.home()
    driver.app.settings.clock = ""
    driver.frames(2)
    driver.click("play")
    driver.frames(5, dt=0.1)
    card = driver.game.cards[driver.game.session.to_move]
    assert not card.countdown
    assert card.seconds is not None
    assert card.seconds > 0
