"""Solving the game beside the window, with its progress. No pygame here."""

import contextlib
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from alphadiamond.base import processes
from alphadiamond.base.game import Game
from alphadiamond.base.threads import available_cores
from alphadiamond.errors import AlphaDiamondError


class SolveProcess:
    """A process that solves a game; it can be stopped at any time, and goes on from what is whole."""

    def __init__(self, game: Game, directory: Path | None = None) -> None:
        begun = processes.context()
        self._ours, theirs = begun.Pipe(duplex=False)
        self._process: Any = begun.Process(target=_build, args=(theirs, game, directory), daemon=True)
        self.share = 0.0
        self.note = "Preparing"
        self.done = False
        self.fault = ""
        self._process.start()
        theirs.close()

    def update(self) -> None:
        """Take in the news; never waits."""
        try:
            while self._ours.poll():
                kind, value, note = self._ours.recv()
                if kind == "progress":
                    self.share, self.note = value, note
                elif kind == "done":
                    self.done, self.share = True, 1.0
                else:
                    self.fault = note
        except (EOFError, OSError):
            if not self.done and not self.fault:
                self.fault = "the solver has stopped"

    def stop(self) -> None:
        if self._process.is_alive():
            self._process.kill()
        with contextlib.suppress(OSError):
            self._ours.close()


def _build(connection: Connection, game: Game, directory: Path | None) -> None:
    """The game's own solver, leaving a core to the window."""

    def tell(share: float, note: str) -> None:
        connection.send(("progress", share, note))

    try:
        game.solve(directory, threads=max(1, available_cores() - 1), watch=tell)
        connection.send(("done", 1.0, ""))
    except (BrokenPipeError, KeyboardInterrupt):
        return
    except AlphaDiamondError as error:
        with contextlib.suppress(OSError):
            connection.send(("fault", 0.0, str(error)))
    except Exception as error:  # told to the person, who can try again
        with contextlib.suppress(OSError):
            connection.send(("fault", 0.0, f"{type(error).__name__}: {error}"))
