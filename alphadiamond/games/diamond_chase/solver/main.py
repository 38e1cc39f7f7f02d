"""Solve Diamond Chase exactly, going on where an interrupted run stopped; or prove the result; or report on it."""

import json
import time
from pathlib import Path

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.console import duration
from alphadiamond.files import write_text
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.solver import LAYERS, Tablebase, default_directory
from alphadiamond.games.diamond_chase.solver.proof import prove
from alphadiamond.games.diamond_chase.solver.report import best_game, random_mistakes
from alphadiamond.games.diamond_chase.solver.retrograde import load_table, solve
from alphadiamond.games.diamond_chase.solver.summary import Summary, layer_summary, summarise
from alphadiamond.settings.programs import SolveSettings

_RESULTS = {1: "win", 0: "draw", -1: "loss"}


def run(settings: SolveSettings) -> None:
    announce_compilation()
    directory = Path(settings.output) if settings.output else default_directory()
    started = time.monotonic()
    if settings.verify:
        entries = prove(load_table(directory), threads=settings.threads)
        print(f"proved: all {entries:,} entries agree with their successors ({_since(started)})")
        return
    if settings.report:
        _report(directory, settings.threads)
        return
    table = solve(directory, threads=settings.threads, resume=settings.resume)
    print(f"solved ({_since(started)}); now counting", flush=True)
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
    print(f"the start is a {_RESULTS[summary.start_value]} for the side to move")
    print(
        f"on the way to a win at most {summary.longest_quiet} quiet plies follow each other, "
        f"and {summary.quiet_limit} make a draw"
    )


def _report(directory: Path, threads: int) -> None:
    from rich.console import Console
    from rich.table import Table

    tablebase = Tablebase.load(directory)
    table = load_table(directory)
    layer = max(LAYERS, key=lambda layer: layer_summary(table, layer, quiet=0).longest_win)
    longest = layer_summary(table, layer, quiet=0)
    print(f"the longest win takes {longest.longest_win} plies, for example\n")
    print(best_game(tablebase, Position.parse(str(longest.longest_win_position))))
    shown = Table("layer", "value", "positions", "wrong by chance", "at stake", "only one move")
    total: dict[int, list[float]] = {1: [0, 0, 0, 0], 0: [0, 0, 0, 0]}
    for (layer, value), found in random_mistakes(table, threads=threads).items():
        shares = (found.wrong, found.at_stake, found.only_move)
        total[value][0] += found.positions
        for i, share in enumerate(shares, start=1):
            total[value][i] += share * found.positions
        shown.add_row(
            layer.name, _RESULTS[value], f"{found.positions:,}", *(f"{100 * share:.1f} %" for share in shares)
        )
    for value, (positions, *sums) in total.items():
        shown.add_row("all", _RESULTS[value], f"{positions:,.0f}", *(f"{100 * one / positions:.1f} %" for one in sums))
    Console(width=100).print(shown)


def _since(started: float) -> str:
    return duration(time.monotonic() - started)


def _size(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("*.layer"))
