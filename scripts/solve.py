"""Solve Diamond Chase exactly, or prove a finished tablebase; an interrupted run goes on at the layer it was at."""

import json
import time
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.console import duration
from alphadiamond.files import write_text
from alphadiamond.game.compiling import announce_compilation
from alphadiamond.solver import default_directory
from alphadiamond.solver.proof import prove
from alphadiamond.solver.retrograde import load_table, solve
from alphadiamond.solver.summary import Summary, summarise


@dataclass
class SolveSettings:
    output: str | None = None
    """The directory of the tablebase; the user's data directory if not given, where every player looks for it."""
    verify: bool = False
    """Prove the finished tablebase there instead: every entry against its successors."""
    resume: bool = True
    """Keep the layers that are already there and whole."""
    threads: int = 0
    """How many to use; 0 means one for each core."""


def main(settings: SolveSettings) -> None:
    announce_compilation()
    directory = Path(settings.output) if settings.output else default_directory()
    started = time.monotonic()
    if settings.verify:
        entries = prove(load_table(directory), threads=settings.threads)
        print(f"proved: all {entries:,} entries agree with their successors ({_since(started)})")
        return
    table = solve(directory, threads=settings.threads, resume=settings.resume)
    print(f"solved ({_since(started)}); counting")
    summary = summarise(table, threads=settings.threads)
    write_text(directory / "summary.json", json.dumps(summary.as_json, indent=2) + "\n")
    _show(summary)
    print(f"written to {directory}, {_size(directory) / 1e6:.0f} MB, {_since(started)} in all")


def _show(summary: Summary) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("own", "opp", "positions", "win", "draw", "loss", "longest", "quiet")
    for layer in summary.layers:
        counts = (f"{count:,}" for count in (layer.positions, layer.win, layer.draw, layer.loss))
        table.add_row(str(layer.own), str(layer.opp), *counts, str(layer.longest), str(layer.longest_quiet))
    Console(width=100).print(table)
    start = {1: "a win", 0: "a draw", -1: "a loss"}[summary.start_value]
    print(f"the start is {start} for the side to move")
    print(
        f"on the way to a win at most {summary.longest_quiet} quiet plies follow each other, "
        f"and {summary.quiet_limit} make a draw"
    )


def _since(started: float) -> str:
    return duration(time.monotonic() - started)


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("*.layer"))


if __name__ == "__main__":
    cli.run(main, SolveSettings, "solve")
