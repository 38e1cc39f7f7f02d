"""What a person has achieved so far: by opponent, by colour, in a row, and how exactly."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.game_picker import add_games
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.statistics import Row
from alphadiamond.client.widgets import Button, Panel
from alphadiamond.client.widgets.tables import Tile, Timeline, WinTable

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class StatisticsScene(PageScene):
    heading = "Statistics"

    def __init__(self, app: "App") -> None:
        super().__init__(app)

    def build(self) -> None:
        painter, gap = self.painter, self.gap
        body = self.build_page()
        statistics, game = self.app.statistics, self.app.game
        body = add_games(self, body)
        total = statistics.total(game)
        now, best = statistics.streaks(game)
        control = painter.look.control()
        tile = max(self.px(92), painter.text.line_step("heading") + painter.text.line_step("caption") + self.px(24))
        accuracy = f"{100 * total.accuracy:.0f} %" if total.accuracy is not None else "–"
        tiles = [
            (str(total.games), "games"),
            (f"{100 * total.score:.0f} %" if total.games else "–", "of the points"),
            (f"{now}", f"wins in a row, best {best}"),
            (f"{total.length:.0f}" if total.games else "–", "plies a game"),
            (accuracy, "exact moves"),
        ]
        width = (body.width - gap * (len(tiles) - 1)) // len(tiles)
        for number, (value, text) in enumerate(tiles):
            rect = pygame.Rect(body.left + number * (width + gap), body.top, width, tile)
            self.add(Tile(f"tile{number}", rect, value, text))
        top = body.top + tile + gap
        box = pygame.Rect(body.left, top, body.width, body.bottom - control - gap - top)
        self.add(Panel("panel", box))
        inner = box.inflate(-2 * self.px(20), -2 * self.px(14))
        strip = self.px(26)
        rows: list[Row] = [total, *self._by_side(), *statistics.by_opponent(game)] if total.games else []
        table = WinTable("table", pygame.Rect(inner.left, inner.top, inner.width, inner.height - strip - gap), rows)
        self.add(table)
        self.add(
            Timeline(
                "timeline", pygame.Rect(inner.left, inner.bottom - strip, inner.width, strip), statistics.results(game)
            )
        )
        button = painter.text.width("Clear", "strong") + self.px(80)
        self.add(
            Button(
                "clear",
                pygame.Rect(body.left, body.bottom - control, button, control),
                "Clear",
                self._ask,
                icon="trash",
                enabled=total.games > 0,
            )
        )

    def _by_side(self) -> list[Row]:
        drawing = self.app.game.drawing
        rows = self.app.statistics.by_colour(self.app.game)
        return [replace(row, name=f"As {drawing.side_name(drawing.side_of(row.name))}") for row in rows]

    def _ask(self) -> None:
        choices = [("Keep them", "glass", lambda: None), ("Clear", "danger", self._clear)]
        self.app.push(ConfirmScene(self.app, "Clear the statistics?", "All results will be forgotten.", choices))

    def _clear(self) -> None:
        self.app.statistics.clear(self.app.game)
        self.refresh()
