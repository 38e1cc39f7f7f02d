"""Thousands of events of all kinds at random, and no error."""

import time

import numpy as np
import pygame
import pytest

from tests.client.driver import Driver

_KEYS = [
    *(pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_TAB, pygame.K_RETURN, pygame.K_SPACE),
    *(pygame.K_ESCAPE, pygame.K_a, pygame.K_b, pygame.K_h, pygame.K_m, pygame.K_n, pygame.K_p, pygame.K_r, pygame.K_s),
    *(pygame.K_u, pygame.K_HOME, pygame.K_END, pygame.K_COMMA, pygame.K_PERIOD, pygame.K_PAGEUP, pygame.K_F11),
]


@pytest.mark.parametrize("count", [2_500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_events_do_no_harm(driver: Driver, count: int) -> None:
    rng = np.random.default_rng(20)
    app = driver.app
    sizes = [(960, 600), (1100, 700), (1280, 800), (640, 400)]
    seen = set()
    for number in range(count):
        width, height = app.display.get_size()
        where = (int(rng.integers(width)), int(rng.integers(height)))
        widgets = app.scene.widgets
        if widgets and rng.random() < 0.6:
            where = widgets[rng.integers(len(widgets))].rect.center
        kind = rng.random()
        if kind < 0.30:
            event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=where, button=int(rng.choice([1, 1, 1, 2, 3])))
        elif kind < 0.55:
            event = pygame.event.Event(pygame.MOUSEBUTTONUP, pos=where, button=1)
        elif kind < 0.70:
            event = pygame.event.Event(pygame.MOUSEMOTION, pos=where, rel=(1, 1), buttons=(0, 0, 0))
        elif kind < 0.73:
            event = pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=int(rng.integers(-3, 4)))
        elif kind < 0.999:
            mod = int(rng.choice([0, 0, pygame.KMOD_SHIFT]))
            event = pygame.event.Event(pygame.KEYDOWN, key=int(rng.choice(_KEYS)), mod=mod, unicode="")
        else:
            size = sizes[rng.integers(len(sizes))]
            event = pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
        pygame.event.post(event)
        for posted in pygame.event.get():
            app.handle(posted)
        seen.add(type(app.scene).__name__)
        if number % 20 == 0:
            app.frame(0.05)
        else:
            app.update(0.01)
        if not app.running:  # quitting is an answer too
            app.running = True
        if number % 500 == 0:
            time.sleep(0.01)  # let the players' threads have a turn
    assert len(seen) >= 8
