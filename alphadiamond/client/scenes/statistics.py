"""What a person has achieved so far: by opponent, by colour, in a row, and how exactly."""

from dataclasses import replace
from typing import TYPE_CHECKING

from alphadiamond.client.layout import Space, columns
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
        tile = max(self.px(92), painter.text.line_step("heading") + painter.text.line_step("caption") + self.px(24))
        accuracy = f"{100 * total.accuracy:.0f} %" if total.accuracy is not None else "–"
        tiles = [
            (str(total.games), "games"),
            (f"{100 * total.score:.0f} %" if total.games else "–", "of the points"),
            (f"{now}", f"wins in a row, best {best}"),
            (f"{total.length:.0f}" if total.games else "–", "plies a game"),
            (accuracy, "exact moves"),
        ]
        space = Space(body)
        for number, (place, (value, text)) in enumerate(
            zip(columns(space.top(tile, gap), len(tiles), gap), tiles, strict=True)
        ):
            self.add(Tile(f"tile{number}", place, value, text))
        foot = Space(space.bottom(painter.look.control(), gap))
        self.add(Panel("panel", space.rest))
        inner = Space(space.rest.inflate(-2 * self.px(20), -2 * self.px(14)))
        strip = inner.bottom(self.px(26), gap)
        rows: list[Row] = [total, *self._by_side(), *statistics.by_opponent(game)] if total.games else []
        self.add(WinTable("table", inner.rest, rows))
        self.add(Timeline("timeline", strip, statistics.results(game)))
        button = foot.left(painter.text.width("Clear", "strong") + self.px(80))
        self.add(Button("clear", button, "Clear", self._ask, icon="trash", enabled=total.games > 0))

    def _by_side(self) -> list[Row]:
        drawing = self.app.game.drawing
        rows = self.app.statistics.by_colour(self.app.game)
        return [replace(row, name=f"As {drawing.side_name(drawing.side_of(row.name))}") for row in rows]

    def _ask(self) -> None:
        title, text = "Clear the statistics?", "All results will be forgotten."
        self.app.push(ConfirmScene(self.app, title, text, "Clear", self._clear, kind="danger", no="Keep them"))

    def _clear(self) -> None:
        self.app.statistics.clear(self.app.game)
        self.refresh()
