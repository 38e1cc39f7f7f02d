"""The search inside self-play: simulations a second, and what it costs beside the network alone.

One core, 128 games at once, 64 simulations a move. The rows with a ratio set evaluations inside self-play against the
same network called alone with the same batches; two worker processes are set against one.
"""

import time
from functools import partial

import numpy as np
import torch

from alphadiamond.games.diamond_chase.game import GAME, DiamondChase
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.training.selfplay import SelfPlay, SelfPlaySettings
from alphadiamond.training.worker import WorkerJob, weights_of
from alphadiamond.training.workers import ProcessWorkers
from benchmarks.rates import Row, rate, rates

GAMES, SIMULATIONS = 128, 64
CACHE = 1 << 18
MODELS = {
    "mlp 256 x 4": ModelConfig(kind="mlp", width=256, blocks=4),
    "orbit 12 x 4": ModelConfig(),
    "orbit 24 x 4": ModelConfig(width=24, value_width=64),
}


def measure(*, repeats: int, seed: int) -> list[Row]:
    torch.set_num_threads(1)
    rows = []
    for name, config in MODELS.items():
        rows += _one_core(name, config, repeats, seed)
    rows += _two_processes(repeats, seed)
    nodes = SIMULATIONS + 2
    search = TreeSearch(DiamondChase(), SearchSettings(), games=1, nodes=nodes)
    rows.append(Row(f"memory a game, {nodes} nodes", search.bytes_per_game / 1024, "KiB"))
    return rows


def _settings(rounds: int, method: str = "gumbel", *, games: int = GAMES, lookahead: bool = True) -> SelfPlaySettings:
    search = SearchSettings(method=method, two_ply_lookahead=lookahead)
    return SelfPlaySettings(games=games, rounds=rounds, simulations=SIMULATIONS, search=search)


def _one_core(name: str, config: ModelConfig, repeats: int, seed: int) -> list[Row]:
    rows = []
    model = build_model(config, seed=seed, game=GAME)
    for method in ("gumbel", "puct"):
        plain = Evaluator(model, device="cpu", threads=1)
        play = SelfPlay(_settings(2, method), seed=seed, game=GAME)
        play.play(plain, iteration=0)
        batch = play.state()["states"].astype(np.int32)

        def selfplay(play: SelfPlay = play, plain: Evaluator = plain) -> float:
            before = play.statistics["evaluations"]
            play.play(plain, iteration=0)
            return play.statistics["evaluations"] - before

        def alone(plain: Evaluator = plain, batch: np.ndarray = batch) -> float:  # type: ignore[type-arg]
            for _ in range(64):
                plain.logits(batch)
            return 64.0 * len(batch)

        inside, outside = rates(selfplay, alone, repeats=repeats)
        rows.append(
            Row(f"{name}, {method}: evaluations in self-play", inside, "evaluations/s", outside, "network alone")
        )
    plays = [SelfPlay(_settings(2, lookahead=lookahead), seed=seed, game=GAME) for lookahead in (True, False)]
    seeing, blind = (partial(_simulations, play, plain) for play in plays)
    speeds = rates(seeing, blind, repeats=repeats, clock=time.process_time)
    rows.append(
        Row(f"{name}, gumbel: simulations, looking ahead at leaves", speeds[0], "simulations/s", speeds[1], "not")
    )
    cached = Evaluator(model, device="cpu", threads=1, cache=CACHE)
    play = SelfPlay(_settings(6), seed=seed, game=GAME)
    play.play(cached, iteration=0)
    before, hits = play.statistics, cached.stats.hits
    speed = max(rate(lambda: _simulations(play, cached)) for _ in range(repeats))
    made = {key: value - before[key] for key, value in play.statistics.items()}
    stages = {key: made[key] for key in ("walk", "evaluate", "back up")}
    rows.append(Row(f"{name}, gumbel with cache: simulations", speed, "simulations/s"))
    rows.append(Row(f"{name}: cache hits", 100 * (cached.stats.hits - hits) / made["evaluations"], "%"))
    total = sum(stages.values())
    rows += [Row(f"{name}: time in {stage}", 100 * seconds / total, "%") for stage, seconds in stages.items()]
    return rows


def _simulations(play: SelfPlay, evaluator: Evaluator) -> float:
    before = play.statistics["simulations"]
    play.play(evaluator, iteration=0)
    return play.statistics["simulations"] - before


def _two_processes(repeats: int, seed: int) -> list[Row]:
    config = ModelConfig()
    weights = weights_of(build_model(config, seed=seed, game=GAME))
    teams = {
        count: ProcessWorkers(
            WorkerJob(config, _settings(6, games=count * GAMES), seed, "cpu", CACHE, game=GAME), count=count
        )
        for count in (1, 2)
    }
    speeds = dict.fromkeys(teams, 0.0)
    try:
        for team in teams.values():
            team.start([])
            team.update(weights)
            team.begin(0, SIMULATIONS)
            team.collect()
        for _ in range(repeats):
            for count, team in teams.items():
                started = time.perf_counter()
                team.begin(0, SIMULATIONS)
                results = team.collect()
                made = sum(result.measures["simulations"] for result in results if result is not None)
                speeds[count] = max(speeds[count], made / (time.perf_counter() - started))
    finally:
        for team in teams.values():
            team.stop()
    return [Row("orbit 12 x 4, two processes", speeds[2], "simulations/s", speeds[1], "one process")]
