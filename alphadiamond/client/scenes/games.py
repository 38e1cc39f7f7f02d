"""Kept games: to replay, to go on with, or to remove."""

from typing import TYPE_CHECKING

from alphadiamond.base.record import GameRecord
from alphadiamond.client.layout import Space, columns
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.widgets import Button, Item, ItemList, Panel
from alphadiamond.games import all_games
from alphadiamond.play.library import SUFFIX, SavedGame
from alphadiamond.play.opponents import titles_of
from alphadiamond.play.session import HUMAN, Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class GamesScene(PageScene):
    heading = "Games"
    subtitle = "Those you have saved; a record dropped on the window opens too"

    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self.games: list[SavedGame] = []
        self.chosen = 0

    def entered(self) -> None:
        self.games = self.app.library.games()
        self.chosen = min(self.chosen, max(0, len(self.games) - 1))
        self.refresh()

    @property
    def record(self) -> GameRecord | None:
        return self.games[self.chosen].record if self.games else None

    def build(self) -> None:
        painter, gap = self.painter, self.gap
        body = self.build_page()
        space = Space(body)
        foot = space.bottom(painter.look.control(), gap)
        box = space.rest
        self.add(Panel("panel", box))
        row = max(self.px(62), painter.text.height("strong") + painter.text.height("caption") + self.px(18))
        items = [self._item(game) for game in self.games]
        self.add(
            ItemList(
                "games",
                box.inflate(-self.px(24), -self.px(24)),
                items,
                self.chosen,
                self._choose,
                on_take=lambda _: self.replay(),
                row_height=row,
                empty=f"No game saved yet. Press S during a game, or drop a {SUFFIX} file here.",
            )
        )
        if self.focus_key in ("", "back"):
            self.focus_key = "games"
        record = self.record
        running = record is not None and record.result == "*"
        buttons = [
            ("remove", "Remove", "trash", "glass", self.ask_remove, bool(self.games)),
            ("go-on", "Play on", "person", "glass", self.go_on, running),
            ("replay", "Replay", "play", "primary", self.replay, record is not None),
        ]
        for place, (key, text, icon, kind, action, enabled) in zip(columns(foot, 3, gap), buttons, strict=True):
            self.add(Button(key, place, text, action, icon=icon, kind=kind, enabled=enabled))

    def _item(self, game: SavedGame) -> Item:
        if game.record is None:
            return Item(game.path.name, game.fault, "warning", enabled=False)
        names = titles_of(game.record.players)
        return Item(
            f"{names[0]} – {names[1]}",
            f"{game.record.game.title}  ·  {game.note}" if len(all_games()) > 1 else game.note,
            "eye",
            right="draw" if game.record.result == "draw" else f"{game.winner} won" if game.winner else "",
        )

    def _choose(self, number: int) -> None:
        self.chosen = number
        self.refresh()

    def replay(self) -> None:
        if self.record is not None:
            self.app.push(ReplayScene(self.app, self.record))

    def go_on(self) -> None:
        if self.record is not None and self.record.result == "*":
            session = Session.of_record(self.record).without_programs()
            self.app.use_game(session.game)
            for side in session.game.sides:
                name = session.seat(side)
                if name != HUMAN and self.app.roster.fault(name):
                    session.give_seat(side, self.app.roster.best())
            self.app.start(GameScene(self.app, session))

    def ask_remove(self) -> None:
        if self.games:
            name = self.games[self.chosen].path.name
            text = f"{name} will be deleted."
            self.app.push(
                ConfirmScene(self.app, "Remove this game?", text, "Remove", self._remove, kind="danger", no="Keep it")
            )

    def _remove(self) -> None:
        self.app.library.remove(self.games[self.chosen].path)
        self.entered()
