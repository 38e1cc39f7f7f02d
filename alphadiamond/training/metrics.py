"""The results of the stages as metrics by tag; `tags.py` says what each of them tells."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from alphadiamond.arena.exam import ExamResult
from alphadiamond.base.game import Game
from alphadiamond.training.evaluation import BaselineResult
from alphadiamond.training.gate import GateResult
from alphadiamond.training.samples import LEFT, GameSummary, Origin
from alphadiamond.training.settings import SelfPlaySettings
from alphadiamond.training.tags import tag_of
from alphadiamond.training.worker import WorkerResult

Metrics = dict[str, float]

_LEARNER = {"loss": "loss/total", "policy_entropy": "policy/entropy", "divergence": "policy/divergence"}


def worker_metrics(results: Sequence[WorkerResult], totals: Mapping[str, float]) -> Metrics:
    """What workers did and how fast; `totals` are their measures added up."""
    seconds = [result.measures["seconds"] for result in results]
    longest = max(seconds, default=math.inf)
    return {
        "speed/simulations_per_second": totals["simulations"] / longest,
        "speed/games_per_second": sum(len(result.summaries) for result in results) / longest,
        "speed/selfplay_seconds": sum(seconds) / max(1, len(results)),
        "search/cache_hit_rate": totals["cache_hits"] / max(1, totals["evaluations"]),
        "replay/samples": sum(len(result.samples) for result in results if result.samples is not None),
    }


def game_metrics(games: Sequence[GameSummary], settings: SelfPlaySettings, game: Game) -> Metrics:
    """How games ended; nothing where none did."""
    if not games:
        return {}
    count = len(games)
    endings = Counter(one.reason for one in games)
    opened = [one for one in games if one.from_start] or games
    possible = ("proof", *((LEFT,) if settings.leave else ()), *game.endings)
    return {
        "games/played": count,
        "games/plies": sum(one.plies for one in games) / count,
        "games/draws": sum(one.winner == 0 for one in games) / count,
        "games/decided": sum(one.winner != 0 for one in games) / count,
        "games/first_move_wins": sum(one.winner == 1 for one in opened) / len(opened),
        **{f"endings/{reason.replace(' ', '_')}": endings[reason] / count for reason in possible},
    }


def start_metrics(games: Sequence[GameSummary], totals: Mapping[str, float], settings: SelfPlaySettings) -> Metrics:
    """Where games began, and how far what came later was from what the search had said; `totals` are the workers'."""
    if not (settings.strategy_starts or settings.regret_starts):
        return {}
    begun = Counter(one.origin for one in games)
    shares = {f"starts/{origin.label}": begun[origin] / max(1, len(games)) for origin in Origin}
    regret = {f"regret/{origin.label}": totals[f"regret_{origin.label}"] / begun[origin] for origin in begun}
    return {**shares, **regret, "regret/positions": totals["regret_positions"]}


def learner_metrics(measures: Mapping[str, float]) -> Metrics:
    named = {_LEARNER.get(name, name.replace("loss_", "loss/", 1)): value for name, value in measures.items()}
    return {name if "/" in name else f"learner/{name}": value for name, value in named.items()}


def gate_metrics(result: GateResult, *, promotions: int) -> Metrics:
    return {
        "gate/score": result.score,
        "gate/low": result.interval[0],
        "gate/high": result.interval[1],
        "gate/pairs": result.pairs,
        "gate/passed": float(result.passed),
        "gate/promotions": promotions,
    }


def exam_metrics(result: ExamResult) -> Metrics:
    metrics = {"exam/kept": result.kept.value}
    metrics |= {f"exam/{phase}": share.value for phase, share in result.by_phase.items()}
    metrics |= {f"exam/{stake}": share.value for stake, share in result.by_stake.items()}
    if result.result_right is not None:
        metrics["exam/result"] = result.result_right.value
    return {name.replace(" ", "_"): value for name, value in metrics.items()}


def baseline_metrics(results: Sequence[BaselineResult]) -> Metrics:
    metrics: Metrics = {}
    for result in results:
        tag = tag_of(result.baseline)
        metrics[f"score/{tag}"] = result.score
        metrics |= dict(zip((f"elo/{tag}", f"elo/{tag}/low", f"elo/{tag}/high"), result.elo, strict=True))
    return metrics
