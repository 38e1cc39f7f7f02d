"""`alphadiamond analyse`: a position or a whole record, to the terminal and to files."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from alphadiamond.agents import make_agent, players_of
from alphadiamond.agents.base import Game, Position
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
from alphadiamond.analysis.review import record_title, review
from alphadiamond.analysis.settings import AnalyseSettings
from alphadiamond.base.compilation import announce_compilation
from alphadiamond.base.notation import NotationError
from alphadiamond.base.record import GameRecord
from alphadiamond.console import count_of, print_written, progress, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.games.records import parse_records, read_records
from alphadiamond.resources import champion_of

if TYPE_CHECKING:
    from rich.console import Console


def analyse(settings: AnalyseSettings) -> None:
    """Say what every player thinks of a position, or go through a record."""

    announce_compilation()
    game = load(settings.game)
    subject = read_subject(settings.subject, settings.number, game=game)
    if isinstance(subject, GameRecord):
        game = subject.game
    solution = Solution.find(game) if settings.exact else Solution(None)
    console = result_console(highlight=False)
    if isinstance(subject, GameRecord):
        _record(subject, settings, solution, console)
    else:
        _position(game, subject, settings, solution, console)


def read_subject(text: str | None, number: int = 1, *, game: Game) -> Position | GameRecord:
    """What is to be analysed: text of a position, or a game of a file."""
    if text is None:
        if game.seeded:
            raise AlphaDiamondError(f"every game of {game.title} begins elsewhere: name the position with subject=")
        return game.start()
    if text == "-":
        return _parse(sys.stdin.read(), number, game)
    if (
        os.path.exists(text)
        or ("/" not in text.partition(" ")[0] and " " not in text)
        or text.endswith((".game", ".txt"))
    ):
        return _chosen(read_records(Path(text)), number, text)
    try:
        return game.parse(text)
    except NotationError as error:
        raise AlphaDiamondError(f"no record is called {text!r}, and as a position it is wrong: {error}") from None


def _parse(text: str, number: int, game: Game) -> Position | GameRecord:
    if text.lstrip().startswith("["):
        return _chosen(parse_records(text), number, "standard input")
    return game.parse(text.strip())


def _chosen(records: list[GameRecord], number: int, source: str) -> GameRecord:
    if not records:
        raise AlphaDiamondError(f"{source}: holds no game")
    if not 1 <= number <= len(records):
        raise AlphaDiamondError(f"number={number}: {source} holds {len(records)} games")
    return records[number - 1]


def _position(
    game: Game, position: Position, settings: AnalyseSettings, solution: Solution, console: "Console"
) -> None:
    print("\n".join(game.picture(position)))
    print(f"\n{game.drawing_for(position).legend()}   {position.side} to move\n{position}")
    if game.solution_searches and solution.known:
        print("searching for exact values; early positions take a minute", file=sys.stderr, flush=True)
    moves = solution.moves(position)
    exact = next(iter(moves.values()), None) or solution.exact(position)
    opinions = []
    if position.outcome is not None:
        print(f"the game is over: {position.outcome}")
    else:
        with progress("players", len(settings.players) or len(players_of(game))) as update:
            for opinion in ask_players(position, settings.players, game=game, seed=settings.seed):
                opinions.append(opinion)
                update(len(opinions), opinion.player)
        console.print(opinions_table(position, opinions, moves))
        if exact is not None:
            print(f"exact value for {position.side}: {exact}")
            for line in exact_lines(moves):
                print(f"  {line}")
        else:
            print(f"no exact values: the game is not solved here{_how(game)}")
        who, best = best_line(opinions, solution, position)
        if best:
            print(f"best line ({who}): {line_text(position, best)}")
    figures = position_json(position, opinions, exact, moves)
    _write(Path(settings.output), figures)
    print_written(settings.output, "analysis.json")


def _record(record: GameRecord, settings: AnalyseSettings, solution: Solution, console: "Console") -> None:
    usual = "neural:simulations=400" if champion_of(record.game).exists() else "minimax"
    judge = make_agent(settings.judge or usual, game=record.game, seed=settings.seed)
    print(f"{record_title(record)} after {count_of(len(record.moves), 'move')}")
    with progress("positions", len(record.moves) + 1) as update:
        found = review(record, judge, solution, update=update)
    if found.mistakes:
        console.print(mistakes_table(found))
    else:
        print("no mistakes")
    for line in summary_lines(found):
        print(line)
    if not found.solved:
        print(f"mistakes are the judge's opinion: the game is not solved here{_how(record.game)}")
    output = Path(settings.output)
    _write(output, review_json(found))
    plot_curve(output / "curve.png", found)
    print_written(output, "analysis.json", "curve.png")


def _how(game: Game) -> str:
    """What a person can do about it."""
    return f", {game.solving}" if game.solving else ""


def _write(directory: Path, figures: dict[str, object]) -> None:
    try:
        write_json(directory / "analysis.json", figures)
    except OSError as error:
        raise AlphaDiamondError(f"{directory}: cannot be written ({error.strerror})") from None
