"""Solve Dame exactly, once; or prove the result; or report on it."""

import json
import sys
import time
from pathlib import Path

from alphadiamond.base.compilation import announce_compilation
from alphadiamond.console import duration
from alphadiamond.files import write_text
from alphadiamond.games.dame.position import Position
from alphadiamond.games.dame.solver.solution import DameSolution, default_directory
from alphadiamond.games.dame.solver.summary import Summary, best_game, longest_game, stakes, summarise
from alphadiamond.games.dame.solver.table_builder import prove, solve
from alphadiamond.games.dame.solver.table_file import NAME, SolutionError, map_table, write_table
from alphadiamond.settings.programs import SolveSettings


def run(settings: SolveSettings) -> None:
    announce_compilation()
    directory = Path(settings.output) if settings.output else default_directory()
    path = directory / NAME
    started = time.monotonic()
    if settings.verify or settings.report:
        if not path.exists():
            raise SolutionError(f'{path}: missing; `make solve ARGS="game=dame"` makes it in seconds')
        if settings.verify:
            entries = prove(map_table(path), threads=settings.threads)
            print(f"proved: all {entries:,} entries agree with their successors ({_since(started)})")
        else:
            _report(DameSolution.load(directory), settings.threads)
        return
    if settings.resume and path.exists() and _is_whole(path):
        print(f"{path} is there and whole; resume=false solves it again")
    else:
        write_table(path, solve(threads=settings.threads))
        print(f"solved ({_since(started)}); now counting", flush=True)
    summary = summarise(map_table(path))
    write_text(directory / "summary.json", json.dumps(summary.as_json, indent=2) + "\n")
    _show(summary)
    print(f"written to {directory}, {path.stat().st_size / 1e6:.0f} MB, {_since(started)} in all")


def _is_whole(path: Path) -> bool:
    try:
        map_table(path)
    except SolutionError as error:
        print(f"{error.reason}; so it is made anew now", file=sys.stderr, flush=True)
        return False
    return True


def _show(summary: Summary) -> None:
    winner = "white" if summary.start_value > 0 else "black"
    print(f"{winner} wins from the start, in {summary.start_plies} plies if both sides play best")
    print(
        f"{summary.occurring:,} positions can occur: in {summary.going_on:,} the game goes on, "
        f"in {summary.finished:,} it is over"
    )
    print(
        f"{summary.entries:,} positions solved, all that the rules allow: {summary.won:,} won and "
        f"{summary.lost:,} lost for the side to move, the longest win in {summary.longest_win} plies"
    )


def _report(solution: DameSolution, threads: int) -> None:
    start = Position.start()
    moves = best_game(solution, start)
    print(f"best play from the start: {' '.join(str(move) for move in moves)}")
    for move in start.moves():
        value, plies = solution.result(start.play(move))
        print(f"{move}: {'wins' if value < 0 else 'loses'} in {plies + 1} plies")
    found = stakes(solution.table, threads=threads)
    print(
        f"of {found.positions:,} won positions that can occur some move throws the win away in "
        f"{100 * found.at_stake:.1f} %, all but one of several in {100 * found.only_move:.1f} %; "
        f"a random move does in {100 * found.wrong:.1f} %"
    )
    print(f"the longest game from the start has {longest_game(threads=threads)} plies")


def _since(started: float) -> str:
    return duration(time.monotonic() - started)
