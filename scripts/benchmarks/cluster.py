"""Self-play on Ray beside processes: speed, what an update and a result weigh, and how soon a new machine plays.

Two workers of either kind play whole iterations of the default profile in turns. The machine that joins is another node
of Ray on this one, so that its code is compiled already, while the first plays short iterations.
"""

import dataclasses
import os
import statistics
import time
from typing import Any

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import build_model
from alphadiamond.settings.cluster import RaySettings
from alphadiamond.training.worker import Weights, WorkerJob, weights_of
from alphadiamond.training.workers import ProcessWorkers, Workers
from benchmarks.profiles import plain
from benchmarks.rates import Row, rates

WORKERS = 2
SHORT = 12
"""Moves of every game in an iteration while a machine joins, so that it need not wait for a long one."""


def measure(*, repeats: int, seed: int) -> list[Row]:
    if not installed():
        return []
    job = job_of(seed)
    weights = weights_of(build_model(job.model, seed=seed, game=GAME))
    short = dataclasses.replace(job, selfplay=dataclasses.replace(job.selfplay, rounds=SHORT))
    return [*_speed(job, weights, repeats), *_joining(short, weights)]


def installed() -> bool:
    """Whether there is a Ray to measure."""
    from alphadiamond.cluster.connection import ClusterError, import_ray

    try:
        import_ray()
    except ClusterError as error:
        print(f"left out: {error}")
        return False
    return True


def job_of(seed: int) -> WorkerJob:
    profile = plain("laptop", seed=seed)
    return WorkerJob(profile.model, profile.selfplay, seed, "cpu", profile.cache, game=GAME)


def _speed(job: WorkerJob, weights: Weights, repeats: int) -> list[Row]:
    from alphadiamond.cluster.workers import RayWorkers

    on_ray = RayWorkers(job, settings=RaySettings(), count=WORKERS)
    processes = ProcessWorkers(job, count=WORKERS)
    try:
        for team in (on_ray, processes):
            team.start([])
            team.update(weights)
            _iterate(team, job)  # games of all lengths
        ours, reference = rates(lambda: _iterate(on_ray, job), lambda: _iterate(processes, job), repeats=repeats)
        update = statistics.median(_update_seconds(on_ray, weights) for _ in range(20))
        result = [_result_seconds(on_ray, job) for _ in range(min(3, repeats))]
        measured = on_ray.measures()
    finally:
        on_ray.stop()
        processes.stop()
    return [
        Row(f"self-play with {WORKERS} workers on Ray", ours, "simulations/s", reference, "as processes"),
        Row("an update of the weights", measured["cluster/update_bytes"] / 1e3, "kB"),
        Row(f"an update, until {WORKERS} workers have it", 1e3 * update, "ms"),
        Row("a result of one worker", measured["cluster/harvest_bytes"] / WORKERS / 1e3, "kB"),
        Row("a result, fetched and checked", 1e3 * statistics.median(result), "ms"),
    ]


def _iterate(team: Workers, job: WorkerJob) -> float:
    team.begin(1, job.selfplay.simulations)
    return sum(result.measures["simulations"] for result in team.collect() if result is not None)


def _update_seconds(team: Any, weights: Weights) -> float:
    """From the call to the moment when every worker plays with them."""
    started = time.perf_counter()
    team.update(weights)
    ray = team._ray
    ray.get([member.actor.update.remote(team._weights) for member in team._members])
    return time.perf_counter() - started


def _result_seconds(team: Any, job: WorkerJob) -> float:
    """What the process that learns has to do for one result."""
    team.begin(1, job.selfplay.simulations)
    references = [member.playing for member in team._members]
    team._ray.wait(references, num_returns=len(references), fetch_local=False)
    started = time.perf_counter()
    team.collect()
    return (time.perf_counter() - started) / len(references)


def _joining(job: WorkerJob, weights: Weights) -> list[Row]:
    """Seconds from the moment another node is up to its first result."""
    from alphadiamond.cluster.workers import RayWorkers
    from tests.cluster.clusters import running

    with running(head_cpus=1) as cluster:
        workers = RayWorkers(job, settings=cluster.settings())
        workers.start([])
        workers.update(weights)
        _iterate(workers, job)
        began = time.monotonic()
        cluster.add()
        up = time.monotonic()
        while len(workers.first_samples) < 2 and time.monotonic() - up < 300:
            _iterate(workers, job)
        received = time.monotonic()
        workers.stop()
    cores = os.cpu_count() or 1
    return [
        Row(f"a node starts (on the same {cores} cores, which play meanwhile)", up - began, "s"),
        Row("from its being up to its first samples", received - up, "s"),
    ]
