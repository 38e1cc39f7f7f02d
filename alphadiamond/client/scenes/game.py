"""The game: a person against a player, two people, or two players being watched."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.agents import PlayerSpec
from alphadiamond.client.hints import Hint
from alphadiamond.client.player_process import Answer
from alphadiamond.client.results import game_result, person_result, result_text
from alphadiamond.client.scenes.controls import add_icons, add_speed
from alphadiamond.client.scenes.play_scene import PlayScene
from alphadiamond.client.turns import Turn
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.play.opponents import ADAPTIVE, is_neural, short_title_of, title_of, titles_of
from alphadiamond.play.session import HUMAN, Clock, Session, SessionError

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_SHORTEST_THOUGHT = 0.45
"""Seconds a player seems to think at least, so that its move can be followed."""
_BETWEEN_MOVES = 0.7
"""Seconds between the moves of two players, at speed 1."""
_LONG_THOUGHT = 4.0
"""Seconds after which the first move of a player is explained: it may be loading its network."""
_END_PAUSE = 1.1
_FORCED = 0.35
"""Seconds after which a move is made for a person who has no other."""


class GameScene(PlayScene):
    on_looking = "U plays on from here, Esc returns"

    def __init__(self, app: "App", session: Session, *, coach: bool = False, resumed: bool = False) -> None:
        """`coach` says something helpful about each position; `resumed` goes on with the game kept as running."""
        super().__init__(app, session)
        self.coach = coach
        self._begun = resumed
        self.watching = not session.humans
        self.paused = False
        self._turn = Turn()
        self._step_wanted = False
        self._forced = 0.0
        """Seconds that a move without a choice has waited."""
        self._ended = -1.0
        """Seconds since the game ended; negative while it goes on."""
        self._end_shown = False
        self._counted = session.over
        self._hint = Hint(self.drawing)
        self.title = self._title()
        self.focus_key = "pause" if self.watching else "board"
        self._follow_board()

    def entered(self) -> None:
        """A new game never costs an unfinished one: that is kept."""
        super().entered()
        if self._begun:
            return
        self._begun = True
        try:
            kept = self.app.library.set_running_aside()
        except AlphaDiamondError as error:
            self.app.toast(str(error))
            return
        if kept is not None:
            self.app.toast("Your unfinished game is kept under Games on the title.")

    def _title(self) -> str:
        if self.watching:
            names = titles_of(self.session.seats, short=True)
            return f"{names[0]} – {names[1]}"
        if len(self.session.humans) == 2:
            return "Two players"
        return f"You – {title_of(self.session.seat(self.session.humans[0].other))}"

    # Buttons

    def action_rows(self) -> int:
        return 2 if self.watching else 1

    def actions(self, area: pygame.Rect) -> None:
        session = self.session
        some = bool(session.plies)
        new = ("new", "new", self.ask_new, "New game", some)
        save = ("save", "save", self.save, "Save (S)", some)
        if self.watching:
            icon, tip = ("play", "Play (Space)") if self.paused else ("pause", "Pause (Space)")
            pause = ("pause", icon, self.toggle_pause, tip, not session.over)
            step = ("step", "step", self.step, "One move (N)", not session.over)
            add_icons(self, area, [pause, step, ("undo", "undo", self.take_back, "Take back (U)", some), save, new])
            add_speed(self, area)
            return
        undo = ("undo", "undo", self.take_back, "Take back (U)", session.plies_to_take_back > 0)
        redo = ("redo", "redo", self.redo, "Redo (R)", bool(session.undone))
        hint = ("hint", "hint", self.hint, "Hint (H)", session.human_to_move and self.looking is None)
        resign = ("resign", "flag", self.ask_resign, "Resign", not session.over)
        add_icons(self, area, [undo, redo, hint, save, resign, new])

    @property
    def speed(self) -> float:
        return self.app.settings.speed if self.watching else 1.0

    def move_seconds(self) -> float:
        return super().move_seconds() / max(1.0, self.speed)

    # A fog, in which the one person sees only what is near

    @property
    def can_fog(self) -> bool:
        return self.drawing.ways is not None and len(self.session.humans) == 1

    @property
    def fog(self) -> bool:
        return self.can_fog and self.app.settings.fog and not self.session.over

    def toggle_fog(self) -> None:
        self.app.settings.fog = not self.app.settings.fog
        self.app.save_settings()
        self.refresh()

    def header_icons(self) -> list[tuple[str, str, Callable[[], None], str]]:
        icons = super().header_icons()
        if self.can_fog:
            tip = "Lift the fog (F)" if self.app.settings.fog else "Fog: see only what is near (F)"
            icons.append(("fog", "eye_off" if self.app.settings.fog else "eye", self.toggle_fog, tip))
        return icons

    # Play

    def played_by_hand(self, move: Any) -> None:
        if self.session.human_to_move and self.looking is None:
            self._play(move)

    def _play(self, move: Any) -> None:
        ply = self.session.play(move)
        self.evaluations.forget_after(len(self.session.plies) - 1)
        self._clear_hint()
        self.board.show(self.session.position, ply, moved=True, seconds=self.move_seconds())
        self._after_change()
        if not self.session.over:
            self.app.library.keep_running(self.session.record())

    def _after_change(self) -> None:
        self._turn.restart()
        self._ended = 0.0 if self.session.over else -1.0
        self._end_shown = False
        self._follow_board()
        self.refresh()

    def _follow_board(self) -> None:
        self.board.playable = self.session.human_to_move and self.looking is None

    def look(self, ply: int) -> None:
        super().look(ply)
        self._clear_hint()
        self._follow_board()

    def take_back(self) -> None:
        try:
            if self.looking is not None:  # from here on, if the person wants it
                self.session.take_back_to(self.ply)
                self.looking = None
            else:
                self.session.take_back()
        except SessionError as error:
            self.app.toast(f"{str(error).capitalize()}.")
            return
        self.paused = self.paused or self.watching
        self._changed_by_person()

    def redo(self) -> None:
        try:
            self.session.redo()
        except SessionError as error:
            self.app.toast(f"{str(error).capitalize()}.")
            return
        self._changed_by_person()

    def _changed_by_person(self) -> None:
        self.app.players.cancel()
        self.looking = None
        self.effects.clear()
        self._clear_hint()
        self.evaluations.forget_after(len(self.session.plies))
        self.app.sounds.play("click")
        self.board.show(self.session.position, self.last)
        self._after_change()
        if not self.session.over and self.session.plies:
            self.app.library.keep_running(self.session.record())

    def toggle_pause(self) -> None:
        self.paused = not self.paused
        self.refresh()

    def step(self) -> None:
        """One move, then wait."""
        self.paused = True
        self.look(len(self.session.plies))
        if not self.session.over and not self.board.busy:
            self._step_wanted = True
        self.refresh()

    def resign_text(self) -> str:
        side = self.drawing.side_name(self._resigning).capitalize()
        return super().resign_text() if len(self.session.humans) == 1 else f"{side} gives up."

    @property
    def _resigning(self) -> Any:
        """The one person's side, or of two that of the one to move."""
        return self.session.humans[0] if len(self.session.humans) == 1 else self.session.to_move

    def resign(self) -> None:
        self.looking = None
        self.app.players.cancel()
        self.session.resign(self._resigning)
        self._after_change()

    @property
    def _droppable(self) -> bool:
        """Whether nothing is lost with this game."""
        return self.session.over or not self.session.plies

    def ask_new(self) -> None:
        if self._droppable:
            self.new_game()
        else:
            text = "The running game will be dropped. It does not count."
            self.ask("Start anew?", text, "New game", self.new_game)

    def new_game(self, *, swap: bool = False, fresh: bool = False) -> None:
        self.app.players.cancel()
        self.app.library.forget_running()
        self.app.replace(GameScene(self.app, self.session.rematch(swap=swap, fresh=fresh)))

    def leave(self) -> None:
        if self._droppable:
            self.app.home()
        else:
            self.ask("Leave the game?", "It is kept: “Continue” on the title brings it back.", "Leave", self.app.home)

    def left(self) -> None:
        super().left()
        self.app.players.cancel()
        if self.session.clock_runs and not self.watching and self.app.library.running() is not None:
            self.app.library.keep_running(self.session.record())  # with the time that has passed since the last move

    def shortcut(self, key: int) -> bool:
        if key == pygame.K_u:
            self.take_back()
        elif key == pygame.K_r and not self.watching:
            self.redo()
        elif key == pygame.K_h and not self.watching:
            self.hint()
        elif key == pygame.K_f and self.can_fog:
            self.toggle_fog()
        elif key == pygame.K_SPACE and self.watching:
            self.toggle_pause()
        elif key == pygame.K_n and self.watching:
            self.step()
        else:
            return super().shortcut(key)
        return True

    # Hints

    def hint(self) -> None:
        if not self.session.human_to_move or self.looking is not None:
            return
        if self._hint.press(self.app.analysts, self.app.roster, self.session.position):
            self.session.hints += 1
            self.live.ask_again()
        self._show_hint()

    def answered(self, answer: Answer) -> None:
        before = self._hint.step
        fault = self._hint.take(answer, self.session.position)
        if fault:
            self.app.toast(f"No hint: {fault}")
        elif self._hint.step != before:
            self._show_hint()

    def _show_hint(self) -> None:
        hint = self._hint
        if hint.move is not None:
            self.board.hint = hint.path(self.session.position)
            self.app.sounds.play("hint")
        self.refresh()

    def _clear_hint(self) -> None:
        self._hint.clear()
        self.board.hint = ()

    def analysts_back(self) -> None:
        super().analysts_back()
        self._clear_hint()

    def follow_analysis(self) -> None:
        if not self._hint.asked:  # the hint is asked of the same process
            super().follow_analysis()

    # Every frame

    def thinking(self) -> bool:
        return self._turn.asked

    def tick(self, dt: float) -> None:
        hurried = self.session.clock_runs  # then looking back stops no clock
        if (self.looking is None or hurried) and not self.board.busy and not self.paused:
            self.session.tick(dt)
            if self.session.flagged is not None and self._ended < 0:
                self._time_is_up()
        self._drive(dt)
        super().tick(dt)
        self._watch_end(dt)

    def _time_is_up(self) -> None:
        self.looking = None
        self.app.players.cancel()
        self.board.show(self.session.position, self.last)
        self._after_change()

    def _drive(self, dt: float) -> None:
        """Let the player at the move think, and play what it has found."""
        session = self.session
        for answer in self.app.players.answers():
            fault = self._turn.take(answer, session)
            if fault:
                self._replace_player(answer.spec, fault)
            elif answer.kind == "move" and is_neural(answer.spec) and answer.text != self.app.device_used:
                self.app.device_used = answer.text
                self.refresh()
        if session.over or self.board.busy:
            return
        if session.human_to_move:
            self._drive_person(dt)
            return
        waiting = self.paused and not self._step_wanted
        if waiting or (self.looking is not None and not self.watching):
            return
        self._turn.think(dt, session, self.app.players)
        shortest = _BETWEEN_MOVES / self.speed if self.watching else _SHORTEST_THOUGHT
        if self.painter.look.motion.reduced:
            shortest *= 0.5
        found = self._turn.found
        if found is not None and (self._turn.seconds >= shortest or self._step_wanted):
            self._step_wanted = False
            self.looking = None
            self._play(found)

    def _drive_person(self, dt: float) -> None:
        """Whoever has nothing to choose is not asked."""
        move = self.drawing.forced(self.session.position)
        if move is None or self.looking is not None:
            return
        self._forced += dt
        if self._forced >= _FORCED:
            self._forced = 0.0
            self._play(move)

    def _replace_player(self, spec: str, fault: str) -> None:
        """A player that cannot go on is explained, and another one takes its seat."""
        side = self.session.to_move
        self.app.roster.faults[spec] = fault
        other = self.app.roster.best()
        if other == spec:
            other = "random"
        self.session.give_seat(side, other)
        self.app.toast(f"{title_of(spec)}: {fault}. {title_of(other)} takes over.".replace("..", "."))
        self._turn.new_player(side)
        self.title = self._title()
        self.refresh()

    def _watch_end(self, dt: float) -> None:
        if self._ended < 0 or self.board.busy:
            return
        first = self._ended == 0.0
        self._ended += dt
        if first:
            self.celebrate()
            self._count()
        if self._ended >= _END_PAUSE and not self._end_shown and self.app.scene is self:
            from alphadiamond.client.scenes.game_over import GameOverScene

            self._end_shown = True
            self.app.push(GameOverScene(self.app, self))

    @property
    def over(self) -> bool:
        return self.session.over

    @property
    def winner(self) -> Any | None:
        return self.session.winner

    @property
    def lost(self) -> bool:
        return person_result(self.session) == "lost"

    def result_text(self) -> str:
        return result_text(self.session)

    def _count(self) -> None:
        if self._counted:
            return
        self._counted = True
        self.app.library.forget_running()
        result = game_result(self.session, self.solution_lookup)
        if result is None:
            return
        self.app.statistics.add(result)
        if PlayerSpec.of_seat(self.session.seat(self.session.humans[0].other)).name == ADAPTIVE:
            self.app.settings.adapt(result.result)
            self.app.save_settings()

    def turn_text(self) -> str:
        session = self.session
        if self._hint.text:
            return self._hint.text
        side = session.to_move
        if session.human_to_move and self.coach:
            return self.drawing.advice(session.position)
        if session.human_to_move:
            name = self.drawing.side_name(side).capitalize()
            said = ("Your move" if len(session.humans) == 1 else f"{name} to move") + self.must_text()
            return " · ".join(filter(None, (said, self.drawing.countdown(session.position))))
        if self.paused:
            return "Paused"
        name = short_title_of(session.seat(side))
        if self._turn.seconds > _LONG_THOUGHT and len(session.plies) < 2:
            return f"{name} is getting ready: the first move takes longest"
        return f"{name} is thinking"

    @staticmethod
    def against(app: "App", spec: str, colour: str = "") -> "GameScene":
        """A person of a side, by its name, against a player, in the game at hand."""
        second = int(app.game.drawing.side_of(colour)) == 1
        seats = (spec, HUMAN) if second else (HUMAN, spec)
        return GameScene(app, Session(*seats, game=app.game, clock=Clock.parse(app.settings.clock)))
