"""The way into the terminal's game from the settings of `alphadiamond play`."""

import sys
from pathlib import Path

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.base.game import Game
from alphadiamond.play.library import Library
from alphadiamond.play.opponents import Roster
from alphadiamond.play.session import HUMAN, Session
from alphadiamond.terminal.game import TerminalGame, read_session
from alphadiamond.terminal.screen import Screen


def play_in_terminal(
    *,
    first: str | None,
    second: str | None,
    game: Game,
    plain: bool = False,
    load: str | None = None,
    seed: int | None = None,
) -> None:
    """A person against the strongest player there is, unless the seats say otherwise."""
    announce_compilation()
    if load is not None:
        session = read_session(Path(load))
    else:
        other = Roster(game=game).best()
        session = Session(
            first or (HUMAN if second != HUMAN else other),
            second or (other if first in (HUMAN, None) else HUMAN),
            game=game,
        )
    library = Library()
    try:
        TerminalGame(session, Screen(sys.stdout, plain=plain), library=library, seed=seed).run()
    finally:
        library.close()
