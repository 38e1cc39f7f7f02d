"""What more costs and what it buys: the exam's error against training time and simulations at play, and speed."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from alphadiamond.agents import make_agent
from alphadiamond.arena.exam import Exam, Share, run_exam
from alphadiamond.console import print_written, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import write_json
from alphadiamond.games import load
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.settings.players import PlayerSpec, player
from alphadiamond.studies import plots
from alphadiamond.studies.positions import random_states
from alphadiamond.studies.rating import chosen
from alphadiamond.studies.settings import BOARDS, ScalingSettings, checkpoint_of
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.settings import SelfPlaySettings
from alphadiamond.training.worker import WorkerJob, weights_of
from alphadiamond.training.workers import ProcessWorkers

Line = list[dict[str, Any]]
"""Points of one line of a picture, in order."""
CACHE = 1 << 18
_POSITIONS = 4096  # that the network alone is asked about in one timed turn


def study(settings: ScalingSettings) -> dict[str, Any]:
    """Measure the panels that are asked for, print them, and write figures and pictures.

    Figures of other panels that are in scaling.json already stay there, so that what takes hours can be done in parts.
    """
    output = Path(settings.output)
    figures = _earlier(output / "scaling.json")
    measures: dict[str, Callable[[ScalingSettings], dict[str, Line]]] = {
        "time": error_by_time,
        "simulations": error_by_simulations,
        "speed": speeds,
        BOARDS: error_by_boards,
    }
    beside = _beside(settings, figures) if set(settings.panels) != {"speed"} else {}
    for panel in settings.panels:
        lines = measures[panel](settings)
        figures[panel] = {"machine": machine(), "lines": lines, "settings": asdict(settings)}
        _print(panel, lines)
        write_json(output / "scaling.json", figures)
        plots.draw(panel, lines, output / f"{panel}.png", beside=beside, game=load(settings.game).title)
    print_written(output, "scaling.json", *(f"{panel}.png" for panel in settings.panels))
    return figures


def error_by_time(settings: ScalingSettings) -> dict[str, Line]:
    """For each run the exam's error of its snapshots, against the minutes the run had taken by then."""
    lines: dict[str, Line] = {}
    for run in settings.runs:
        snapshots = chosen(run, settings.snapshots, game=load(settings.game))
        config = snapshots[-1].metadata.config
        name = f"{Path(run).name} ({config.kind} {config.width} x {config.blocks})"
        for count in settings.time_simulations:
            lines[f"{name}, {count} simulations" if count else name] = [
                {
                    "minutes": snapshot.minutes,
                    "iteration": snapshot.iteration,
                    "games": snapshot.games,
                    **error(settings, str(snapshot.path), count),
                }
                for snapshot in snapshots
            ]
    return lines


def error_by_boards(settings: ScalingSettings) -> dict[str, Line]:
    """The exam's error of each run's last snapshot, against the different boards that it was trained on."""
    found = []
    for run in settings.runs:
        (snapshot,) = chosen(run, 1, game=load(settings.game))
        bound = json.loads((Path(run) / "config.json").read_text(encoding="utf-8"))["selfplay"]["boards"]
        found.append((min(bound or snapshot.games, snapshot.games), snapshot))
    found.sort(key=lambda one: one[0])
    return {
        f"{count} simulations" if count else "bare policy": [
            {"boards": boards, "games": snapshot.games, **error(settings, str(snapshot.path), count)}
            for boards, snapshot in found
        ]
        for count in settings.time_simulations
    }


def error_by_simulations(settings: ScalingSettings) -> dict[str, Line]:
    """The exam's error of one network, against the simulations it is given for a move."""
    path = checkpoint_of(settings.checkpoint, load(settings.game))
    counts = sorted(settings.simulations)
    return {
        "error": [{"simulations": count, **error(settings, path, count)} for count in counts],
    }


def error(settings: ScalingSettings, checkpoint: str, simulations: int) -> dict[str, Any]:
    """The share of exam positions in which a network throws the value away, with its interval."""
    spec = player("neural", checkpoint=checkpoint, simulations=simulations)
    return _error_of(settings, spec, values=True)  # a network thinks about many positions at once


def _beside(settings: ScalingSettings, figures: dict[str, Any]) -> dict[str, float]:
    """The error of the other players by name; those that an earlier call measured alike are not asked again."""
    known = figures.setdefault("beside", {})
    for name in settings.beside:
        if known.get(name, {}).get("positions") != (settings.positions or len(Exam.load(game=load(settings.game)))):
            known[name] = _error_of(settings, name, values=False)
    return {name: known[name]["error"] for name in settings.beside}


def _error_of(settings: ScalingSettings, spec: PlayerSpec | str, *, values: bool) -> dict[str, Any]:
    game = load(settings.game)
    agent = make_agent(spec, seed=1, game=game)
    kept = run_exam(agent, positions=settings.positions, exam=Exam.load(game=game), values=values).kept
    wrong = Share(kept.count - kept.right, kept.count)
    low, high = wrong.interval
    return {"error": wrong.value, "low": low, "high": high, "positions": wrong.count}


def speeds(settings: ScalingSettings) -> dict[str, Line]:
    """Simulations/s of self-play by worker processes and by games at once, and evaluations/s by batch."""
    model = load_checkpoint(checkpoint_of(settings.checkpoint, load(settings.game)), game=load(settings.game)).model
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        evaluator = Evaluator(model, device="cpu", threads=1)
        batches: Line = []
        for batch in settings.batches:
            states = random_states(batch, settings.seed, model.game)
            calls = max(1, _POSITIONS // batch)
            rate = _median_rate(lambda: _asked(evaluator, states, calls), settings.repeats)  # noqa: B023
            batches.append({"batch": batch, "rate": rate})
        games: Line = []
        for count in settings.games:
            play = SelfPlay(SelfPlaySettings(games=count, rounds=settings.rounds), seed=settings.seed, game=model.game)
            cached = Evaluator(model, device="cpu", threads=1, cache=CACHE)
            games.append({"games": count, "rate": _median_rate(lambda: _played(play, cached), settings.repeats)})  # noqa: B023
    finally:
        torch.set_num_threads(before)
    cores: Line = [{"cores": count, "rate": _team_rate(settings, count)} for count in settings.cores]
    return {"cores": cores, "games": games, "batch": batches}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {"processor": name, "cores": os.cpu_count(), "python": platform.python_version()}


def _asked(evaluator: Evaluator, states: Any, calls: int) -> float:
    for _ in range(calls):
        evaluator(states)
    return float(calls * len(states))


def _played(play: SelfPlay, evaluator: Evaluator) -> float:
    before = play.statistics["simulations"]
    play.play(evaluator, iteration=1)
    return play.statistics["simulations"] - before


def _median_rate(work: Callable[[], float], repeats: int) -> float:
    """Units a second, after one turn that is not timed."""
    work()
    rates = []
    for _ in range(repeats):
        started = time.perf_counter()
        units = work()
        rates.append(units / (time.perf_counter() - started))
    return statistics.median(rates)


def _team_rate(settings: ScalingSettings, count: int) -> float:
    """Simulations/s of so many worker processes with 128 games each."""
    model = load_checkpoint(checkpoint_of(settings.checkpoint, load(settings.game)), game=load(settings.game)).model
    selfplay = SelfPlaySettings(games=128 * count, rounds=settings.rounds)
    team = ProcessWorkers(WorkerJob(model.config, selfplay, settings.seed, "cpu", CACHE, model.game), count=count)

    def iteration() -> float:
        team.begin(1, selfplay.simulations)
        return sum(result.measures["simulations"] for result in team.collect() if result is not None)

    team.start([])
    try:
        team.update(weights_of(model))
        return _median_rate(iteration, settings.repeats)
    finally:
        team.stop()


def _earlier(path: Path) -> dict[str, Any]:
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise AlphaDiamondError(f"{path}: cannot be read; move it away, or give another output=DIR") from None
    return figures if isinstance(figures, dict) else {}


def _print(panel: str, lines: dict[str, Line]) -> None:
    from rich.table import Table

    by_error = panel != "speed"
    table = Table(panel, "", "error", "95 % interval") if by_error else Table("speed by", "", "a second")
    for name, points in lines.items():
        for point in points:
            first = next(iter(point))
            where = f"{point[first]:g} {first}"
            table.add_row(name, where, *(_error_cells(point) if by_error else [f"{point['rate']:,.0f}"]))
    result_console().print(table)


def _error_cells(point: dict[str, Any]) -> Sequence[str]:
    return f"{100 * point['error']:.2f} %", f"{100 * point['low']:.2f} to {100 * point['high']:.2f}"
