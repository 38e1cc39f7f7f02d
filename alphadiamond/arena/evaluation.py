"""Compare players: one against baselines, or all against all, in pairs of games from random openings."""

import contextlib
import importlib
import itertools
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from alphadiamond.arena import (
    ArenaError,
    Exam,
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
    summarise,
)
from alphadiamond.arena.exam_workers import examine
from alphadiamond.arena.openings import ValueEstimator, even_openings, random_positions
from alphadiamond.arena.statistics import as_json, pair_weights, tally
from alphadiamond.arena.whole_exam import as_json as as_json_counts
from alphadiamond.arena.whole_exam import count_everything, whole_tables
from alphadiamond.base.game import Game
from alphadiamond.base.threads import available_cores
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.files import write_json, write_text
from alphadiamond.games import load, solution_of
from alphadiamond.settings.evaluation import EvaluateSettings
from alphadiamond.settings.players import PlayerSpec

_ENGINES = {"ray": "alphadiamond.cluster.matches"}
_EVEN_BY = "minimax:depth=4"
ANCHORS = ("minimax:depth=2", "medium", "random")


def evaluate(settings: EvaluateSettings) -> None:
    from alphadiamond.base.compilation import announce_compilation

    if settings.exam:
        announce_compilation()
        _whole_exam(settings) if settings.whole else _exam(settings)
        return
    pairings = _pairings(settings)
    players = list(dict.fromkeys(itertools.chain(*pairings)))
    anchor = next((name for name in ANCHORS if name in players), players[0])
    if settings.anchor is not None:
        anchor = str(PlayerSpec.parse(settings.anchor))
    test = _test(settings)
    openings, game = _openings(settings), load(settings.game)
    announce_compilation()
    _try_out(players, openings[0], settings)
    results: list[MatchResult] = []
    with contextlib.closing(_workers(settings)) as workers:
        for first, second in pairings:
            with progress(f"{first} against {second}", settings.games) as update:

                def on_game(game: MatchGame, match: MatchResult, update=update) -> None:  # type: ignore[no-untyped-def]
                    score = tally(match.counted)
                    update(len(match.games), f"{score}, score {score.score:.3f}")

                told: dict[str, Any] = {"workers": workers, "seed": settings.seed, "game": game}
                results.append(play_match(first, second, openings, test=test, on_game=on_game, **told))
            if results[-1].interrupted:
                break
    _report(settings, results, anchor)
    if results[-1].interrupted:
        sys.exit(130)


def _exam(settings: EvaluateSettings) -> None:

    specs = settings.taking_part()
    exam = Exam.load(Path(settings.exam_file) if settings.exam_file else None, game=load(settings.game))
    asked, names = exam.first(settings.exam_positions), [str(spec) for spec in specs]
    if settings.engine == "processes":
        results = examine(names, asked, seed=settings.seed, workers=settings.workers or available_cores())
    else:
        with contextlib.closing(_workers(settings)) as workers:
            results = workers.examine(names, asked, settings.seed)
    results.sort(key=lambda result: result.kept.value)
    table = exam_table(results)
    print(f"per cent of {results[0].kept.count} positions\n\n{table}\n")
    figures = {"settings": asdict(settings), "players": [result.as_json for result in results]}

    def write(output: Path) -> None:
        write_json(output / "exam.json", figures)
        write_text(output / "exam.md", table + "\n")

    _write(settings, write)


def _whole_exam(settings: EvaluateSettings) -> None:
    (spec,) = settings.taking_part()
    game, output = load(settings.game), Path(settings.output)
    workers = settings.workers or available_cores()
    counts = count_everything(game, str(spec), workers=workers, progress_file=output / "whole.npz")
    tables = whole_tables(counts)
    print(f"{game.title}, {spec}: {tables}\n")
    figures = {"settings": asdict(settings), "counts": as_json_counts(counts)}

    def write(output: Path) -> None:
        write_json(output / "whole.json", figures)
        write_text(output / "whole.md", tables + "\n")

    _write(settings, write)


def _pairings(settings: EvaluateSettings) -> list[tuple[str, str]]:
    names = [str(spec) for spec in settings.taking_part()]
    if settings.player is not None:
        first = str(PlayerSpec.parse(settings.player))
        return [(first, str(PlayerSpec.parse(baseline))) for baseline in settings.baselines]
    return [(second, first) for first, second in itertools.combinations(names, 2)]


def _test(settings: EvaluateSettings) -> SequentialTest | None:
    if not settings.sprt:
        return None
    elo0, elo1 = settings.sprt
    return SequentialTest.of_elo(elo0, elo1, alpha=settings.alpha, beta=settings.beta)


def _openings(settings: EvaluateSettings) -> list:  # type: ignore[type-arg]
    import numpy as np

    rng, game = np.random.default_rng(settings.seed), load(settings.game)
    draw = random_positions if settings.placements else partial(random_openings, plies=settings.opening_plies)
    wanted = settings.games // 2
    if settings.openings == "balanced":
        found = even_openings(wanted, _estimator(game, settings.seed), rng=rng, game=game)
        return [found[i % len(found)] for i in range(wanted)]
    if not settings.drawn:
        return draw(wanted, rng=rng, game=game)
    solution, drawn_ones = solution_of(game), 0
    with progress("drawn openings", wanted) as update:

        def is_drawn(position: Any) -> bool:
            nonlocal drawn_ones
            drawn = int(solution.values(game.states_of([position]))[0][0]) == 0
            drawn_ones += drawn
            update(drawn_ones, "by the exact solution")
            return drawn

        return draw(wanted, rng=rng, accept=is_drawn, game=game)


def _estimator(game: Game, seed: int) -> ValueEstimator:
    """What a player who takes part in no match, as far as that matters, thinks of positions."""
    from alphadiamond.agents import make_agent

    agent = make_agent(_EVEN_BY, seed=seed, game=game)

    def estimate(positions: Sequence[Any]) -> Any:
        import numpy as np

        with progress("even openings", len(positions)) as update:
            values = []
            for position in positions:
                values.append(agent.analyse(position).value or 0.0)
                update(len(values), f"by {_EVEN_BY}")
        return np.array(values)

    return estimate


def _workers(settings: EvaluateSettings) -> Any:
    """Whoever plays; another engine than processes is a module above this package, known by name alone."""
    if settings.engine == "processes":
        return Workers(
            settings.workers or available_cores(), game=load(settings.game), move_seconds=settings.move_seconds
        )
    return importlib.import_module(_ENGINES[settings.engine]).make_workers(settings)


def _try_out(players: list[str], opening: Any, settings: EvaluateSettings) -> None:
    """Build every player once, here, so that a wrong text is refused, and code compiled, before the first match.

    They are asked about an opening: of the start, which may never come up, a search for the truth could take minutes.
    """
    from alphadiamond.agents import make_agent

    for spec in players:
        agent = make_agent(spec, seed=0, game=load(settings.game))
        with contextlib.suppress(Exception):  # a player that fails in play loses games; the table will say so
            agent.choose(opening, stop=lambda: True)


def _report(settings: EvaluateSettings, results: list[MatchResult], anchor: str) -> None:
    from alphadiamond.arena.plots import plot_ratings
    from alphadiamond.arena.report import details_table, matches_table, ratings_table, remarks
    from alphadiamond.base.record import write_records

    results = [result for result in results if result.games]
    if not results:
        print("no game was finished")
        return
    summaries = [summarise(result) for result in results]
    outcomes = {(result.first, result.second): pair_weights(result.counted) for result in results}
    ratings = rate(outcomes, anchor=anchor, seed=settings.seed)
    console = result_console(width=140, highlight=False)
    console.print(matches_table(summaries))
    console.print(details_table(summaries, load(settings.game).sides))
    if len(ratings) > 1:
        console.print(ratings_table(ratings, anchor=anchor))
    for line in remarks(summaries, balanced=settings.openings == "balanced"):
        print(line)
    figures = _figures(settings, summaries, ratings, anchor)
    scores = {(one.first, one.second): one.score for one in summaries}
    title = f"{settings.games} games a match from {_described(settings)}"

    def write(output: Path) -> None:
        write_json(output / "evaluation.json", figures)
        write_records(output / "games.txt", [game.record for result in results for game in result.games])
        plot_ratings(output / "ratings.png", ratings, scores, anchor=anchor, title=title)

    _write(settings, write)


def _described(settings: EvaluateSettings) -> str:
    """Where games began, for the plot's title."""
    drawn = "drawn " if settings.drawn else ""
    if settings.openings == "balanced":
        return "balanced openings"
    return (
        f"{drawn}positions anywhere"
        if settings.placements
        else (f"{drawn}openings of {settings.opening_plies} random plies")
    )


def _write(settings: EvaluateSettings, write: Callable[[Path], None]) -> None:
    """Write what was played where it was asked for or, should that fail by now, elsewhere, so as not to lose it."""
    try:
        write(Path(settings.output))
    except OSError as error:
        directory = Path(tempfile.mkdtemp(prefix="alphadiamond-"))
        write(directory)
        reason = error.strerror or str(error)
        raise ArenaError(f"output={settings.output}: cannot be written ({reason}); all is in {directory}") from None
    print_written(settings.output, *settings.files)


def _figures(settings: EvaluateSettings, summaries: list[Summary], ratings: list[Rating], anchor: str) -> dict:  # type: ignore[type-arg]
    return {
        "settings": asdict(settings),
        "anchor": anchor,
        "ratings": [asdict(rating) for rating in ratings],
        "matches": [as_json(summary) for summary in summaries],
    }
