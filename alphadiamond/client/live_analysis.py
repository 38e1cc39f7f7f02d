"""The live analysis beside the board: whom to ask, what they have said, and how it is shown."""

import time
from typing import TYPE_CHECKING, Any

from alphadiamond.agents import Analysis
from alphadiamond.analysis.report import percent
from alphadiamond.client.board import Arrow
from alphadiamond.client.player_process import Answer
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.theme import Theme
from alphadiamond.client.widgets.analysis import AnalysisPanel, Line
from alphadiamond.play import analysts
from alphadiamond.play.opponents import short_title_of

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_ARROWS = 3
_TINTS = ("accent", "gold", "accent_2", "good", "danger", "text", "muted")
_LONG = 3.0
"""Seconds of silence after which the wait is explained."""


class LiveAnalysis:
    """One player's view of the position, or all players' side by side, kept up to date while it is on."""

    def __init__(self, app: "App", evaluations: analysts.Evaluations) -> None:
        self._app = app
        self._evaluations = evaluations
        self.on = False
        self.together = False
        self.analyst = ""
        self.analyses: dict[str, Analysis] = {}
        self.fault = ""
        self._asked: tuple[Any, tuple[str, ...]] | None = None
        self._since = 0.0
        self._job = 0

    @property
    def title(self) -> str:
        if self.together:
            return "All players"
        return short_title_of(self.analyst) if self.analyst else "No player"

    def set(self, on: bool) -> None:
        self.on = on
        self.ask_again()
        if not on:
            self._app.analysts.cancel()

    def ask_again(self) -> None:
        self._asked = None
        self.analyses.clear()

    def toggle_together(self) -> None:
        self.together = not self.together
        self.ask_again()

    def step(self, step: int) -> None:
        """To the next player or the one before."""
        specs = analysts.analyst_specs(self._app.roster, self._asked[0] if self._asked else None)
        if specs:
            here = specs.index(self.analyst) if self.analyst in specs else -step
            self.analyst = specs[(here + step) % len(specs)]
            self.together = False
            self.ask_again()

    def follow(self, position: Any) -> bool:
        """Ask anew whenever the position or the players asked have changed; True if another player had to be taken."""
        if not self.on or self._app.analysts_busy_checking():
            return False
        specs = analysts.analyst_specs(self._app.roster, position)
        if not specs:
            self.fault = "No player here can analyse."
            return False
        changed = self.analyst not in specs
        if changed:
            self.analyst = specs[0]
        wanted = (position, tuple(specs) if self.together else (self.analyst,))
        if wanted != self._asked:
            self._asked = wanted
            self._since = time.monotonic()
            self.analyses.clear()
            self.fault = ""
            if position.outcome is None:
                self._job = self._app.analysts.analyse(wanted[1], position, game=self._app.game)
            else:
                self._app.analysts.cancel()
        return changed

    def take(self, answer: Answer, position: Any, ply: int) -> bool:
        """Note an answer; False if it was to another question."""
        if answer.job != self._job:
            return False
        if answer.kind == "analysis" and answer.analysis is not None:
            if answer.analysis.position == position:
                self.analyses[answer.spec] = answer.analysis
                self._evaluations.note(ply, answer.analysis, answer.spec)
        elif answer.kind == "error":
            self.fault = answer.text
        return True

    def fill(self, panel: AnalysisPanel, position: Any, solution_lookup: SolutionLookup, theme: Theme) -> list[Arrow]:
        """Give the panel what is known about a position, and return the arrows for the board."""
        panel.message = self.fault
        outcome = position.outcome
        if outcome is not None:
            panel.message = f"The game is over: {outcome}."
            return []
        if not self.analyses:
            slow = time.monotonic() - self._since > _LONG
            waiting = "The player is getting ready, which takes a moment"
            panel.message = self.fault or (waiting if slow else "Thinking about this position")
            return []
        exact = solution_lookup.moves(position)
        tones = {1: "good", 0: "muted", -1: "danger"}
        lines, arrows = [], []
        panel.wide = self.together
        if self.together:
            panel.headline = "Each player's choice and its expected result"
            specs = [spec for spec in self._asked[1] if spec in self.analyses] if self._asked else []
            for number, spec in enumerate(specs):
                analysis = self.analyses[spec]
                best = next((one for one in analysis.moves if one.move == analysis.best), analysis.moves[0])
                tone = _TINTS[number % len(_TINTS)]
                found = exact.get(best.move)
                text = short_title_of(spec)
                score = percent(analysis.value) if analysis.value is not None else "–"
                share = (analysis.value + 1) / 2 if analysis.value is not None else 0.0
                said, mood = (found.text, tones[found.value]) if found else ("", "muted")
                lines.append(Line(text, score, share, said, tone, mood, str(best.move)))
                arrows.append(Arrow(best.move, 0.8 - 0.08 * number, getattr(theme, tone)))
            panel.chances = analysts.chances_of(self.analyses[specs[0]]) if specs else None
            panel.variation = ""
        else:
            analysis = next(iter(self.analyses.values()))
            shares = analysts.shares(analysis)
            deep = analysts.depth_text(analysis)
            panel.headline = deep[:1].upper() + deep[1:] if deep else "At a glance"
            for one, share in zip(analysis.moves, shares, strict=True):
                found = exact.get(one.move)
                said, mood = (found.text, tones[found.value]) if found else ("", "muted")
                score = (found.score if found and analysis.exact else "") or analysts.score_text(one)
                lines.append(Line(str(one.move), score, share, said, "accent", mood))
                if share > 0.08 and len(arrows) < _ARROWS:
                    arrows.append(Arrow(one.move, share, theme.accent, score))
            panel.chances = analysts.chances_of(analysis)
            line = " ".join(str(move) for move in analysis.moves[0].variation[:14])
            panel.variation = f"Expects {line}" if len(analysis.moves[0].variation) > 1 else ""
        panel.lines = lines
        return arrows
