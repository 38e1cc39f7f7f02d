"""What the game and its replay share: the board, the players, the moves, the curve and the analysis beside it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.agents import Analysis
from alphadiamond.base.drawing import Ply, Square, Tally
from alphadiamond.base.record import GameRecord
from alphadiamond.client.board import BoardWidget
from alphadiamond.client.effects import Effects
from alphadiamond.client.layout import Space, square
from alphadiamond.client.live_analysis import LiveAnalysis
from alphadiamond.client.player_process import Answer
from alphadiamond.client.scene import Scene
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.widgets import IconButton, Label, Panel, Segments
from alphadiamond.client.widgets.analysis import AnalysisPanel
from alphadiamond.client.widgets.history import EvaluationBar, Graph, MoveList
from alphadiamond.client.widgets.players import PlayerCard
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.play import analysts
from alphadiamond.play.opponents import is_neural, titles_of
from alphadiamond.play.session import HUMAN, Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class BoardScene(Scene):
    """A session on the board with everything one can look at; subclasses say what can be done."""

    title = ""
    analysable = True
    """Whether players may be asked about the position."""
    honest = False
    """Whether verdicts on played moves are shown without being asked for."""

    def __init__(self, app: "App", session: Session) -> None:
        super().__init__(app)
        app.use_game(session.game)
        self.session = session
        self.drawing = session.drawing
        self.looking: int | None = None
        """The ply looked at; None follows the game."""
        self.effects = Effects(app.rng, reduced=app.painter.look.motion.reduced)
        self.board = BoardWidget(
            self.drawing, session.start, self.played_by_hand, effects=self.effects, sound=app.sounds.play
        )
        self.cards: dict[Any, PlayerCard] = {}
        self.tab = 0
        self.evaluations = analysts.Evaluations()
        self.live = LiveAnalysis(app, self.evaluations)
        self.graph: Graph | None = None
        self.moves: MoveList | None = None
        self.panel: AnalysisPanel | None = None
        self.bar: EvaluationBar | None = None
        self._curve_key: object = None
        self._ways_key: object = None
        self._curve_found: tuple[list[float], str] = ([], "")
        self._had_analysts = True
        self.board.show(session.position, session.plies[-1] if session.plies else None)

    # What subclasses write

    def played_by_hand(self, move: Any) -> None:
        """A person has made a move."""

    def actions(self, area: pygame.Rect) -> None:
        """Add the buttons below the sidebar; `area` is the space kept for them."""

    def action_rows(self) -> int:
        return 1

    def status(self) -> str:
        return ""

    def answered(self, answer: Answer) -> None:
        """An answer from the analysts that is no part of the live analysis."""

    def entered(self) -> None:
        """Perhaps back from a board of another game."""
        self.app.use_game(self.session.game)

    @property
    def solution_lookup(self) -> SolutionLookup:
        return self.app.solution_lookup_of(self.session.game)

    # The point of the game that is looked at

    @property
    def ply(self) -> int:
        return len(self.session.plies) if self.looking is None else min(self.looking, len(self.session.plies))

    @property
    def position(self) -> Any:
        return self.session.position_at(self.ply)

    @property
    def last(self) -> Ply | None:
        return self.session.plies[self.ply - 1] if self.ply else None

    def look(self, ply: int) -> None:
        """Go to a point of the game; one step forward is shown as a move."""
        plies = self.session.plies
        ply = max(0, min(len(plies), ply))
        before = self.ply
        if ply == before:
            return
        self.looking = None if ply == len(plies) else ply
        self.effects.clear()
        self.board.show(self.position, self.last, moved=ply == before + 1, seconds=self.move_seconds())
        self.refresh()

    def move_seconds(self) -> float:
        return self.painter.look.motion.move

    # Layout

    def build(self) -> None:
        painter, area, margin, gap = self.painter, self.area, self.margin, self.gap
        side = round(area.width * 0.325)
        header = painter.look.control()
        self.sidebar = pygame.Rect(area.right - margin - side, margin, side, area.height - 2 * margin)
        left = pygame.Rect(margin, margin, self.sidebar.left - 2 * margin, area.height - 2 * margin)
        self._build_header(pygame.Rect(left.left, left.top, left.width, header))
        foot = painter.look.line("strong")
        bar = self.px(8)
        room = pygame.Rect(
            left.left + bar + gap,
            left.top + header + gap // 2,
            left.width - bar - gap,
            left.height - header - foot - gap,
        )
        self.board.rect = square(room)
        self.board.names = self.app.settings.names
        self.board.prepare(painter)
        self.effects.reduced = painter.look.motion.reduced
        rail = pygame.Rect(left.left, 0, bar, round(room.height * 0.7))
        rail.centery = room.centery
        self.bar = self.add(EvaluationBar("bar", rail))
        self.add(self.board)
        self.status_rect = pygame.Rect(left.left, left.bottom - foot, left.width, foot)
        self._build_sidebar()
        self.arrange()

    def _build_header(self, box: pygame.Rect) -> None:
        size = box.height
        space = Space(box)
        self.add(IconButton("back", space.left(size, self.gap), "back", self.back, tip="Back (Esc)"))
        for key, icon, action, tip in self.header_icons():
            self.add(IconButton(key, space.right(size, self.px(8)), icon, action, tip=tip))
        text = self.device_text()
        width = (
            min(self.painter.text.width(text, "caption") + 2, space.rest.width + self.gap - self.px(160)) if text else 0
        )
        if width > self.px(40):
            place = space.right(width, self.gap)
            self.add(Label("device", place, text, style="caption", colour="faint", align="right", fit=True))
        name = pygame.Rect(space.rest.left, box.top, space.rest.width - self.gap, size)
        self.add(Label("name", name, self.title, style="lead", fit=True))

    def header_icons(self) -> list[tuple[str, str, Callable[[], None], str]]:
        on = self.app.settings.sound
        return [
            ("settings", "gear", self.open_settings, "Settings"),
            ("sound", "speaker" if on else "mute", self.toggle_sound, "Sound (M)"),
        ]

    def device_text(self) -> str:
        """What the network runs on, if one plays or is asked for analysis."""
        seats = [*self.session.seats, self.live.analyst if self.analysing else ""]
        if not any(seat and is_neural(seat) for seat in seats):
            return ""
        chosen = self.app.settings.device
        used = self.app.device_used
        return f"Network on {used.upper()}" if used else f"Network: {chosen if chosen == 'auto' else chosen.upper()}"

    def _build_sidebar(self) -> None:
        painter, gap = self.painter, self.gap
        self.add(Panel("sidebar", self.sidebar))
        space = Space(self.sidebar.inflate(-2 * self.px(14), -2 * self.px(14)))
        card = max(self.px(66), painter.text.height("strong") + painter.text.height("caption") + self.px(18))
        for side in reversed(self.session.game.sides):
            tally = self.drawing.tally(self.session.start, side)
            self.cards[side] = self.add(PlayerCard(f"card-{side}", space.top(card, self.px(8)), side, tally))
        if self.analysable:
            tabs = max(self.px(36), painter.look.line("label") + self.px(8))
            self.add(Segments("tabs", space.top(tabs), ("Moves", "Analysis"), self.tab, self.choose_tab))
        space.top(gap)
        rows = self.action_rows()
        foot = space.bottom(rows * painter.look.control() + (rows - 1) * self.px(8), gap)
        graph = space.bottom(max(self.px(84), painter.text.height("caption") * 3), gap)
        self.moves = self.panel = None
        if self.tab == 0:
            step = painter.text.line_step("mono") + self.px(6)
            self.moves = self.add(MoveList("moves", space.rest, self.look, row_height=step))
        else:
            self._build_analysis(space)
        self.graph = self.add(Graph("graph", graph, self.look))
        self.actions(foot)

    def _build_analysis(self, space: Space) -> None:
        size, gap = max(self.px(34), self.painter.look.line("label")), self.px(6)
        row = Space(space.top(size, self.px(8)))
        previous = row.left(size, gap)
        self.add(IconButton("previous", previous, "back", lambda: self.next_analyst(-1), tip="Previous player"))
        tip = "All players side by side (B)"
        place = row.right(size, gap)
        self.add(IconButton("together", place, "chips", self.toggle_together, tip=tip, on=self.live.together))
        place = row.right(size, gap)
        self.add(IconButton("next", place, "forward", lambda: self.next_analyst(1), tip="Next player"))
        self.add(Label("analyst", row.rest, self.live.title, style="strong", align="center", fit=True))
        self.panel = self.add(AnalysisPanel("analysis", space.rest))
        self.panel.letters = self.drawing.longest_move

    # Small actions

    def choose_tab(self, number: int) -> None:
        self.tab = number
        self.set_analysing(number == 1)
        self.refresh()

    def toggle_analysis(self) -> None:
        if self.analysable:
            self.choose_tab(1 - self.tab)

    def toggle_together(self) -> None:
        if not self.analysable:
            return
        self.live.toggle_together()
        self.refresh()

    def next_analyst(self, step: int) -> None:
        self.live.step(step)
        self.refresh()

    def set_analysing(self, on: bool) -> None:
        self.live.set(on)
        if not on:
            self.board.arrows = ()

    @property
    def analysing(self) -> bool:
        return self.live.on

    @property
    def analyses(self) -> dict[str, Analysis]:
        return self.live.analyses

    def toggle_sound(self) -> None:
        settings = self.app.settings
        settings.sound = self.app.sounds.on = not settings.sound
        self.app.save_settings()
        self.refresh()

    def open_settings(self) -> None:
        from alphadiamond.client.scenes.settings import SettingsScene

        self.app.push(SettingsScene(self.app))

    def record_of_game(self) -> GameRecord:
        return self.session.record()

    def save(self) -> None:
        try:
            path = self.app.library.save(self.record_of_game())
        except AlphaDiamondError as error:
            self.app.toast(str(error))
        else:
            self.app.sounds.play("click")
            self.app.toast(f"Saved as {path.name}; find it under Games on the title.")

    def shortcut(self, key: int) -> bool:
        actions: dict[int, Callable[[], None]] = {
            pygame.K_a: self.toggle_analysis,
            pygame.K_b: self.toggle_together,
            pygame.K_m: self.toggle_sound,
            pygame.K_s: self.save,
            pygame.K_HOME: lambda: self.look(0),
            pygame.K_END: lambda: self.look(len(self.session.plies)),
            pygame.K_COMMA: lambda: self.look(self.ply - 1),
            pygame.K_PERIOD: lambda: self.look(self.ply + 1),
        }
        if key not in actions:
            return False
        actions[key]()
        return True

    # Analysis

    def left(self) -> None:
        self.app.analysts.cancel()

    def analysts_back(self) -> None:
        """A board that lay over this one is gone, and with it what the analysts were asked here."""
        self.live.ask_again()

    def follow_analysis(self) -> None:
        if self.live.follow(self.position):
            self.refresh()

    def _collect(self) -> None:
        for answer in self.app.take_analyst_answers():
            if not self.live.take(answer, self.position, self.ply):
                self.answered(answer)

    # Every frame

    def tick(self, dt: float) -> None:
        self.effects.update(dt)
        boards = [scene for scene in self.app.stack if isinstance(scene, BoardScene)]
        has_analysts = boards[-1:] == [self]  # they work for the uppermost board alone
        if has_analysts and not self._had_analysts:
            self.analysts_back()
        self._had_analysts = has_analysts
        if has_analysts:
            self.follow_analysis()
            self._collect()
        self.arrange()

    def arrange(self) -> None:
        """Give the widgets what they show now."""
        session, position = self.session, self.position
        plies = session.plies
        for side, card in self.cards.items():
            card.name = self.seat_name(side)
            card.tally = self._tally(position, side)
            card.captures = (
                sum(len(ply.captured) if ply.side is side else len(ply.lost) for ply in plies[: self.ply])
                if card.tally.of
                else None
            )
            card.countdown = session.clock is not None
            card.seconds = session.left[side] if card.countdown else session.clocks[side]
            card.active = not session.over and session.to_move is side and self.looking is None
            card.thinking = card.active and not session.is_human(side) and self.thinking()
        self._show_ways()
        marks = self.marks()
        if self.moves is not None:
            self.moves.plies, self.moves.marks, self.moves.ply = self._told(plies), marks, self.ply
        if self.graph is not None:
            self.graph.values, self.graph.source = self._curve()
            self.graph.marks, self.graph.ply = marks, self.ply
        if self.bar is not None:
            self.bar.value = self._prospects()
        if self.panel is not None and self.fog:  # what is thought tells where who stands
            self.panel.message, self.board.arrows = "Hidden in the fog", ()
        elif self.panel is not None:
            self.board.arrows = self.live.fill(self.panel, self.position, self.solution_lookup, self.painter.theme)

    def _show_ways(self) -> None:
        """Trails, what has been entered, what a fog leaves to be seen, and at the end the cheapest ways."""
        ways, session = self.drawing.ways, self.session
        if ways is None:
            return
        plies = session.plies[: self.ply]
        board = self.board
        key = (self.ply, len(session.plies), session.over, self.fog, plies[-1] if plies else None)
        if key == self._ways_key:
            return
        self._ways_key = key
        board.trails = {side: _trail(plies, side) for side in session.game.sides}
        board.entered = frozenset(square for path in board.trails.values() for square in path[1:])
        ended = session.over and self.ply == len(session.plies)
        sides = session.humans or session.game.sides
        board.best_ways = {side: ways.cheapest(session.start, side).path for side in sides} if ended else {}
        positions = [session.position_at(ply) for ply in range(self.ply + 1)]
        board.seen = ways.in_sight(positions, session.humans[0]) if self.fog and not session.over else None

    def _tally(self, position: Any, side: Any) -> Tally:
        """In a fog nobody is told where the other one is."""
        tally = self.drawing.tally(position, side)
        hidden = self.fog and side not in self.session.humans and not self._in_sight(self.board.pieces, side)
        return replace(tally, words="somewhere in the fog") if hidden else tally

    def _in_sight(self, pieces: dict[Square, Any], side: Any) -> bool:
        return any(square in (self.board.seen or ()) for square, owner in pieces.items() if owner is side)

    def _told(self, plies: list[Ply]) -> list[Ply]:
        """The moves as the list names them: in a fog not those of the other one."""
        if not self.fog:
            return plies
        return [ply if ply.side in self.session.humans else replace(ply, text="·") for ply in plies]

    @property
    def fog(self) -> bool:
        """Whether the one person sees only what is near."""
        return False

    def thinking(self) -> bool:
        return False

    def seat_name(self, side: Any) -> str:
        seat = self.session.seat(side)
        if seat != HUMAN:
            return titles_of(self.session.seats)[int(side)]
        return "You" if len(self.session.humans) == 1 else self.drawing.side_name(side).capitalize()

    def marks(self) -> list[str]:
        """The verdicts on the played moves, where they may be seen."""
        if not (self.honest or self.analysing or self.session.over) or not self.solution_lookup.ready:
            return []
        verdicts = [self.solution_lookup.verdict(ply) for ply in self.session.plies]
        return [verdict.mark if verdict else "" for verdict in verdicts]

    def _curve(self) -> tuple[list[float], str]:
        """The values for the graph and their source, worked out only when something has changed."""
        open_book = self.honest or self.analysing or self.session.over
        plies = self.session.plies
        last = id(plies[-1]) if plies else 0
        key = (len(plies), last, open_book, self.session.loser, self.evaluations.version, self.fog)
        if key != self._curve_key:
            self._curve_key, self._curve_found = key, self._make_curve(open_book)
        return self._curve_found

    def _make_curve(self, open_book: bool) -> tuple[list[float], str]:
        if self.fog:
            return [0.0] * (len(self.session.plies) + 1), "Hidden in the fog"
        known = self.evaluations.values if open_book else {}
        values = [
            known[k][0] if k in known else self.drawing.balance(self.session.position_at(k))
            for k in range(len(self.session.plies) + 1)
        ]
        if self.session.loser is not None:
            values[-1] = 1.0 if int(self.session.loser) == 1 else -1.0
        source = self.evaluations.source() if known else ""
        return values, source or self.drawing.guess

    def _prospects(self) -> float:
        """For the bar: what the analysis says of this position, or what is on the board alone; nothing in a fog."""
        if self.fog:
            return 0.0
        analysis = next(iter(self.analyses.values()), None)
        if self.session.loser is not None and self.looking is None:
            return 1.0 if int(self.session.loser) == 1 else -1.0
        if self.analysing and analysis is not None and analysis.value is not None:
            return analysts.for_first(analysis.value, analysis.position.side)
        if self.ply in self.evaluations.values and (self.honest or self.session.over):
            return self.evaluations.values[self.ply][0]
        return self.drawing.balance(self.position)

    # Drawing

    def paint_over(self, surface: pygame.Surface) -> None:
        self.effects.draw(surface, self.painter)
        if self.analysing:
            self.board.draw_arrow_labels(surface, self.painter)
        text = self.status()
        if text and self.status_rect:
            self.painter.text.draw(
                surface, text, self.status_rect, "strong", self.painter.theme.text, align="center", fit=True
            )


def _trail(plies: Sequence[Ply], side: Any) -> tuple[Square, ...]:
    """The squares that a side's piece has been on, its first one included."""
    paths = [ply.path for ply in plies if ply.side is side]
    return (*(paths[0][:1] if paths else ()), *(path[-1] for path in paths))
