"""The result over the final position, and what one might want next."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.effects import Effects
from alphadiamond.client.layout import Space, centred, columns, grid
from alphadiamond.client.motion import Tween, ease_back
from alphadiamond.client.results import person_result
from alphadiamond.client.scene import Scene
from alphadiamond.client.widgets import Button, Label, Paragraph

if TYPE_CHECKING:
    from alphadiamond.client.app import App
    from alphadiamond.client.scenes.game import GameScene


class GameOverScene(Scene):
    overlay = True

    def __init__(self, app: "App", game: "GameScene") -> None:
        super().__init__(app)
        self.game = game
        self.effects: Effects = game.effects
        self._appear = Tween(app.painter.look.motion.slow)

    def build(self) -> None:
        painter, session = self.painter, self.game.session
        pad = self.px(36)
        width = min(self.px(600 if self.game.session.drawing.ways is None else 760), self.area.width - 2 * self.margin)
        control = painter.look.control()
        title, reason = self._words()
        heading = painter.text.line_step("title")
        body = painter.text.paragraph_height(reason, "body", width - 2 * pad)
        beads = self.px(44)
        facts = self._facts()
        rows = 2 if session.drawing.ways is None else 3
        block = painter.text.line_step("lead") + painter.text.line_step("caption")
        height = (
            pad
            + beads
            + self.gap
            + heading
            + self.px(4)
            + body
            + self.px(22)
            + block
            + self.px(26)
            + rows * control
            + (rows - 1) * self.gap
            + pad
        )
        self.box = centred((width, height), self.area)
        space = Space(self.box.inflate(-2 * pad, -2 * pad))
        self.bead_row = space.top(beads, self.gap)
        self.add(Label("title", space.top(heading, self.px(4)), title, style="title", align="center"))
        self.add(Paragraph("reason", space.top(body, self.px(22)), reason, colour="muted", align="center"))
        lead, small = painter.text.line_step("lead"), painter.text.line_step("caption")
        parts = columns(space.top(block, self.px(26)), len(facts), 0)
        for number, (place, (value, name)) in enumerate(zip(parts, facts, strict=True)):
            part = Space(place)
            self.add(Label(f"value{number}", part.top(lead), value, style="lead", colour="accent", align="center"))
            self.add(Label(f"fact{number}", part.top(small), name, style="caption", colour="muted", align="center"))
        person = len(session.humans) == 1
        swap = "Swap colours" if person else "Swap sides"
        first: list[tuple[str, str, str, str, Callable[[], None]]] = [
            ("again", "Play again", "new", "primary", self._again),
            ("swap", swap, "swap", "glass", self._swap),
        ]
        if session.returns:  # each drawn board is played twice
            first = [
                ("again", "Return game", "swap", "primary", self._again),
                ("fresh", "New board", "new", "glass", self._fresh),
            ]
        ways: list[tuple[str, str, str, str, Callable[[], None]]] = []
        if session.drawing.ways is not None:
            ways = [
                ("simulation", "Path finders", "chips", "glass", self._simulation),
                ("log", "Log, coded", "chart", "glass", self._log),
            ]
        buttons = [
            *first,
            *ways,
            ("review", "Review the game", "eye", "glass", self._review),
            ("menu", "Title", "door", "glass", self.app.home),
        ]
        places = grid(space.rest, len(buttons), across=2, height=control, gap=self.gap)
        for place, (key, text, icon, kind, action) in zip(places, buttons, strict=True):
            self.add(Button(key, place, text, action, icon=icon, kind=kind))

    def _words(self) -> tuple[str, str]:
        game = self.game
        result = person_result(game.session)
        session = game.session
        winner = session.winner
        titles = {"won": "You win", "lost": "You lose", "drawn": "A draw"}
        title = titles.get(result) or (
            "A draw" if winner is None else f"{session.drawing.side_name(winner).capitalize()} wins"
        )
        reason = game.result_text().partition(": ")[2] or game.result_text()
        return title, reason[:1].upper() + reason[1:] + "."

    def _facts(self) -> list[tuple[str, str]]:
        session = self.game.session
        facts = [(str(len(session.plies)), "plies")] if session.drawing.ways is None else self._efficiency()
        person = session.humans[0] if len(session.humans) == 1 else None
        score = session.drawing.score(session.position, person)
        if score is not None:
            facts.append(score)
        judged, kept = self.game.solution_lookup.accuracy(session.plies, person) if person is not None else (0, 0)
        if judged:
            facts.append((f"{100 * kept / judged:.0f} %", "exact moves"))
        else:
            seconds = int(sum(session.clocks.values()))
            facts.append((f"{seconds // 60}:{seconds % 60:02}", "minutes"))
        return facts

    def _efficiency(self) -> list[tuple[str, str]]:
        """The cheapest way there was as a share of what was paid, of the person or of both."""
        session = self.game.session
        assert session.drawing.ways is not None
        sides = session.humans if len(session.humans) == 1 else session.game.sides
        results = [session.drawing.ways.result(session.start, session.position, side) for side in sides]
        shares = " – ".join("–" if share is None else f"{100 * share:.0f} %" for _, _, share in results)
        cheapest = " and ".join(str(least) for _, least, _ in results)
        return [(shares, f"efficiency, cheapest {cheapest}")]

    def _fresh(self) -> None:
        self.app.pop()
        self.game.new_game(fresh=True)

    def _simulation(self) -> None:
        from alphadiamond.client.scenes.simulation import SimulationScene

        session = self.game.session
        side = session.humans[0] if len(session.humans) == 1 else session.game.sides[0]
        self.app.push(SimulationScene(self.app, session.start, side=side))

    def _log(self) -> None:
        from alphadiamond.client.scenes.log import LogScene

        self.app.push(LogScene(self.app, self.game.session))

    def _again(self) -> None:
        self.app.pop()
        self.game.new_game()

    def _swap(self) -> None:
        self.app.pop()
        self.game.new_game(swap=True)

    def _review(self) -> None:
        from alphadiamond.client.scenes.replay import ReplayScene

        self.app.start(ReplayScene(self.app, self.game.session.record()))

    def tick(self, dt: float) -> None:
        self._appear.update(dt)

    def paint(self, surface: pygame.Surface) -> None:
        painter = self.painter
        painter.solid(surface, self.box)
        winner = self.game.session.winner
        radius = self.bead_row.height / 2
        sides = [winner] if winner is not None else list(self.game.session.game.sides)
        for number, side in enumerate(sides):
            x = self.bead_row.centerx + (number - (len(sides) - 1) / 2) * radius * 2.6
            centre = (x, self.bead_row.centery)
            painter.glow(surface, centre, radius * 3, painter.theme.bead(side), 0.6)
            painter.piece(surface, centre, radius * max(0.1, ease_back(self._appear.progress)), side)

    def paint_over(self, surface: pygame.Surface) -> None:
        self.effects.draw(surface, self.painter)
