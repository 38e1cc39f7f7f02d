"""Compare players: one against baselines, or all against all, in pairs of games from random openings.

Players are written as they are called, commas and all; for example

    python scripts/evaluate.py player=minimax:depth=6 baselines=random,mcts:simulations=1000 games=100
    python scripts/evaluate.py players=beginner,easy,medium,hard,expert
    python scripts/evaluate.py player=mcts:seconds=0.1 baselines=minimax:depth=4 games=1000 sprt=0,50

Quote lists in brackets for the shell: 'players=[random,greedy]'. Ctrl-C ends with the tables of what was played.
"""

import contextlib
import itertools
import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from alphadiamond import cli
from alphadiamond.arena import (
    ArenaError,
    MatchGame,
    MatchResult,
    Rating,
    SequentialTest,
    Summary,
    Workers,
    exam_table,
    play_match,
    random_openings,
    rate,
    run_exam,
    summarise,
)
from alphadiamond.arena.openings import ALL_BEADS, Accept, random_positions
from alphadiamond.arena.specs import quote_specs
from alphadiamond.arena.statistics import as_json, pair_weights, tally
from alphadiamond.console import progress
from alphadiamond.files import write_text
from alphadiamond.game import Position
from alphadiamond.solver import Tablebase

ANCHORS = ("minimax:depth=2", "medium", "random")


@dataclass
class EvaluateSettings:
    player: str | None = None
    """The player to compare with the baselines; without one, `players` play a round robin."""
    baselines: list[str] = field(
        default_factory=lambda: ["random", "greedy", "minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"]
    )
    """Whom the player meets."""
    players: list[str] = field(
        default_factory=lambda: ["random", "greedy", "minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"]
    )
    """Who plays the round robin, each against each."""
    games: int = 40
    """Games of each match: an even number, since every opening is played with both colours."""
    opening_plies: int = 4
    """Random plies from the start before the players take over."""
    placements: bool = False
    """Begin at random placements of 4 to 6 beads a side instead, where strength shows more often."""
    drawn: bool = False
    """Take only openings that are drawn under best play, by the tablebase (`make solve`)."""
    workers: int | None = None
    """Processes that play games at the same time; null: one for each core."""
    seed: int = 1
    """Seeds openings and players: the same seed gives the same games (of players that do not go by the clock)."""
    move_seconds: float | None = None
    """A player who takes longer for a move loses the game; null: no limit."""
    sprt: list[float] = field(default_factory=list)
    """Two Elo differences, such as 0,50, for a sequential test that ends a match as soon as it knows which of the two
    explains the results; empty: play all games."""
    alpha: float = 0.05
    """The test's chance to believe in the higher difference when the lower is true."""
    beta: float = 0.05
    """The test's chance to believe in the lower difference when the higher is true."""
    anchor: str | None = None
    """The player whose rating is 0; null: minimax:depth=2, medium or random if they play, else the first. Intervals are
    of differences to it, so one that both wins and loses makes them narrow."""
    exam: bool = False
    """Give the players the exam instead: in how many positions with exact answers do they play rightly?"""
    exam_positions: int | None = None
    """How many positions of the exam; null: all, which is long for players that think long."""
    output: str = "results/evaluation"
    """The directory for evaluation.json, games.txt and ratings.png, or for exam.json and exam.md."""


def evaluate(settings: EvaluateSettings) -> None:
    from alphadiamond.game.compiling import announce_compilation

    if settings.exam:
        announce_compilation()
        _exam(settings)
        return
    pairings = _pairings(settings)
    players = list(dict.fromkeys(itertools.chain(*pairings)))
    anchor = settings.anchor or next((name for name in ANCHORS if name in players), players[0])
    if anchor not in players:
        raise ArenaError(f"anchor {anchor!r} is not among the players: {', '.join(players)}")
    if settings.games < 2 or settings.games % 2:
        raise ArenaError(f"games={settings.games}: expected an even number, since games are played in pairs")
    test = _test(settings)
    openings = _openings(settings)
    announce_compilation()
    _try_out(players)
    results: list[MatchResult] = []
    with Workers(settings.workers or _cores(), move_seconds=settings.move_seconds) as workers:
        for first, second in pairings:
            with progress(f"{first} against {second}", settings.games) as update:

                def on_game(game: MatchGame, match: MatchResult, update=update) -> None:  # type: ignore[no-untyped-def]
                    score = tally(match.counted)
                    update(len(match.games), f"{score}, score {score.score:.3f}")

                results.append(
                    play_match(first, second, openings, workers=workers, seed=settings.seed, test=test, on_game=on_game)
                )
            if results[-1].interrupted:
                break
    _report(settings, results, anchor)
    if results[-1].interrupted:
        sys.exit(130)


def _exam(settings: EvaluateSettings) -> None:
    from alphadiamond.agents import make_agent

    specs = settings.players if settings.player is None else [settings.player]
    agents = [make_agent(spec, seed=settings.seed) for spec in specs]  # a wrong text is refused before the first exam
    results = [run_exam(agent, positions=settings.exam_positions) for agent in agents]
    results.sort(key=lambda result: result.kept.value)
    table = exam_table(results)
    print(f"per cent of {results[0].kept.count} positions\n\n{table}\n")
    output = Path(settings.output)
    figures = {"settings": asdict(settings), "players": [result.as_json for result in results]}
    write_text(output / "exam.json", json.dumps(figures, indent=2) + "\n")
    write_text(output / "exam.md", table + "\n")
    print(f"written to {output}: exam.json, exam.md")


def _pairings(settings: EvaluateSettings) -> list[tuple[str, str]]:
    names = settings.baselines if settings.player is not None else settings.players
    if twice := [name for i, name in enumerate(names) if name in names[:i]]:
        raise ArenaError(f"{twice[0]!r} stands twice among the players")
    if settings.player is not None:
        pairings = [(settings.player, baseline) for baseline in settings.baselines]
    else:
        pairings = [(second, first) for first, second in itertools.combinations(settings.players, 2)]
    if not pairings:
        raise ArenaError("nobody to play: give player= and baselines=, or at least two players=")
    return pairings


def _test(settings: EvaluateSettings) -> SequentialTest | None:
    if not settings.sprt:
        return None
    if len(settings.sprt) != 2:
        raise ArenaError(f"sprt={settings.sprt}: expected two Elo differences, such as sprt=0,50")
    elo0, elo1 = settings.sprt
    if elo0 >= elo1:
        raise ArenaError(f"sprt={elo0:g},{elo1:g}: the lower difference comes first")
    return SequentialTest.of_elo(elo0, elo1, alpha=settings.alpha, beta=settings.beta)


def _openings(settings: EvaluateSettings) -> list:  # type: ignore[type-arg]
    import numpy as np

    rng = np.random.default_rng(settings.seed)
    accept: Accept | None = None
    if settings.drawn:
        tablebase = Tablebase.load()

        def is_drawn(position: Position) -> bool:
            return tablebase.probe(position).value == 0

        accept = is_drawn
    if settings.placements:
        return random_positions(settings.games // 2, beads=ALL_BEADS, rng=rng, accept=accept)
    return random_openings(settings.games // 2, plies=settings.opening_plies, rng=rng, accept=accept)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _try_out(players: list[str]) -> None:
    """Build every player once, here, so that a wrong text is refused, and code compiled, before the first match."""
    from alphadiamond.agents import make_agent

    for spec in players:
        agent = make_agent(spec, seed=0)
        with contextlib.suppress(Exception):  # a player that fails in play loses games; the table will say so
            agent.choose(Position.start(), stop=lambda: True)


def _report(settings: EvaluateSettings, results: list[MatchResult], anchor: str) -> None:
    from rich.console import Console

    from alphadiamond.arena.plots import plot_ratings
    from alphadiamond.arena.report import details_table, matches_table, ratings_table, remarks
    from alphadiamond.game import write_records

    results = [result for result in results if result.games]
    if not results:
        print("no game was finished")
        return
    summaries = [summarise(result) for result in results]
    outcomes = {(result.first, result.second): pair_weights(result.counted) for result in results}
    ratings = rate(outcomes, anchor=anchor, seed=settings.seed)
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    console.print(matches_table(summaries))
    console.print(details_table(summaries))
    if len(ratings) > 1:
        console.print(ratings_table(ratings, anchor=anchor))
    for line in remarks(summaries):
        print(line)
    output = Path(settings.output)
    write_text(output / "evaluation.json", json.dumps(_figures(settings, summaries, ratings, anchor), indent=2) + "\n")
    write_records(output / "games.txt", [game.record for result in results for game in result.games])
    scores = {(one.first, one.second): one.score for one in summaries}
    title = f"{settings.games} games a match from openings of {settings.opening_plies} random plies"
    plot_ratings(output / "ratings.png", ratings, scores, anchor=anchor, title=title)
    print(f"written to {output}: evaluation.json, games.txt, ratings.png")


def _figures(settings: EvaluateSettings, summaries: list[Summary], ratings: list[Rating], anchor: str) -> dict:  # type: ignore[type-arg]
    return {
        "settings": asdict(settings),
        "anchor": anchor,
        "ratings": [asdict(rating) for rating in ratings],
        "matches": [as_json(summary) for summary in summaries],
    }


if __name__ == "__main__":
    if not {"--multirun", "-m"} & set(sys.argv):
        sys.argv[1:] = quote_specs(sys.argv[1:], players=("player", "anchor"), lists=("baselines", "players"))
        sys.argv[1:] = [f"sprt=[{arg[5:].strip('[]')}]" if arg.startswith("sprt=") else arg for arg in sys.argv[1:]]
    cli.run(evaluate, EvaluateSettings, "evaluate")
