"""What to compile ahead of training."""


def iteration(name: str) -> None:
    """Self-play and learning."""
    _train(name, "gumbel", "orbit")


def turned_samples(name: str) -> None:
    """Self-play and learning of networks that do not know the symmetries, with PUCT."""
    _train(name, "puct", "mlp")


def _train(name: str, method: str, kind: str) -> None:
    import tempfile
    from pathlib import Path

    from alphadiamond.games import load
    from alphadiamond.network import ModelConfig
    from alphadiamond.search import SearchSettings
    from alphadiamond.training.loop import Training
    from alphadiamond.training.rundir import RunDirectory
    from alphadiamond.training.settings import (
        EvaluationSettings,
        GateSettings,
        LearnerSettings,
        PitSettings,
        ReplaySettings,
        SelfPlaySettings,
        TrainSettings,
    )
    from alphadiamond.training.worker import WorkerJob
    from alphadiamond.training.workers import InlineWorkers

    pit = PitSettings(simulations=2)
    settings = TrainSettings(
        profile="precompile",
        game=name,
        device="cpu",
        iterations=1,
        workers=1,
        cache=64,
        plot=False,
        model=ModelConfig(kind=kind, width=3, blocks=1, value_width=8),
        selfplay=SelfPlaySettings(
            games=16, rounds=8, simulations=2, random_starts=0.9, search=SearchSettings(method=method)
        ),
        replay=ReplaySettings(smallest=8),
        learner=LearnerSettings(batch=8, reuse=1, warmup=1),
        gate=GateSettings(every=1, batch=2, max_pairs=2, pit=pit),
        evaluation=EvaluationSettings(every=1, exam_every=1, pairs=1, baselines=["minimax:depth=1"], pit=pit),
    )
    job = WorkerJob(settings.model, settings.selfplay, settings.seed, "cpu", settings.cache, load(name))
    with tempfile.TemporaryDirectory() as directory:
        Training(settings, RunDirectory(Path(directory) / "run"), InlineWorkers(job, count=1)).run()
