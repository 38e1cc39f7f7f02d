"""A game on a server: played by a person here, or watched. The server decides; this shows, and asks."""

import datetime
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.record import GameRecord
from alphadiamond.client.online import Online, Table, clock_text
from alphadiamond.client.scenes.board_scene import BoardScene
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.controls import Action, add_icons
from alphadiamond.client.widgets import Button, Label
from alphadiamond.games import load
from alphadiamond.play.session import Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App
    from alphadiamond.online import messages as m

_OFFERS = {"draw": "a draw", "takeback": "to take a move back", "rematch": "a rematch"}
_ASKS = {"draw": "offers a draw", "takeback": "wants to take a move back", "rematch": "wants a rematch"}
_ENDINGS = {
    "resignation": "resignation",
    "time": "time",
    "agreement": "agreement",
    "abandonment": "the other one stayed away",
    "aborted": "it was ended before it began",
}


class OnlineGameScene(BoardScene):
    analysable = False

    def __init__(self, app: "App", online: Online, code: str) -> None:
        self.online, self.code = online, code
        game = load(self.table.of)
        super().__init__(app, Session(game=game, start=game.parse(self.table.start)))
        self._sent: tuple[int, str] | None = None
        """My move that the server has not acknowledged yet: its number and its text."""
        self._seen = -1
        self._celebrated = self.table.over
        self.title = " – ".join(player.name for player in self.table.players)
        self.focus_key = "board" if self.table.seat is not None else "back"
        for text in self.table.moves:
            self.session.play(game.parse_move(text))
        self.board.show(self.session.position, self.last)

    @property
    def table(self) -> Table:
        return self.online.tables[self.code]

    @property
    def watching(self) -> bool:
        return self.table.seat is None

    def _name(self, seat: int) -> str:
        return "You" if seat == self.table.seat else self.table.players[seat].name

    # Nobody is helped in a rated game, not even by a guess

    @property
    def _silent(self) -> bool:
        return self.table.rated and not self.table.over

    def _curve(self) -> tuple[list[float], str]:
        return ([0.0] * (len(self.session.plies) + 1), "") if self._silent else super()._curve()

    def _prospects(self) -> float:
        return 0.0 if self._silent else super()._prospects()

    # Buttons

    def action_rows(self) -> int:
        return 2

    def actions(self, area: pygame.Rect) -> None:
        table, on = self.table, self.online.connected
        control = self.painter.look.control()
        self._add_answers(pygame.Rect(area.left, area.top, area.width, control))
        save: Action = ("save", "save", self.save, "Save (S)", bool(table.moves))
        review: Action = ("review", "eye", self.review, "Review", table.over and bool(table.moves))
        if self.watching:
            add_icons(self, area, [save, review])
            return
        going = on and not table.over
        undo: Action = ("undo", "undo", self._offer("takeback"), "Ask for your move back (U)", going and table.moved)
        draw: Action = ("draw", "equal", self._offer("draw"), "Offer a draw", going and bool(table.moves))
        end: Action = ("resign", "flag", self.ask_resign, "Resign", going)
        if not table.moved:
            end = ("abort", "close", self.abort, "End it before it begins", going)
        again: Action = ("again", "new", self._offer("rematch"), "Rematch", on and table.over)
        add_icons(self, area, [undo, draw, end, save, again])

    def _add_answers(self, box: pygame.Rect) -> None:
        """What is to be answered now; else the terms of the game."""
        table = self.table
        buttons: list[tuple[str, str, str, Callable[[], None]]] = []
        theirs = [what for what, seat in table.offers.items() if table.seat is not None and seat != table.seat]
        mine = [what for what, seat in table.offers.items() if table.seat is not None and seat == table.seat]
        if theirs:
            buttons = [
                ("refuse", "Refuse", "glass", self._refuse(theirs[0])),
                ("accept", "Accept", "primary", self._offer(theirs[0])),
            ]
        elif self._claimable():
            buttons = [("claim", "Claim the win", "primary", self.claim)]
        elif mine:
            buttons = [("withdraw", "Withdraw", "glass", self._refuse(mine[0]))]
        elif table.over and not self.watching and table.rematch is None:
            buttons = [
                ("look", "Review", "glass", self.review),
                ("rematch", "Rematch", "primary", self._offer("rematch")),
            ]
        if not buttons:
            words = [clock_text(table.clock), "rated" if table.rated else "unrated"]
            if table.watchers:
                words.append(f"{table.watchers} watching")
            text = "  ·  ".join(words)
            self.add(Label("terms", box, text, style="caption", colour="muted", align="center", fit=True))
        width = (box.width - self.px(8) * (len(buttons) - 1)) // max(1, len(buttons))
        for number, (key, text, kind, action) in enumerate(buttons):
            rect = pygame.Rect(box.left + number * (width + self.px(8)), box.top, width, box.height)
            self.add(Button(key, rect, text, action, kind=kind, enabled=self.online.connected or key == "look"))

    def _offer(self, what: str) -> Callable[[], None]:
        def offer() -> None:
            from alphadiamond.online import messages as m

            self._send(m.Offer(game=self.code, what=what))

        return offer

    def _refuse(self, what: str) -> Callable[[], None]:
        def refuse() -> None:
            from alphadiamond.online import messages as m

            self._send(m.Refuse(game=self.code, what=what))

        return refuse

    def _send(self, request: "m.Request") -> None:
        self.app.sounds.play("click")
        self.online.send(request)

    def _claimable(self) -> bool:
        table = self.table
        return not table.over and table.claim_at is not None and time.monotonic() >= table.claim_at

    def claim(self) -> None:
        from alphadiamond.online import messages as m

        self._send(m.Claim(game=self.code))

    def abort(self) -> None:
        from alphadiamond.online import messages as m

        self._send(m.Abort(game=self.code))

    def ask_resign(self) -> None:
        from alphadiamond.online import messages as m

        def resign() -> None:
            self._send(m.Resign(game=self.code))

        if not self.app.settings.confirm:
            resign()
            return
        choices = [("Play on", "glass", lambda: None), ("Resign", "danger", resign)]
        self.app.push(ConfirmScene(self.app, "Resign?", "The game ends here and counts as lost.", choices))

    def review(self) -> None:
        """With analysis, now that it is over."""
        from alphadiamond.client.scenes.replay import ReplayScene

        if self.table.over:
            self.app.push(ReplayScene(self.app, self.record_of_game()))

    def record_of_game(self) -> GameRecord:
        table = self.table
        sides = [str(side) for side in self.session.game.sides]
        results = {"first": sides[0], "second": sides[1], "draw": "draw"}
        decided = self.session.position.outcome is None and table.result in results
        return self.session.game.record(
            self.session.start,
            [ply.move for ply in self.session.plies],
            players=(table.players[0].name, table.players[1].name),
            result=results[table.result or ""] if decided else None,
            ending=table.ending if decided else None,
            date=datetime.date.today().isoformat(),
        )

    def back(self) -> None:
        if self.board.selected is not None:
            self.board.selected = None
        elif self.looking is not None:
            self.look(len(self.session.plies))
        else:
            if not self.watching and not self.table.over:
                self.app.toast("The game goes on: it is first under Games in the lobby.")
            self.app.pop()

    def left(self) -> None:
        super().left()
        self.online.leave(self.code)

    def shortcut(self, key: int) -> bool:
        if key == pygame.K_u:
            if not self.watching and self.table.moved and not self.table.over:
                self._offer("takeback")()
            return True
        return super().shortcut(key)

    # Play

    def played_by_hand(self, move: Any) -> None:
        """At once on the board, and to the server; if that refuses, it is taken back."""
        if not self._may_move():
            return
        self._sent = (len(self.table.moves), str(move))
        self.online.refused.discard(self.code)
        self.online.move(self.code, str(move))
        self._play(move)

    def _may_move(self) -> bool:
        return self.table.mine and self._sent is None and self.online.connected and self.looking is None

    def _play(self, move: Any) -> None:
        following = self.looking is None
        ply = self.session.play(move)
        if following:
            self.board.show(self.session.position, ply, moved=True, seconds=self.move_seconds())
        self.refresh()

    def _follow(self) -> None:
        """Bring the board to where the server is, by a move if that is all there is between them."""
        table, session = self.table, self.session
        if self._sent is not None and (
            len(table.moves) > self._sent[0] or table.over or self.code in self.online.refused
        ):
            self._sent = None
        self.online.refused.discard(self.code)
        wanted = [*table.moves, self._sent[1]] if self._sent is not None else list(table.moves)
        shown = [str(ply.move) for ply in session.plies]
        if wanted == shown:
            return
        if wanted[: len(shown)] == shown and len(wanted) == len(shown) + 1:
            if not self.board.busy:
                self._play(session.game.parse_move(wanted[-1]))
            return
        same = next(
            (n for n, pair in enumerate(zip(wanted, shown, strict=False)) if pair[0] != pair[1]),
            min(len(wanted), len(shown)),
        )
        session.take_back_to(same)
        for text in wanted[same:]:
            session.play(session.game.parse_move(text))
        self.looking = None
        self.effects.clear()
        self.board.show(session.position, self.last)
        self.refresh()

    # Every frame

    def tick(self, dt: float) -> None:
        self.online.update()
        for text in self.online.notices:
            self.app.toast(text)
        self.online.notices.clear()
        if self._next_game():
            return
        if self.online.version != self._seen or (self._claimable() and not any(w.key == "claim" for w in self.widgets)):
            self._seen = self.online.version
            self.refresh()
        self._follow()
        self.board.playable = self._may_move()
        super().tick(dt)
        if self.table.over and not self._celebrated and not self.board.busy:
            self._celebrated = True
            self._celebrate()

    def _next_game(self) -> bool:
        """Go over to a rematch, or to whatever else has begun."""
        codes = [code for code in self.online.to_open if code != self.code and code in self.online.tables]
        self.online.to_open.clear()
        if not codes or (not self.watching and not self.table.over and codes[-1] != self.table.rematch):
            if codes:
                self.app.toast("Another game of yours has begun: it is under Games in the lobby.")
            return False
        self.app.replace(OnlineGameScene(self.app, self.online, codes[-1]))
        return True

    @property
    def _winner(self) -> int | None:
        return {"first": 0, "second": 1}.get(self.table.result or "")

    def _celebrate(self) -> None:
        winner, mine = self._winner, self.table.seat
        lost = winner is not None and mine is not None and winner != mine
        self.app.sounds.play("draw" if winner is None else "defeat" if lost else "win")
        if winner is not None and not lost:
            theme = self.painter.theme
            colours = (theme.bead(winner), theme.gold, theme.accent, theme.accent_2)
            self.effects.confetti(self.area.width, colours=colours, scale=self.painter.look.scale)

    def arrange(self) -> None:
        super().arrange()
        table = self.table
        for side, card in self.cards.items():
            seat = int(side)
            card.seconds = table.seconds(seat)
            card.active = table.turn == seat and self.looking is None
            card.thinking = card.active and table.players[seat].bot and not self.board.busy

    def seat_name(self, side: Any) -> str:
        player = self.table.players[int(side)]
        away = "" if player.here or player.bot or self.table.over else " · away"
        return f"{self._name(int(side))} {player.rating}{away}"

    def status(self) -> str:
        table = self.table
        if self.looking is not None:
            return f"After move {self.ply} of {len(self.session.plies)} · Esc returns"
        if table.over:
            return self._result_text()
        if not self.online.connected:
            return self.online.line
        for what, seat in table.offers.items():
            if seat == table.seat:
                return f"You offer {_OFFERS[what]}" if what != "takeback" else "You ask for your move back"
            return f"{self._name(seat)} {_ASKS[what]}"
        if table.mine:
            must = f": {self.drawing.must_take}" if self.board.compulsory and self.drawing.must_take else ""
            return f"Your move{must}" if self._sent is None else "Sending your move"
        if table.turn is None:
            return ""
        if self.watching:
            return f"{self._name(table.turn)} is to move"
        away = not table.players[table.turn].here and not table.players[table.turn].bot
        return f"{self._name(table.turn)} is {'away' if away else 'to move'}"

    def _result_text(self) -> str:
        table, outcome = self.table, self.session.position.outcome
        winner = self._winner
        if table.result == "aborted":
            return "The game was ended before it began"
        if outcome is not None:
            why = self.drawing.result_words(self.session.position, outcome.winner, str(outcome.reason))
        else:
            why = _ENDINGS.get(table.ending or "", table.ending or "")
        if winner is None:
            said = "A draw"
        else:
            said = "You win" if winner == table.seat else f"{self._name(winner)} wins"
        text = f"{said}: {why}" if why else said
        if table.changes is not None and table.seat is not None:
            change = table.changes[table.seat]
            text += f" · your rating {change.before} → {change.after}"
        return text
