"""Choosing players: every registered one, the network first, those that cannot be had with the reason."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.agents import PlayerSpec
from alphadiamond.client.layout import Space
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import Button, Item, ItemList, Label, Panel, Paragraph, Segments
from alphadiamond.client.widgets.match import MatchUp
from alphadiamond.play.opponents import ADAPTIVE, Opponent, short_title_of, title_of, titles_of
from alphadiamond.play.session import Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_ICONS = {"neural": "diamond", "levels": "chart", "perfect": "check", "adaptive": "swap"}


class OpponentScene(PageScene):
    def __init__(self, app: "App", *, watch: bool = False) -> None:
        super().__init__(app)
        self.watch = watch
        self.heading = "Watch two players" if watch else "Choose your opponent"
        self.sides = app.game.sides
        self.drawing = app.game.drawing
        self.subtitle = f"{self._side(0)} moves first"
        found = app.roster.opponents
        wanted = app.roster.usable(app.settings.opponent)
        start, level = _place(found, wanted)
        best, best_level = _place(found, app.roster.best())
        self.seats = {self.sides[0]: [best, best_level], self.sides[1]: [start, level]}
        """For each seat: which opponent, which level."""
        self.seat = self.sides[1]
        """Whose player the list chooses, when watching."""

    def _side(self, number: int) -> str:
        return self.drawing.side_names[number].capitalize()

    @property
    def mine(self) -> Any:
        """The person's side."""
        return self.drawing.side_of(self.app.settings.colour)

    @property
    def opponents(self) -> list[Opponent]:
        return self.app.roster.opponents

    @property
    def chosen(self) -> Opponent:
        return self.opponents[min(self.seats[self.seat][0], len(self.opponents) - 1)]

    def spec(self, side: Any) -> str:
        number, level = self.seats[side]
        opponent = self.opponents[min(number, len(self.opponents) - 1)]
        spec = opponent.levels[min(level, len(opponent.levels) - 1)].spec
        if PlayerSpec.of_seat(spec).name != ADAPTIVE:
            return spec
        return str(PlayerSpec.parse(spec).having(strength=f"{self.app.settings.adaptive_strength:g}"))

    def build(self) -> None:
        painter = self.painter
        body = self.build_page()
        halves = Space(body)
        left = halves.left(round(body.width * 0.52), self.px(20))
        self.add(Panel("list-panel", left))
        pad = self.px(12)
        row = max(self.px(62), painter.text.height("strong") + painter.text.height("caption") + self.px(18))
        items = [self._item(opponent) for opponent in self.opponents]
        self.add(
            ItemList(
                "players",
                left.inflate(-2 * pad, -2 * pad),
                items,
                self.seats[self.seat][0],
                self._choose,
                on_take=lambda _: self.start(),
                row_height=row,
            )
        )
        if self.focus_key in ("", "back"):
            self.focus_key = "players"
        self._build_details(halves.rest)

    def _item(self, opponent: Opponent) -> Item:
        fault = self.app.roster.fault(opponent.spec)
        note = fault or opponent.blurb
        checking = "checking" if fault is None and self.app.analysts_busy_checking() else ""
        return Item(opponent.title, note, _ICONS.get(opponent.name, "chip"), enabled=not fault, right=checking)

    def _build_details(self, box: pygame.Rect) -> None:
        painter, gap = self.painter, self.gap
        self.add(Panel("details", box))
        pad = self.px(22)
        space = Space(box.inflate(-2 * pad, -2 * pad))
        control = painter.look.control()
        if self.watch:
            names = [f"{self._side(int(side))}: {self.opponents[self.seats[side][0]].title}" for side in self.sides]
            self._choice("seat", "Choosing for", space, names, int(self.seat), self._choose_seat)
        else:
            names = [f"{self._side(0)}, first", f"{self._side(1)}, second"]
            self._choice("colour", "You play", space, names, int(self.mine), self._choose_colour)
        opponent = self.chosen
        if len(opponent.levels) > 1:
            labels = [level.label for level in opponent.levels]
            self._choice("level", "Level", space, labels, self.seats[self.seat][1], self._choose_level)
        start = space.bottom(round(control * 1.2), gap)
        fault = self.app.roster.fault(self.spec(self.seat)) or ""
        if opponent.name == "neural":
            self.add(Button("network", space.bottom(control, gap), "Choose a network", self._networks, icon="folder"))
        if opponent.name == "perfect" and fault and self.drawing.solving:
            self.add(Button("build", space.bottom(control, gap), "Solve the game now", self._solve, icon="diamond"))
        name = painter.text.line_step("lead")
        if name < space.rest.height:
            self.add(Label("name", space.top(name, self.px(4)), opponent.title, style="lead", colour="accent"))
        text = f"Not available: {fault}." if fault else f"{opponent.blurb}."
        tone = "danger" if fault else "muted"
        line = painter.text.line_step("body")
        height = painter.text.paragraph_height(text, "body", space.rest.width)
        if height <= space.rest.height:
            self.add(Paragraph("about", space.top(height), text, colour=tone))
        elif line <= space.rest.height:
            self.add(Label("about", space.top(line), text, colour=tone, fit=True))
        space.top(gap)
        if space.rest.height >= MatchUp.height_for(painter):
            self.add(MatchUp("match", space.rest, *self._match()))
        usable = not any(
            self.app.roster.fault(self.spec(side)) for side in (self.sides if self.watch else self.sides[1:])
        )
        self.add(Button("start", start, "Start", self.start, icon="play", kind="primary", enabled=usable))

    def _choice(
        self, key: str, text: str, space: Space, names: list[str], chosen: int, choose: Callable[[int], None]
    ) -> None:
        """A line that says what is chosen, and the choices below it."""
        place = space.top(self.painter.text.line_step("label"), self.px(4))
        self.add(Label(f"{key}-label", place, text, style="label", colour="muted"))
        style = "caption" if len(names) > 3 else "label"
        self.add(Segments(key, space.top(self.painter.look.control(), self.gap), names, chosen, choose, style=style))

    def _match(self) -> tuple[dict[Any, str], str]:
        """The names at the two seats, and the results against this opponent."""
        if self.watch:
            names = titles_of((self.spec(self.sides[0]), self.spec(self.sides[1])), short=True)
            return dict(zip(self.sides, names, strict=True)), ""
        mine = self.mine
        rival = self.spec(self.sides[1])
        title = title_of(rival)
        row = next((row for row in self.app.statistics.by_opponent(self.app.game) if row.name == title), None)
        note = (
            f"So far {row.won} won, {row.drawn} drawn, {row.lost} lost" if row else "Your first game against this one"
        )
        return {mine: "You", mine.other: short_title_of(rival)}, note

    def _choose(self, number: int) -> None:
        self.app.sounds.play("click")
        self.seats[self.seat] = [number, self.opponents[number].usual]
        self.refresh()

    def _choose_seat(self, number: int) -> None:
        self.seat = self.sides[number]
        self.refresh()

    def _choose_colour(self, number: int) -> None:
        self.app.settings.colour = str(self.sides[number])
        self.app.save_settings()
        self.refresh()

    def _choose_level(self, number: int) -> None:
        self.seats[self.seat][1] = number
        self.refresh()

    def _networks(self) -> None:
        from alphadiamond.client.scenes.networks import NetworksScene

        self.app.push(NetworksScene(self.app))

    def _solve(self) -> None:
        from alphadiamond.client.scenes.solve import SolveScene

        self.app.push(SolveScene(self.app))

    def start(self) -> None:
        if self.watch:
            specs = [self.spec(side) for side in self.sides]
            if not any(self.app.roster.fault(spec) for spec in specs):
                self.app.start(GameScene(self.app, Session(specs[0], specs[1], game=self.app.game)))
            return
        spec = self.spec(self.sides[1])
        if self.app.roster.fault(spec):
            self.app.sounds.play("refuse")
            return
        self.app.settings.opponent = spec
        self.app.save_settings()
        self.app.start(GameScene.against(self.app, spec, self.app.settings.colour))


def _place(opponents: list[Opponent], spec: str) -> tuple[int, int]:
    """Where a spec stands among the opponents and their levels."""
    for number, opponent in enumerate(opponents):
        for level, one in enumerate(opponent.levels):
            if one.spec == spec:
                return number, level
    name = PlayerSpec.of_seat(spec).name
    for number, opponent in enumerate(opponents):
        if opponent.name == name:
            return number, opponent.usual
    return 0, opponents[0].usual
