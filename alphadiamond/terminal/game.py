"""A game at the terminal: reads a line, does what it says, shows what came of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from alphadiamond.agents import Agent, AgentError, make_agent, players_of
from alphadiamond.analysis.opinions import SOLVED, Solution, line_text
from alphadiamond.analysis.report import exact_lines, percent
from alphadiamond.base.drawing import Ply
from alphadiamond.base.game import Game
from alphadiamond.base.huffman import code
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.records import RecordError, read_records, write_records
from alphadiamond.play.analysts import depth_text
from alphadiamond.play.library import Library
from alphadiamond.play.opponents import Roster, title_of
from alphadiamond.play.session import HUMAN, Session
from alphadiamond.settings.players import PlayerSpec
from alphadiamond.terminal.commands import COMMANDS, WAY_COMMANDS, Command, understand
from alphadiamond.terminal.line_reader import Reader, files
from alphadiamond.terminal.players import Players, hurried_by_ctrl_c
from alphadiamond.terminal.screen import Screen
from alphadiamond.terminal.simulation import coding_lines, show_simulation, walks_of, ways_of

_ADVISERS: Final = ("perfect", "neural:simulations=400", "minimax:depth=8")
"""Whom to ask for hints and analysis: the first that can be had."""
_SHOWN: Final = 6  # moves of an analysis


class TerminalGame:
    def __init__(
        self, session: Session, screen: Screen, *, library: Library, seed: int | None = None, process: bool = True
    ) -> None:
        self.session = session
        self.screen = screen
        self._library = library
        self._process = process
        self._players = Players(session.game, seed, process=process)
        self._roster = Roster(game=session.game)
        self._reader = Reader(self._words)
        self._solution: Solution | None = None
        self._paused = False
        self._kept = False  # whether the game kept as the running one is this one
        self._left = False
        self._told = False  # whether the end of the game has been said

    def run(self) -> None:
        try:
            self._run()
        finally:
            self._players.close()

    def _run(self) -> None:
        for side in self.session.game.sides:
            if not self.session.is_human(side):
                self._players.prepare(self.session.seat(side))
        self._greet()
        self._show_board()
        while not self._left:
            if self.session.over and not self._told:
                self._tell_the_end()
            forced = self.session.drawing.forced(self.session.position)
            if forced is not None and self.session.human_to_move:
                self._note(self.session.play(forced))
            elif self.session.over or self.session.human_to_move or self._paused:
                self._ask()
            else:
                self._let_player_move()
        if not self.session.over and self.session.plies:
            self.screen.say("The game is kept: `resume` goes on with it the next time, here or in the window.")

    # What the person says

    def _ask(self) -> None:
        try:
            line = self._reader.read(self._prompt(), self.screen.show)
        except KeyboardInterrupt:
            self.screen.show("")
            self.screen.say("Say quit to leave.")
            return
        if line is None:
            self._left = True
            if not self._reader.alone:
                self.screen.show("")
            return
        if not line.strip():
            return
        try:
            said = understand(line, self.session.position)
            if isinstance(said, Command):
                getattr(self, f"_do_{said.name}")(said)
            else:
                self._play(said)
        except AlphaDiamondError as error:
            text = str(error)
            self.screen.say(text[:1].upper() + text[1:] + ("" if text.endswith(("?", ".")) else "."), style="fault")

    def _prompt(self) -> str:
        if self.session.over:
            return "game over> "
        return f"{self.session.to_move}> " if not self._paused else "watching> "

    def _words(self, before: str) -> Sequence[str]:
        """What can be completed after what stands before the cursor."""
        first = before.split()
        if not first:
            commands = [name for name in COMMANDS if name not in WAY_COMMANDS or self.session.drawing.ways is not None]
            return [*(str(move) for move in self.session.position.moves()), *commands]
        specs = [level.spec for opponent in self._roster.opponents for level in opponent.levels]
        choices = {
            "new": [str(side) for side in self.session.game.sides],
            "plain": ["on", "off"],
            "level": specs,
            "analyse": specs,
        }
        return files() if first[0] in ("save", "load") else choices.get(first[0], [])

    # Moves

    def _play(self, move: Any) -> None:
        if self.session.over:
            raise AlphaDiamondError("the game is over: say new for another, or back")
        if not self.session.human_to_move:
            raise AlphaDiamondError("it is not your move: say go")
        self._note(self.session.play(move))

    def _let_player_move(self) -> None:
        side = self.session.to_move
        spec = self.session.seat(side)
        try:
            with self.screen.passing(f"{title_of(spec)} is thinking; Ctrl-C: answer now"), hurried_by_ctrl_c() as stop:
                agent = self._players.get(spec)
                move = agent.choose(self.session.position, stop=stop)
                hurried = stop()
        except AlphaDiamondError as error:
            self._replace(side, spec, str(error))
            return
        self._paused = hurried and not self.session.humans
        self._note(self.session.play(move))

    def _replace(self, side: Any, spec: str, fault: str) -> None:
        """A player that cannot be had is explained, and the strongest one that can takes its seat."""
        self._roster.faults[spec] = fault
        others = (self._roster.best(), "minimax:depth=4")
        other = next((one for one in others if not self._roster.faults.get(one)), None)
        if other is None:
            raise AlphaDiamondError(f"{fault}: no other player can be had either")
        self.screen.say(f"{fault}. {title_of(other)} takes its seat.", style="fault")
        self._seat(side, other)

    def _note(self, ply: Ply) -> None:
        """Tell of a move, show the board, keep the game."""
        if self.screen.plain:
            removed = self.session.drawing.names_of(sorted((*ply.captured, *ply.lost)))
            self.screen.say(
                f"{str(ply.side).capitalize()} plays {ply.move}." + (f" Taken off: {removed}." if removed else "")
            )
        elif self.session.is_human(ply.side):
            pass  # they know, and the board shows it
        else:
            self.screen.say(f"{ply.side} ({title_of(self.session.seat(ply.side))}) plays {ply.text}", style="title")
        if not self.screen.plain and (self.session.over or self.session.is_human(self.session.to_move)):
            self._show_board()
        self._told = False
        self._keep()

    def _keep(self) -> None:
        if self.session.over:
            self._library.forget_running()
        elif self.session.humans:
            if not self._kept and (path := self._library.set_running_aside()):
                self.screen.say(f"The game that was left unfinished is kept as {path.name}.")
            self._kept = True
            self._library.keep_running(self.session.record())

    def _tell_the_end(self) -> None:
        self._told = True
        winner = self.session.winner
        result = "A draw" if winner is None else f"{str(winner).capitalize()} wins"
        self.screen.say(f"{result} by {self.session.ending}.", style="title")
        self._tell_efficiency()
        if len(self.session.humans) == 1:
            person = self.session.humans[0]
            agent = self._players.get(self.session.seat(person.other))
            agent.record_result(0.5 if winner is None else float(winner is person))  # for the one that follows them

    def _tell_efficiency(self) -> None:
        """Where pieces look for their way: what was paid, and what the cheapest way would have cost."""
        ways = self.session.drawing.ways
        for side in self.session.game.sides if ways is not None else ():
            assert ways is not None
            paid, least, share = ways.result(self.session.start, self.session.position, side)
            well = "is not at home" if share is None else f"an efficiency of {100 * share:.0f} %"
            self.screen.say(f"{str(side).capitalize()} has paid {paid}; the cheapest way cost {least}: {well}.")

    # Commands

    def _do_help(self, command: Command) -> None:
        self.screen.say(
            "A move is said by its name, such as " + self._example() + ", or by its number in the list of moves."
        )
        for name, text in COMMANDS.items():
            self.screen.show(f"{name}: {text}" if self.screen.plain else f"  {name:<9} {text}")

    def _do_board(self, command: Command) -> None:
        self._show_board()

    def _do_moves(self, command: Command) -> None:
        moves = self.session.position.moves()
        texts = [f"{number} {move}" for number, move in enumerate(moves, start=1)]
        if self.screen.plain:
            self.screen.say(", ".join(texts) + "." if texts else "There are no moves.")
            return
        width = max((len(text) for text in texts), default=0) + 3
        a_line = max(1, (self.screen.width - 2) // width)
        for first in range(0, len(texts), a_line):
            self.screen.show("  " + "".join(f"{text:<{width}}" for text in texts[first : first + a_line]).rstrip())

    def _do_hint(self, command: Command) -> None:
        adviser, spec = self._adviser()
        with hurried_by_ctrl_c() as stop:
            analysis = adviser.analyse(self.session.position, stop=stop)
        self.session.hints += 1
        exact = self.solution.moves(self.session.position).get(analysis.best)
        why = f"exactly a {exact}" if exact is not None else f"{title_of(spec)} expects {percent(analysis.value)}"
        self.screen.say(f"Hint: {analysis.best} ({why}).")

    def _do_analyse(self, command: Command) -> None:
        adviser, spec = (
            (self._named(command.argument), command.argument) if command.argument else self._adviser("perfect")
        )
        position = self.session.position
        with hurried_by_ctrl_c() as stop:
            analysis = adviser.analyse(position, stop=stop)
        said = [
            text
            for text in (
                f"expects {percent(analysis.value)}" if analysis.value is not None else "",
                depth_text(analysis),
            )
            if text
        ]
        self.screen.say(
            f"{title_of(spec)} for {position.side}: {', '.join(said)}." if said else f"{title_of(spec)}:", style="title"
        )
        for number, one in enumerate(analysis.moves[:_SHOWN], start=1):
            value = percent(one.value) if one.value is not None else f"{one.score:g}"
            line = line_text(position, one.variation[1:], limit=6)
            if self.screen.plain:
                self.screen.say(f"{number}. {one.move}: {value}" + (f", then {line}." if line else "."))
            else:
                self.screen.show(f"  {one.move!s:<8} {value:>6}   {line}".rstrip()[: self.screen.width])
        if exact := self.solution.moves(position):
            self.screen.say(f"Exactly, by the solved game: {'; '.join(exact_lines(exact))}.")

    def _do_simulate(self, command: Command) -> None:
        """From where the side to move stands."""
        position, drawing = self.session.position, self.session.drawing
        walks = walks_of(drawing, position, heuristic=command.argument)
        distances = ways_of(drawing).distances(position, position.side)
        show_simulation(self.screen, drawing, position, walks, distances=distances)

    def _do_logs(self, command: Command) -> None:
        ways = ways_of(self.session.drawing)
        for side in self.session.game.sides:
            coding = code(ways.log(self.session.plies, side))
            paid, least, share = ways.result(self.session.start, self.session.position, side)
            well = "not at home" if share is None else f"efficiency {100 * share:.0f} %"
            self.screen.say(f"{str(side).capitalize()}: paid {paid}, cheapest way {least}, {well}.", style="title")
            for line in coding_lines(coding, ways.letters):
                self.screen.show(f"  {line}" if not self.screen.plain else line)

    def _do_back(self, command: Command) -> None:
        count = self.session.take_back()
        self._told = False
        self.screen.say("Taken back: " + ("one move." if count == 1 else f"{count} moves."))
        self._show_board()

    def _do_redo(self, command: Command) -> None:
        self.session.redo()
        self._show_board()

    def _do_level(self, command: Command) -> None:
        levels = [(level.spec, title_of(level.spec)) for one in self._roster.opponents for level in one.levels]
        if not command.argument:
            for number, (spec, title) in enumerate(levels, start=1):
                self.screen.show(
                    f"{number} {title}: {spec}" if self.screen.plain else f"  {number:>2}  {title:<26} {spec}"
                )
            return
        spec = command.argument
        if spec.isdecimal():
            if not 1 <= int(spec) <= len(levels):
                raise AlphaDiamondError(f"there is no level {spec}: they are numbered 1 to {len(levels)}")
            spec = levels[int(spec) - 1][0]
        if spec != HUMAN:
            self._named(spec)
        humans = self.session.humans
        side = humans[0].other if len(humans) == 1 else self.session.to_move.other
        self._seat(side, spec)
        self.screen.say(f"{title_of(spec)} plays {side} from now on.")

    def _do_new(self, command: Command) -> None:
        sides = {str(side): side for side in self.session.game.sides}
        argument = command.argument.lower()
        if argument and argument not in sides:
            raise AlphaDiamondError(f"{argument!r} is no side: say new {' or new '.join(sides)}")
        humans = self.session.humans
        swap = bool(argument) and len(humans) == 1 and humans[0] is not sides[argument]
        self.session = self.session.rematch(swap=swap)
        self._players.reset()
        self._told = self._paused = self._kept = False
        self._greet()
        self._show_board()

    def _do_save(self, command: Command) -> None:
        record = self.session.record()
        if not command.argument:
            self.screen.say(f"Saved: {self._library.save(record)}")
            return
        path = Path(command.argument).expanduser()
        if path.exists():
            raise AlphaDiamondError(f"{path} is there already: give another name")
        try:
            write_records(path, [record])
        except OSError as error:
            raise AlphaDiamondError(f"{path}: cannot be written ({error.strerror})") from None
        self.screen.say(f"Saved: {path}")

    def _do_load(self, command: Command) -> None:
        if not command.argument:
            raise AlphaDiamondError("say which file: load FILE")
        self._use(read_session(Path(command.argument).expanduser()))
        self._kept = False
        self._begin_loaded()

    def _do_resume(self, command: Command) -> None:
        record = self._library.running()
        if record is None:
            raise AlphaDiamondError("there is no unfinished game")
        self._use(Session.of_record(record))
        self._kept = True
        self._begin_loaded()

    def _do_position(self, command: Command) -> None:
        self.screen.show(str(self.session.position))

    def _do_plain(self, command: Command) -> None:
        if command.argument not in ("on", "off", ""):
            raise AlphaDiamondError("say plain on or plain off")
        self.screen.plain = command.argument == "on" if command.argument else not self.screen.plain
        self._show_board()

    def _do_go(self, command: Command) -> None:
        if not self._paused:
            raise AlphaDiamondError("nobody waits for that: it is your move")
        self._paused = False

    def _do_resign(self, command: Command) -> None:
        if not self.session.human_to_move:
            raise AlphaDiamondError("the game is over" if self.session.over else "only a person can resign")
        self.session.resign(self.session.to_move)
        self._keep()

    def _do_quit(self, command: Command) -> None:
        self._left = True

    # What is shown and who is asked

    @property
    def solution(self) -> Solution:
        if self._solution is None:
            self._solution = _solution_of(self.session.game)
        return self._solution

    def _greet(self) -> None:
        seats = [f"{title_of(self.session.seat(side))} plays {side}" for side in self.session.game.sides]
        first = f"{str(self.session.to_move).capitalize()} moves first." if not self.session.plies else ""
        self.screen.say(f"{', '.join(seats)}. {first} Say help for what there is.", style="title")
        if not self.session.plies and self.session.humans and self._library.running() is not None:
            self.screen.say("A game was left unfinished: say resume to go on with it.")

    def _show_board(self) -> None:
        position = self.session.position
        if self.screen.plain:
            for line in self.session.drawing.words(position):
                self.screen.say(line)
            return
        last = self.session.plies[-1] if self.session.plies else None
        marked = last.path[:1] if last is not None else ()
        drawing = self.session.drawing
        self.screen.show("", *drawing.picture(position, paint=self.screen.paint, marked=marked), "")
        note = f"{drawing.legend(paint=self.screen.paint)}   {position.side} to move"
        self.screen.show(note + (f"   last: {last.text}" if last is not None else ""))
        if left := drawing.countdown(position):
            told = (f"{side} {drawing.tally(position, side).words}" for side in self.session.game.sides)
            self.screen.show("   ".join((*told, left)))

    def _example(self) -> str:
        moves = self.session.position.moves() or self.session.start.moves()
        return str(moves[0])

    def _named(self, spec: str) -> Agent:
        return self._players.get(spec)

    def _adviser(self, *passed_over: str) -> tuple[Agent, str]:
        if self.session.over:
            raise AlphaDiamondError("the game is over: there is nothing to choose")
        for spec in _ADVISERS:
            try:
                if spec not in passed_over:
                    return self._players.get(spec), spec
            except AlphaDiamondError:
                continue
        raise AgentError("nobody is there to be asked")

    def _seat(self, side: Any, spec: str) -> None:
        self.session.give_seat(side, spec)

    def _use(self, session: Session) -> None:
        """Go on with another session, perhaps of another game."""
        if session.game != self.session.game:
            self._players.close()
            self._players = Players(session.game, self._players.seed, process=self._process)
            self._roster = Roster(game=session.game)
            self._solution = None
        self.session = session

    def _begin_loaded(self) -> None:
        """Seats of nobody who plays here are taken by people."""
        for side in self.session.game.sides:
            name = PlayerSpec.parse(self.session.seat(side) or HUMAN).name
            if name not in players_of(self.session.game) and "." not in name:
                self._seat(side, HUMAN)
            elif not self.session.is_human(side):
                self._players.prepare(self.session.seat(side))
        self._players.reset()
        self._told = False
        self._paused = not self.session.humans
        self._greet()
        self._show_board()


def _solution_of(game: Game) -> Solution:
    try:
        return Solution(make_agent(SOLVED, game=game, seed=0))
    except AlphaDiamondError:
        return Solution(None)


def read_session(path: Path) -> Session:
    """The first game of a file."""
    records = read_records(path)
    if not records:
        raise RecordError(f"{path}: holds no game")
    return Session.of_record(records[0])
