"""A board without a game: any position, lines of play as a tree, what any player thinks, and a link that holds it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.client import clipboard
from alphadiamond.client.layout import Space
from alphadiamond.client.online import AddressError, page_of
from alphadiamond.client.scenes.board_scene import BoardScene
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.controls import Action, add_icons
from alphadiamond.client.widgets import Panel
from alphadiamond.client.widgets.history import Graph
from alphadiamond.client.widgets.tree import MoveTree
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.play.session import Session
from alphadiamond.play.variations import Node, Variations

if TYPE_CHECKING:
    from alphadiamond.client.app import App


class AnalysisScene(BoardScene):
    """Its session holds the line that is looked at; the tree holds all of them."""

    honest = True
    title = "Analysis"

    def __init__(self, app: "App", tree: Variations) -> None:
        self.tree = tree
        super().__init__(app, Session(game=tree.game, start=tree.start, plies=tree.plies()))
        self._marks: dict[Node, str] = {}
        self._marks_key: object = None
        self.focus_key = "board"
        self._show(moved=False)
        self.set_analysing(True)

    @classmethod
    def at_start(cls, app: "App") -> "AnalysisScene":
        """An empty tree from where games begin."""
        return cls(app, Variations(app.game, app.game.start()))

    # Through the tree

    def played_by_hand(self, move: Any) -> None:
        node = self.tree.at
        try:
            self.tree.play(move)
        except AlphaDiamondError as error:
            self.app.toast(f"{str(error).capitalize()}.")
            return
        if len(node.children) > 1:  # what comes after it is another line's
            self.evaluations.forget_after(node.depth)
        self._show(moved=True)

    def go(self, node: Node) -> None:
        """To another place of the tree; one step on is shown as a move."""
        before = self.tree.at
        if node is before:
            return
        shared = set(before.back())
        self.evaluations.forget_after(next(one for one in node.back() if one in shared).depth)
        self.tree.at = node
        self._show(moved=node.parent is before)

    def look(self, ply: int) -> None:
        """Along the line that is looked at."""
        line = self.tree.line()
        self.go(line[max(0, min(len(line) - 1, ply))])

    def _show(self, *, moved: bool) -> None:
        self.session.plies = self.tree.plies()
        depth = self.tree.at.depth
        self.looking = None if depth == len(self.session.plies) else depth
        self.effects.clear()
        self.board.show(self.position, self.last, moved=moved, seconds=self.move_seconds())
        self.board.playable = self.position.outcome is None
        self.refresh()

    def promote(self) -> None:
        self.tree.promote()
        self._show(moved=False)

    def remove(self) -> None:
        self.evaluations.forget_after(max(0, self.tree.at.depth - 1))
        self.tree.remove(self.tree.at)
        self._show(moved=False)

    # Layout

    def _build_sidebar(self) -> None:
        painter, gap = self.painter, self.gap
        self.add(Panel("sidebar", self.sidebar))
        space = Space(self.sidebar.inflate(-2 * self.px(14), -2 * self.px(14)))
        rows = 2
        foot = space.bottom(rows * painter.look.control() + (rows - 1) * self.px(8), gap)
        roomy = space.rest.height > self.px(520)
        graph = space.bottom(max(self.px(84), painter.text.height("caption") * 3), gap) if roomy else None
        place = space.top(round(space.rest.height * 0.42), gap)
        empty = "Move on the board, go back, and try something else: every line stays here."
        self.add(
            MoveTree("tree", place, self.tree, self.go, painter=painter, marks=dict(self._marks), empty=empty),
        )
        self._build_analysis(space)
        self.graph = self.add(Graph("graph", graph, self.look)) if graph is not None else None
        self.actions(foot)

    def actions(self, area: pygame.Rect) -> None:
        at, some = self.tree.at, len(self.tree) > 0
        walk: list[Action] = [
            ("first", "first", lambda: self.look(0), "To the start (Home)", at.parent is not None),
            ("before", "step_back", lambda: self.look(at.depth - 1), "Back (,)", at.parent is not None),
            ("after", "step", lambda: self.look(at.depth + 1), "On (.)", bool(at.children)),
            ("last", "last", lambda: self.look(len(self.session.plies)), "To the end (End)", bool(at.children)),
            ("promote", "up", self.promote, "Make this the main line (U)", not self.tree.is_main),
            ("remove", "trash", self.remove, "Take this move out (Delete)", at.parent is not None),
        ]
        tools: list[Action] = [
            ("edit", "edit", self.edit, "Set up a position (E)", self.drawing.editable),
            ("paste", "paste", self.paste, "Open a position or a link (Ctrl+V)", True),
            ("link", "link", self.copy_link, "Copy a link to this (Ctrl+C)", True),
            ("save", "save", self.save, "Save this line as a game (S)", some),
            ("fork", "person", self.play_on, "Play on from here (P)", self.position.outcome is None),
            ("anew", "new", self.anew, "From the start", True),
        ]
        add_icons(self, area, tools)
        add_icons(self, pygame.Rect(area.left, area.top, area.width, self.painter.look.control()), walk)

    def status(self) -> str:
        outcome = self.position.outcome
        if outcome is not None:
            words = self.drawing.result_words(self.position, outcome.winner, str(outcome.reason))
            who = "A draw" if outcome.winner is None else f"{self._side(outcome.winner)} wins"
            return f"{who}: {words}"
        said = f"{self._side(self.position.side)} to move{self.must_text()}"
        last = self.last
        verdict = self.solution_lookup.verdict(last) if last is not None else None
        if last is not None and verdict is not None and not verdict.kept:
            return f"{last.text} {verdict.mark} {verdict.text} · {said}"
        return said

    def must_text(self) -> str:
        return f": {self.drawing.must_take}" if self.board.compulsory and self.drawing.must_take else ""

    def _side(self, side: Any) -> str:
        return self.drawing.side_name(side).capitalize()

    # What can be done

    def choose_tab(self, number: int) -> None:
        """There are no tabs: moves and analysis stand one below the other."""

    def toggle_analysis(self) -> None:
        self.set_analysing(not self.analysing)
        self.refresh()

    def _open(self, tree: Variations, why: str) -> None:
        """Another tree in place of this one; lines that nobody has kept are asked for."""

        def show() -> None:
            self.app.replace(AnalysisScene(self.app, tree))

        if len(self.tree) and self.app.settings.confirm:
            text = "The lines here will be gone. A link to them can be copied before."
            self.app.push(ConfirmScene(self.app, why, text, "Go on", show, no="Stay"))
        else:
            show()

    def anew(self) -> None:
        self._open(Variations(self.session.game, self.session.game.start()), "Begin at the start?")

    def edit(self) -> None:
        from alphadiamond.client.scenes.editor import EditorScene

        if self.drawing.editable:
            self.app.push(EditorScene(self.app, self.position, self._edited))

    def _edited(self, position: Any) -> None:
        self._open(Variations(self.session.game, position), "Begin at this position?")

    def paste(self) -> None:
        from alphadiamond.client.scenes.paste import PasteScene

        self.app.push(PasteScene(self.app, str(self.position), self._pasted))

    def _pasted(self, tree: Variations) -> None:
        self._open(tree, "Begin at this position?")

    def copy_link(self) -> None:
        try:
            server = page_of(self.app.settings.server)
        except AddressError:
            server = ""
        if clipboard.write(self.tree.link(server)):
            self.app.sounds.play("click")
            self.app.toast(f"The link is copied. It opens at {server or 'any server'} and, pasted, on this board.")
        else:
            self.app.toast("There is no clipboard here.")

    def play_on(self) -> None:
        """A person takes the side to move, the usual opponent the other one."""
        from alphadiamond.client.scenes.game import GameScene

        if self.position.outcome is not None:
            return
        session = Session(game=self.session.game, start=self.tree.start)
        for node in self.tree.path():
            if node.ply is not None:
                session.play(node.ply.move)
        session.give_seat(self.position.side.other, self.app.roster.usable(self.app.settings.opponent))
        self.app.push(GameScene(self.app, session))

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYDOWN and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            action = {pygame.K_v: self.paste, pygame.K_c: self.copy_link}.get(event.key)
            if action is not None:
                action()
                return
        super().handle(event)

    def shortcut(self, key: int) -> bool:
        actions: dict[int, Callable[[], None]] = {
            pygame.K_u: self.promote,
            pygame.K_DELETE: self.remove,
            pygame.K_BACKSPACE: self.remove,
            pygame.K_e: self.edit,
            pygame.K_p: self.play_on,
            pygame.K_LEFT: lambda: self.look(self.tree.at.depth - 1),
            pygame.K_RIGHT: lambda: self.look(self.tree.at.depth + 1),
        }
        if key not in actions:
            return super().shortcut(key)
        actions[key]()
        return True

    def back(self) -> None:
        if self.board.selected is not None:
            self.board.selected = None
        elif len(self.tree) and self.app.settings.confirm:
            text = "The lines here will be gone. A link to them can be copied before."
            self.app.push(ConfirmScene(self.app, "Leave the board?", text, "Leave", self.app.pop, no="Stay"))
        else:
            self.app.pop()

    # Every frame

    def tick(self, dt: float) -> None:
        forced = self.drawing.forced(self.position)
        if forced is not None and not self.tree.at.children and not self.board.busy:
            self.played_by_hand(forced)  # where there is nothing but a pass, nobody has to click for it
        super().tick(dt)
        self._judge()

    def _judge(self) -> None:
        """The mistakes in all lines, worked out when there is more to judge or more is known."""
        lookup = self.solution_lookup
        key = (len(self.tree), lookup.ready, lookup.version, self.tree.at)
        if key == self._marks_key or not lookup.ready:
            return
        self._marks_key = key
        found = {}
        waiting = [self.tree.root]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            verdict = lookup.verdict(node.ply) if node.ply is not None else None
            if verdict is not None and not verdict.kept:
                found[node] = verdict.mark
        if found != self._marks:
            self._marks = found
            self.refresh()

    def arrange(self) -> None:
        super().arrange()
        if self.panel is not None and not self.analysing:
            self.panel.message = "The analysis is off (A)"
            self.board.arrows = ()
