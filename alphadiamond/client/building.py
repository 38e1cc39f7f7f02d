"""Solving the game beside the window, with its progress. No pygame here."""

import contextlib
import multiprocessing
import os
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any


class Builder:
    """A process that fills the tablebase; it can be stopped at any time and what is whole stays."""

    def __init__(self, directory: Path | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe(duplex=False)
        self._process: Any = context.Process(target=_build, args=(theirs, directory), daemon=True)
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


def _build(connection: Connection, directory: Path | None) -> None:
    """Layer by layer, fewest beads first, leaving a core to the window."""
    from alphadiamond.solver import LAYERS, default_directory
    from alphadiamond.solver.layer_file import write_layer
    from alphadiamond.solver.retrograde import empty_table, pairs, solve_pair, workers

    try:
        table = empty_table()
        total = sum(layer.entries for layer in LAYERS)
        made = 0
        with workers(max(1, (os.cpu_count() or 2) - 1)) as team:
            for pair in pairs():
                name = " and ".join(layer.name for layer in pair)

                def update(done: int, text: str, made: int = made, name: str = name) -> None:
                    connection.send(("progress", (made + done) / total, f"Layer {name}: {text}"))

                solve_pair(table, pair, team, update)
                made += sum(layer.entries for layer in pair)
                for layer in pair:
                    write_layer(directory or default_directory(), layer, table[layer.slice])
        connection.send(("done", 1.0, ""))
    except (BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:  # told to the person, who can try again
        with contextlib.suppress(OSError):
            connection.send(("fault", 0.0, f"{type(error).__name__}: {error}"))
