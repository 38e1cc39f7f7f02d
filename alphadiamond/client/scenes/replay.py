"""A recorded game, forwards and backwards, at any speed, with an evaluation of every position."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.record import GameRecord
from alphadiamond.client.player_process import Answer
from alphadiamond.client.scenes.board_scene import BoardScene
from alphadiamond.client.scenes.controls import Action, add_icons, add_speed
from alphadiamond.play import analysts
from alphadiamond.play.session import HUMAN, Session
from alphadiamond.play.variations import Variations

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_BETWEEN_MOVES = 1.1


class ReplayScene(BoardScene):
    honest = True

    def __init__(self, app: "App", record: GameRecord) -> None:
        session = Session.of_record(record)
        super().__init__(app, session)
        self.record = record
        self.title = "Replay"
        self.playing = False
        self._waited = 0.0
        self._evaluation_job = 0
        self._evaluated = False
        self.looking = 0
        self.board.show(session.start, None)

    def seat_name(self, side: Any) -> str:
        name = self.record.player(side)
        return self.drawing.side_name(side).capitalize() + " · person" if name == HUMAN else super().seat_name(side)

    def header_icons(self) -> list[tuple[str, str, Callable[[], None], str]]:
        icons = super().header_icons()
        icons.append(("tree", "tree", self.open_tree, "Try other moves (T)"))
        if self.drawing.ways is not None:
            icons.append(("simulation", "maze", self.open_simulation, "Path finders in this maze (F)"))
            icons.append(("log", "chart", self.open_log, "The logs, coded (L)"))
        return icons

    def open_tree(self) -> None:
        """The game as the main line of a tree, at the same place."""
        from alphadiamond.client.scenes.analysis import AnalysisScene

        tree = Variations.of_moves(self.session.game, self.session.start, self.record.moves)
        tree.at = tree.line()[self.ply]
        self.app.push(AnalysisScene(self.app, tree))

    def open_simulation(self) -> None:
        from alphadiamond.client.scenes.simulation import SimulationScene

        self.app.push(SimulationScene(self.app, self.session.start))

    def open_log(self) -> None:
        from alphadiamond.client.scenes.log import LogScene

        self.app.push(LogScene(self.app, self.session))

    def action_rows(self) -> int:
        return 2

    def actions(self, area: pygame.Rect) -> None:
        count = len(self.session.plies)
        buttons: list[Action] = [
            ("first", "first", lambda: self.look(0), "To the start (Home)", self.ply > 0),
            ("before", "step_back", lambda: self.look(self.ply - 1), "Back (,)", self.ply > 0),
            (
                "run",
                "pause" if self.playing else "play",
                self.toggle,
                "Pause (Space)" if self.playing else "Play (Space)",
                count > 0,
            ),
            ("after", "step", lambda: self.look(self.ply + 1), "Forward (.)", self.ply < count),
            ("last", "last", lambda: self.look(count), "To the end (End)", self.ply < count),
            ("fork", "person", self.play_on, "Play on from here (P)", self.position.outcome is None),
        ]
        add_icons(self, area, buttons)
        add_speed(self, area)
        if self.focus_key in ("", "back"):
            self.focus_key = "run"

    def toggle(self) -> None:
        self.playing = not self.playing
        self._waited = _BETWEEN_MOVES
        if self.playing and self.ply == len(self.session.plies):
            self.look(0)
        self.refresh()

    def play_on(self) -> None:
        """A person takes the side to move, the strongest player the other one."""
        from alphadiamond.client.scenes.game import GameScene

        if self.position.outcome is not None:
            return
        session = Session(game=self.session.game, start=self.record.start)
        for move in self.record.moves[: self.ply]:
            session.play(move)
        session.give_seat(self.position.side.other, self.app.roster.usable(self.app.settings.opponent))
        self.app.start(GameScene(self.app, session))

    def shortcut(self, key: int) -> bool:
        if key == pygame.K_SPACE:
            self.toggle()
        elif key == pygame.K_p:
            self.play_on()
        elif key == pygame.K_t:
            self.open_tree()
        elif key == pygame.K_f and self.drawing.ways is not None:
            self.open_simulation()
        elif key == pygame.K_l and self.drawing.ways is not None:
            self.open_log()
        elif key == pygame.K_LEFT:
            self.look(self.ply - 1)
        elif key == pygame.K_RIGHT:
            self.look(self.ply + 1)
        else:
            return super().shortcut(key)
        return True

    def move_seconds(self) -> float:
        return super().move_seconds() / max(1.0, self.app.settings.speed)

    def tick(self, dt: float) -> None:
        if self.playing and not self.board.busy:
            self._waited += dt * self.app.settings.speed
            if self._waited >= _BETWEEN_MOVES:
                self._waited = 0.0
                self.look(self.ply + 1)
                if self.ply == len(self.session.plies):
                    self.playing = False
                    self.refresh()
        self._evaluate()
        super().tick(dt)

    def set_analysing(self, on: bool) -> None:
        super().set_analysing(on)
        if self._evaluation_job:  # the analysts have been given something else to do
            self._evaluation_job, self._evaluated = 0, False

    def _evaluate(self) -> None:
        """Have every position looked at once, for the curve, while nobody else needs the analysts."""
        if self._evaluated or self.analysing or self.app.analysts_busy_checking():
            return
        specs = analysts.analyst_specs(self.app.roster)
        if not specs:
            return
        self._evaluated = True
        positions = tuple(self.session.position_at(ply) for ply in range(len(self.session.plies) + 1))
        self._evaluator = specs[0]
        self._evaluation_job = self.app.analysts.evaluate(
            specs[0], positions, seconds=analysts.SHORT_SECONDS, game=self.session.game
        )

    def answered(self, answer: Answer) -> None:
        if answer.job == self._evaluation_job and answer.kind == "analysis" and answer.analysis is not None:
            self.evaluations.note(answer.ply, answer.analysis, answer.spec)
        elif answer.job == self._evaluation_job and answer.kind == "done":
            self._evaluation_job = 0

    def status(self) -> str:
        count = len(self.session.plies)
        if self.ply == 0:
            return f"{self.record.date or 'A game'} · {count} plies · Space plays it"
        ply = self.session.plies[self.ply - 1]
        verdict = self.solution_lookup.verdict(ply)
        said = f"{self.ply}. {self.drawing.side_name(ply.side).capitalize()} {ply.text}"
        if verdict is not None and not verdict.kept:
            return f"{said} {verdict.mark} {verdict.text}"
        if self.ply == count and self.record.result != "*":
            winner = self.session.winner
            result = "draw" if winner is None else f"{self.drawing.side_name(winner)} wins"
            return f"{said} · {result} by {self.record.ending}"
        return said
