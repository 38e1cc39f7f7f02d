"""`scripts/analyse.py`: a position or a whole record, to the terminal and to files."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from alphadiamond.agents import PLAYERS, make_agent
from alphadiamond.analysis.opinions import Solution, ask_players, best_line, line_text
from alphadiamond.analysis.plots import plot_curve
from alphadiamond.analysis.report import (
    exact_lines,
    mistakes_table,
    opinions_table,
    position_json,
    review_json,
    summary_lines,
)
from alphadiamond.analysis.review import review
from alphadiamond.analysis.settings import AnalyseSettings
from alphadiamond.base.compiling import announce_compilation
from alphadiamond.console import progress
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_text
from alphadiamond.games.diamond_chase import GameRecord, NotationError, Position, parse_records, read_records
from alphadiamond.games.diamond_chase.picture import picture

if TYPE_CHECKING:
    from rich.console import Console


def analyse(settings: AnalyseSettings) -> None:
    """Say what every player thinks of a position, or go through a record."""
    from rich.console import Console

    announce_compilation()
    subject = read_subject(settings.subject, settings.number)
    solution = Solution.find() if settings.exact else Solution(None)
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    if isinstance(subject, GameRecord):
        _record(subject, settings, solution, console)
    else:
        _position(subject, settings, solution, console)


def read_subject(text: str | None, number: int = 1) -> Position | GameRecord:
    """What is to be analysed: text of a position, or a game of a file."""
    if text is None:
        return Position.start()
    if text == "-":
        return _parse(sys.stdin.read(), number)
    if (
        os.path.exists(text)
        or ("/" not in text.partition(" ")[0] and " " not in text)
        or text.endswith((".game", ".txt"))
    ):
        return _chosen(read_records(Path(text)), number, text)
    try:
        return Position.parse(text)
    except NotationError as error:
        raise AlphaDiamondError(f"no record is called {text!r}, and as a position it is wrong: {error}") from None


def _parse(text: str, number: int) -> Position | GameRecord:
    if text.lstrip().startswith("["):
        return _chosen(parse_records(text), number, "standard input")
    return Position.parse(text.strip())


def _chosen(records: list[GameRecord], number: int, source: str) -> GameRecord:
    if not records:
        raise AlphaDiamondError(f"{source}: holds no game")
    if not 1 <= number <= len(records):
        raise AlphaDiamondError(f"number={number}: {source} holds {len(records)} games")
    return records[number - 1]


def _position(position: Position, settings: AnalyseSettings, solution: Solution, console: "Console") -> None:
    print("\n".join(picture(position)))
    print(f"\n{position}")
    exact, moves = solution.exact(position), solution.moves(position)
    opinions = []
    if position.outcome is not None:
        print(f"the game is over: {position.outcome}")
    else:
        with progress("players", len(settings.players) or len(PLAYERS)) as update:
            for opinion in ask_players(position, settings.players, seed=settings.seed):
                opinions.append(opinion)
                update(len(opinions), opinion.player)
        console.print(opinions_table(position, opinions, moves))
        if exact is not None:
            print(f"exact value for {position.side}: {exact}")
            for line in exact_lines(moves):
                print(f"  {line}")
        else:
            print("no exact values: the game is not solved here, `make solve` does it in a minute or so")
        who, best = best_line(opinions, solution, position)
        if best:
            print(f"best line ({who}): {line_text(position, best)}")
    figures = position_json(position, opinions, exact, moves)
    _write(Path(settings.output), figures)
    print(f"written to {settings.output}: analysis.json")


def _record(record: GameRecord, settings: AnalyseSettings, solution: Solution, console: "Console") -> None:
    judge = make_agent(settings.judge, seed=settings.seed)
    with progress("positions", len(record.moves) + 1) as update:
        found = review(record, judge, solution, update=update)
    if found.mistakes:
        console.print(mistakes_table(found))
    else:
        print("no mistakes")
    for line in summary_lines(found):
        print(line)
    if not found.solved:
        print("mistakes are the judge's opinion: the game is not solved here, `make solve` does it in a minute or so")
    output = Path(settings.output)
    _write(output, review_json(found))
    plot_curve(output / "curve.png", found)
    print(f"written to {output}: analysis.json, curve.png")


def _write(directory: Path, figures: dict[str, object]) -> None:
    try:
        write_text(directory / "analysis.json", json.dumps(figures, indent=2) + "\n")
    except OSError as error:
        raise AlphaDiamondError(f"{directory}: cannot be written ({error.strerror})") from None
