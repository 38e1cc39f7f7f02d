"""Driving the real window with posted events, as a hand would."""

import time
from collections.abc import Callable

import pygame

from alphadiamond.client.app import App
from alphadiamond.client.board import BoardWidget
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.widgets import Widget
from alphadiamond.games.diamond_chase import Move

FRAME = 1 / 30


class Driver:
    def __init__(self, app: App) -> None:
        self.app = app
        self._count = 0
        self.said: list[str] = []
        toast = app.toast

        def hear(text: str) -> None:
            self.said.append(text)
            toast(text)

        app.toast = hear  # type: ignore[method-assign]
        pygame.event.clear()

    def frames(self, count: int = 1, dt: float = FRAME) -> None:
        for _ in range(count):
            for event in pygame.event.get():
                self.app.handle(event)
            self.app.update(dt)
            self._count += 1
            if self._count % 4 == 0:  # drawing changes nothing, so most frames go without
                self.app.draw()

    def until(self, done: Callable[[], bool], *, seconds: float = 120.0) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"it did not happen in time; {self.state}"
            self.frames()
            time.sleep(0.003)  # the players are threads here, and need their share

    @property
    def state(self) -> str:
        """Where the window is, and what it has said in passing."""
        keys = [widget.key for widget in self.app.scene.widgets]
        return f"{type(self.app.scene).__name__} with {keys}; it has said {self.said}"

    def post(self, kind: int, **values: object) -> None:
        pygame.event.post(pygame.event.Event(kind, values))
        self.frames()

    def widget(self, key: str) -> Widget:
        self.app.scene.layout()
        found = [widget for widget in self.app.scene.widgets if widget.key == key]
        assert found, f"no {key} among {[widget.key for widget in self.app.scene.widgets]}"
        return found[0]

    def has(self, key: str) -> bool:
        self.app.scene.layout()
        return any(widget.key == key for widget in self.app.scene.widgets)

    def click_at(self, point: tuple[float, float]) -> None:
        place = (round(point[0]), round(point[1]))
        self.post(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0))
        self.post(pygame.MOUSEBUTTONDOWN, pos=place, button=1)
        self.post(pygame.MOUSEBUTTONUP, pos=place, button=1)

    def click(self, key: str) -> None:
        self.click_at(self.widget(key).rect.center)

    def press(self, *keys: int, mod: int = 0) -> None:
        for key in keys:
            self.post(pygame.KEYDOWN, key=key, mod=mod, unicode="")
            self.post(pygame.KEYUP, key=key, mod=mod)

    def focus(self, key: str) -> None:
        """Get to a widget with Tab alone."""
        for _ in range(60):
            if self.app.scene.focus_key == key:
                return
            self.press(pygame.K_TAB)
        raise AssertionError(f"Tab never reaches {key}")

    @property
    def board(self) -> BoardWidget:
        board = self.widget("board")
        assert isinstance(board, BoardWidget)
        return board

    @property
    def game(self) -> GameScene:
        return next(scene for scene in reversed(self.app.stack) if isinstance(scene, GameScene))

    @property
    def replay(self) -> ReplayScene:
        assert isinstance(self.app.scene, ReplayScene)
        return self.app.scene

    def move(self, move: Move) -> None:
        """Play by two clicks."""
        self.click_at(self.board.geometry.point(move.source))
        self.click_at(self.board.geometry.point(move.target))

    def drag(self, move: Move) -> None:
        a, b = self.board.geometry.point(move.source), self.board.geometry.point(move.target)
        start, end = (round(a[0]), round(a[1])), (round(b[0]), round(b[1]))
        self.post(pygame.MOUSEMOTION, pos=start, rel=(0, 0), buttons=(0, 0, 0))
        self.post(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
        for k in range(1, 6):
            between = (start[0] + (end[0] - start[0]) * k // 5, start[1] + (end[1] - start[1]) * k // 5)
            self.post(pygame.MOUSEMOTION, pos=between, rel=(1, 1), buttons=(1, 0, 0))
        self.post(pygame.MOUSEBUTTONUP, pos=end, button=1)

    def type_move(self, move: Move) -> None:
        """Play by the keyboard alone: to the bead by Tab, to the target by Tab."""
        self.focus("board")
        for target in (move.source, move.target):
            for _ in range(30):
                if self.board.cursor == target:
                    break
                self.press(pygame.K_TAB)
                assert self.app.scene.focus_key == "board" or self.board.selected is None
                if self.app.scene.focus_key != "board":
                    self.focus("board")
            assert self.board.cursor == target
            self.press(pygame.K_RETURN)

    def wait_for_turn(self) -> None:
        self.until(lambda: (self.game.session.human_to_move and not self.game.board.busy) or self.game.session.over)
