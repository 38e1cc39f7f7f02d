"""Rate the snapshots of runs against each other and against the classical players, and draw the curve.

Whom to play: a snapshot meets its neighbours in its own run, the snapshots of other runs that had about the same time,
and the baselines. That joins all into one scale of Elo without playing everybody against everybody.
"""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from alphadiamond.agents import make_agent
from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import BatchPlayer, count_pairs, make_pairings, play_pairs
from alphadiamond.arena.ratings import Rating, rate
from alphadiamond.base.game import Game
from alphadiamond.console import print_written, progress, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing, write_json
from alphadiamond.games import load
from alphadiamond.network import CheckpointError, Evaluator, Metadata, load_checkpoint, read_metadata
from alphadiamond.studies.settings import RateSettings
from alphadiamond.training.rundir import RunDirectory


@dataclass(frozen=True)
class Snapshot:
    run: str
    path: Path
    metadata: Metadata

    @property
    def name(self) -> str:
        return f"{self.run}@{self.iteration}"

    @property
    def iteration(self) -> int:
        return int(self.metadata.extra["iteration"])

    @property
    def games(self) -> int:
        return int(self.metadata.extra["games"])

    @property
    def minutes(self) -> float:
        return 60 * float(self.metadata.extra["hours"])


def rate_runs(settings: RateSettings) -> None:
    """Play, print the ratings, and write ratings.json and ratings.png."""
    from rich.table import Table

    if not settings.runs:
        raise AlphaDiamondError("name a run directory or more: runs=[runs/one,runs/two]")
    output = Path(settings.output)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AlphaDiamondError(f"output={output}: cannot be made ({error.strerror})") from None
    game = load(settings.game)
    snapshots = [snapshot for run in settings.runs for snapshot in chosen(run, settings.snapshots, game=game)]
    results = _play(settings, snapshots)
    anchor = settings.baselines[0] if settings.baselines else snapshots[0].name
    ratings = {rating.player: rating for rating in rate(results, anchor=anchor)}
    table = Table(
        "run",
        "iteration",
        "games",
        "minutes",
        f"rating, {anchor} = 0 ({settings.simulations} simulations)",
        "95 % interval",
    )
    rows: list[dict[str, Any]] = []
    for snapshot in snapshots:
        rating = ratings[snapshot.name]
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        figures = (f"{snapshot.games:,}", f"{snapshot.minutes:.1f}", f"{rating.elo:+.0f}", interval)
        table.add_row(snapshot.run, str(snapshot.iteration), *figures)
        where = {"run": snapshot.run, "iteration": snapshot.iteration, "games": snapshot.games}
        rows.append({**where, "minutes": snapshot.minutes, **asdict(rating)})
    result_console().print(table)
    others = [asdict(ratings[name]) for name in settings.baselines if name in ratings]
    figures_of = {"anchor": anchor, "snapshots": rows, "baselines": others, "settings": asdict(settings)}
    write_json(output / "ratings.json", figures_of)
    _draw(output / "ratings.png", snapshots, ratings, anchor, settings.baselines)
    print_written(output, "ratings.json", "ratings.png")


def chosen(run: str, count: int, *, game: Game | None = None) -> list[Snapshot]:
    """So many snapshots of a run that can be read, spread evenly over its iterations, first and last among them."""
    found = []
    for path in sorted(RunDirectory(Path(run)).snapshots.glob("iteration-*.safetensors")):
        try:
            metadata = read_metadata(path)
        except CheckpointError as error:
            print(f"passed over: {error}", file=sys.stderr)
            continue
        if game is not None and metadata.game != game.name:
            raise AlphaDiamondError(f"{run}: a run of {metadata.game}: rate it with game={metadata.game}")
        found.append(Snapshot(run, path, metadata))
    if not found:
        raise AlphaDiamondError(f"{run}: no snapshots are there (RUN/checkpoints/iteration-NNNNNN.safetensors)")
    places = np.unique(np.linspace(0, len(found) - 1, count).round().astype(int)) if count > 1 else [len(found) - 1]
    return [found[place] for place in places]


def matches(snapshots: Sequence[Snapshot], baselines: Sequence[str]) -> list[tuple[str, str]]:
    """Who plays whom, each pair of names once."""
    found: dict[tuple[str, str], None] = {}
    for i, one in enumerate(snapshots):
        for other in snapshots[i + 1 : i + 3]:
            if other.run == one.run:
                found[one.name, other.name] = None
        for run in sorted({other.run for other in snapshots[:i]} - {one.run}):
            rivals = [other for other in snapshots[:i] if other.run == run]
            nearest = min(rivals, key=lambda other: abs(other.minutes - one.minutes))
            found[nearest.name, one.name] = None
        for baseline in baselines:
            found[one.name, baseline] = None
    return list(found)


def _play(settings: RateSettings, snapshots: Sequence[Snapshot]) -> dict[tuple[str, str], list[int]]:
    game = load(settings.game)
    players: dict[str, BatchPlayer] = {
        name: make_agent(name, seed=settings.seed, game=game) for name in settings.baselines
    }
    for snapshot in snapshots:
        model = load_checkpoint(snapshot.path, game=game).model
        players[snapshot.name] = NetworkPlayer(
            Evaluator(model, threads=1, cache=1 << 16), game, simulations=settings.simulations
        )
    rng = np.random.default_rng(settings.seed)
    results = {}
    pairings = matches(snapshots, settings.baselines)
    with progress("matches", len(pairings)) as update:
        for number, (one, two) in enumerate(pairings, start=1):
            starts = make_pairings(settings.pairs, rng, placements=settings.placements, game=game)
            results[one, two] = count_pairs(play_pairs(players[one], players[two], starts))
            update(number, f"{one} - {two}")
    return results


def _draw(
    path: Path,
    snapshots: Sequence[Snapshot],
    ratings: dict[str, Rating],
    anchor: str,
    baselines: Sequence[str],
) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 2, sharey=True)
    for axes, label in zip(panels, ("games", "minutes"), strict=True):
        for run in dict.fromkeys(snapshot.run for snapshot in snapshots):
            mine = [snapshot for snapshot in snapshots if snapshot.run == run]
            x = [float(getattr(snapshot, label)) for snapshot in mine]
            rated = [ratings[snapshot.name] for snapshot in mine]
            line = axes.plot(x, [rating.elo for rating in rated], marker="o", markersize=4, label=run)[0]
            low, high = [rating.low for rating in rated], [rating.high for rating in rated]
            axes.fill_between(x, low, high, color=line.get_color(), alpha=0.18, linewidth=0)
        for name in baselines:
            axes.axhline(ratings[name].elo, color="#777777", linewidth=0.8, linestyle="--")
            axes.annotate(name, (0.99, ratings[name].elo), xycoords=("axes fraction", "data"), ha="right", va="bottom")
        axes.set_xlabel(label)
        axes.grid(alpha=0.25)
    panels[0].set_ylabel(f"rating in Elo, {anchor} = 0")
    panels[0].legend()
    with replacing(path) as file:
        figure.savefig(file, format="png")
