"""A game on a server: played by a person here, or watched. The server decides; this shows, and asks."""

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.base.record import GameRecord
from alphadiamond.client.layout import columns
from alphadiamond.client.online import Online, clock_text, now
from alphadiamond.client.results import result_line
from alphadiamond.client.scenes.controls import Action, add_icons
from alphadiamond.client.scenes.play_scene import PlayScene
from alphadiamond.client.widgets import Button, Label
from alphadiamond.games import load
from alphadiamond.play.session import Session

if TYPE_CHECKING:
    from alphadiamond.client.app import App
    from alphadiamond.online import messages as m
    from alphadiamond.online.game_state import GameState

_OFFERS = {"draw": "a draw", "takeback": "to take a move back", "rematch": "a rematch"}
_ASKS = {"draw": "offers a draw", "takeback": "wants to take a move back", "rematch": "wants a rematch"}
_ENDINGS = {"abandonment": "the other one stayed away"}


class OnlineGameScene(PlayScene):
    analysable = False

    def __init__(self, app: "App", online: Online, code: str) -> None:
        self.online, self.code = online, code
        game = load(self.state.of)
        super().__init__(app, Session(game=game, start=game.parse(self.state.start)))
        self._sent: tuple[int, str] | None = None
        """My move that the server has not acknowledged yet: its number and its text."""
        self._seen = -1
        self._celebrated = self.state.over
        self.title = " – ".join(player.name for player in self.state.players)
        self.focus_key = "board" if self.state.seat is not None else "back"
        for text in self.state.moves:
            self.session.play(game.move_in(self.session.position, text))
        self.board.show(self.session.position, self.last)

    @property
    def state(self) -> "GameState":
        return self.online.games[self.code]

    @property
    def watching(self) -> bool:
        return self.state.seat is None

    def _name(self, seat: int) -> str:
        return "You" if seat == self.state.seat else self.state.players[seat].name

    # Nobody is helped in a rated game, not even by a guess

    @property
    def _silent(self) -> bool:
        return self.state.rated and not self.state.over

    def _curve(self) -> tuple[list[float], str]:
        return ([0.0] * (len(self.session.plies) + 1), "") if self._silent else super()._curve()

    def _prospects(self) -> float:
        return 0.0 if self._silent else super()._prospects()

    # Buttons

    def action_rows(self) -> int:
        return 2

    def actions(self, area: pygame.Rect) -> None:
        state, on = self.state, self.online.connected
        control = self.painter.look.control()
        self._add_answers(pygame.Rect(area.left, area.top, area.width, control))
        save: Action = ("save", "save", self.save, "Save (S)", bool(state.moves))
        review: Action = ("review", "eye", self.review, "Review", state.over and bool(state.moves))
        if self.watching:
            add_icons(self, area, [save, review])
            return
        going = on and not state.over
        undo: Action = ("undo", "undo", self._offer("takeback"), "Ask for your move back (U)", going and state.moved)
        draw: Action = ("draw", "equal", self._offer("draw"), "Offer a draw", going and bool(state.moves))
        end: Action = ("resign", "flag", self.ask_resign, "Resign", going)
        if not state.moved:
            end = ("abort", "close", self.abort, "End it before it begins", going)
        again: Action = ("again", "new", self._offer("rematch"), "Rematch", on and state.over)
        add_icons(self, area, [undo, draw, end, save, again])

    def _add_answers(self, box: pygame.Rect) -> None:
        """What is to be answered now; else the terms of the game."""
        state = self.state
        buttons: list[tuple[str, str, str, Callable[[], None]]] = []
        theirs = [what for what, seat in state.offers.items() if state.seat is not None and seat != state.seat]
        mine = [what for what, seat in state.offers.items() if state.seat is not None and seat == state.seat]
        if theirs:
            buttons = [
                ("refuse", "Refuse", "glass", self._refuse(theirs[0])),
                ("accept", "Accept", "primary", self._offer(theirs[0])),
            ]
        elif self._claimable():
            buttons = [("claim", "Claim the win", "primary", self.claim)]
        elif mine:
            buttons = [("withdraw", "Withdraw", "glass", self._refuse(mine[0]))]
        elif state.over and not self.watching and state.rematch is None:
            buttons = [
                ("look", "Review", "glass", self.review),
                ("rematch", "Rematch", "primary", self._offer("rematch")),
            ]
        if not buttons:
            words = [clock_text(state.clock), "rated" if state.rated else "unrated"]
            if state.watchers:
                words.append(f"{state.watchers} watching")
            text = "  ·  ".join(words)
            self.add(Label("terms", box, text, style="caption", colour="muted", align="center", fit=True))
        places = columns(box, max(1, len(buttons)), self.px(8))
        for place, (key, text, kind, action) in zip(places, buttons, strict=False):
            self.add(Button(key, place, text, action, kind=kind, enabled=self.online.connected or key == "look"))

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
        return self.state.claim_at is not None and now() >= self.state.claim_at

    def claim(self) -> None:
        from alphadiamond.online import messages as m

        self._send(m.Claim(game=self.code))

    def abort(self) -> None:
        from alphadiamond.online import messages as m

        self._send(m.Abort(game=self.code))

    def resign(self) -> None:
        from alphadiamond.online import messages as m

        self._send(m.Resign(game=self.code))

    def review(self) -> None:
        """With analysis, now that it is over."""
        from alphadiamond.client.scenes.replay import ReplayScene

        if self.state.over:
            self.app.push(ReplayScene(self.app, self.record_of_game()))

    def record_of_game(self) -> GameRecord:
        state = self.state
        sides = [str(side) for side in self.session.game.sides]
        results = {"first": sides[0], "second": sides[1], "draw": "draw"}
        decided = self.session.position.outcome is None and state.result in results
        return self.session.game.record(
            self.session.start,
            [ply.move for ply in self.session.plies],
            players=(state.players[0].name, state.players[1].name),
            result=results[state.result or ""] if decided else None,
            ending=state.ending if decided else None,
            date=datetime.date.today().isoformat(),
        )

    def leave(self) -> None:
        if not self.watching and not self.over:
            self.app.toast("The game goes on: it is first under Games in the lobby.")
        self.app.pop()

    def left(self) -> None:
        super().left()
        self.online.leave(self.code)

    def shortcut(self, key: int) -> bool:
        if key == pygame.K_u:
            if not self.watching and self.state.moved and not self.state.over:
                self._offer("takeback")()
            return True
        return super().shortcut(key)

    # Play

    def played_by_hand(self, move: Any) -> None:
        """At once on the board, and to the server; if that refuses, it is taken back."""
        if not self._may_move():
            return
        self._sent = (len(self.state.moves), str(move))
        self.online.refused.discard(self.code)
        self.online.move(self.code, str(move))
        self._play(move)

    def _may_move(self) -> bool:
        return self.state.mine and self._sent is None and self.online.connected and self.looking is None

    def _play(self, move: Any) -> None:
        following = self.looking is None
        ply = self.session.play(move)
        if following:
            self.board.show(self.session.position, ply, moved=True, seconds=self.move_seconds())
        self.refresh()

    def _follow(self) -> None:
        """Bring the board to where the server is, by a move if that is all there is between them."""
        state, session = self.state, self.session
        if self._sent is not None and (
            len(state.moves) > self._sent[0] or state.over or self.code in self.online.refused
        ):
            self._sent = None
        self.online.refused.discard(self.code)
        wanted = [*state.moves, self._sent[1]] if self._sent is not None else list(state.moves)
        shown = [str(ply.move) for ply in session.plies]
        if wanted == shown:
            return
        if wanted[: len(shown)] == shown and len(wanted) <= len(shown) + 2:  # a pass follows a move at once
            if not self.board.busy:
                self._play(session.game.move_in(session.position, wanted[len(shown)]))
            return
        same = next(
            (n for n, pair in enumerate(zip(wanted, shown, strict=False)) if pair[0] != pair[1]),
            min(len(wanted), len(shown)),
        )
        session.take_back_to(same)
        for text in wanted[same:]:
            session.play(session.game.move_in(session.position, text))
        self.looking = None
        self.effects.clear()
        self.board.show(session.position, self.last)
        self.refresh()

    # Every frame

    def tick(self, dt: float) -> None:
        """The lobby below hears what happens; here it is shown."""
        if self.app.scene is self and self._next_game():
            return
        if self.online.version != self._seen or (self._claimable() and not any(w.key == "claim" for w in self.widgets)):
            self._seen = self.online.version
            self.refresh()
        self._follow()
        self.board.playable = self._may_move()
        self.board.foresight = not self._silent
        super().tick(dt)
        if self.state.over and not self._celebrated and not self.board.busy:
            self._celebrated = True
            self.celebrate()

    def _next_game(self) -> bool:
        """Go over to a rematch, or to whatever else has begun."""
        codes = [code for code in self.online.to_open if code != self.code and code in self.online.games]
        self.online.to_open.clear()
        if not codes or (not self.watching and not self.state.over and codes[-1] != self.state.rematch):
            if codes:
                self.app.toast("Another game of yours has begun: it is under Games in the lobby.")
            return False
        self.app.replace(OnlineGameScene(self.app, self.online, codes[-1]))
        return True

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def winner(self) -> int | None:
        return {"first": 0, "second": 1}.get(self.state.result or "")

    @property
    def lost(self) -> bool:
        return self.winner is not None and not self.watching and self.winner != self.state.seat

    def arrange(self) -> None:
        super().arrange()
        state = self.state
        for side, card in self.cards.items():
            seat = int(side)
            left = state.time_left(seat, now())
            card.seconds, card.countdown = None if left is None else left / 1000, True
            card.active = state.turn == seat and self.looking is None
            card.thinking = card.active and state.players[seat].bot and not self.board.busy

    def seat_name(self, side: Any) -> str:
        player = self.state.players[int(side)]
        away = "" if player.here or player.bot or self.state.over else " · away"
        return f"{self._name(int(side))} {player.rating}{away}"

    def turn_text(self) -> str:
        state = self.state
        if not self.online.connected:
            return self.online.line
        for what, seat in state.offers.items():
            if seat == state.seat:
                return f"You offer {_OFFERS[what]}" if what != "takeback" else "You ask for your move back"
            return f"{self._name(seat)} {_ASKS[what]}"
        if state.mine:
            return f"Your move{self.must_text()}" if self._sent is None else "Sending your move"
        if state.turn is None:
            return ""
        if self.watching:
            return f"{self._name(state.turn)} is to move"
        away = not state.players[state.turn].here and not state.players[state.turn].bot
        return f"{self._name(state.turn)} is {'away' if away else 'to move'}"

    def result_text(self) -> str:
        state, outcome = self.state, self.session.position.outcome
        if state.result == "aborted":
            return "The game was ended before it began"
        if outcome is not None:
            why = self.drawing.result_words(self.session.position, outcome.winner, str(outcome.reason))
        else:
            why = _ENDINGS.get(state.ending or "", state.ending or "")
        text = result_line(None if self.winner is None else self._name(self.winner), why)
        if state.changes is not None and state.seat is not None:
            change = state.changes[state.seat]
            text += f" · your rating {change.before} → {change.after}"
        return text
