"""Train a small network from self-play, and plot how often its bare policy keeps the exact value in the exam.

python examples/train_and_plot.py            # two minutes on two cores
python examples/train_and_plot.py 4          # iterations
"""

import sys
from pathlib import Path

from alphadiamond.training.run import train
from alphadiamond.training.rundir import RunDirectory, read_metrics
from alphadiamond.training.settings import TrainSettings


def settings(iterations: int, run: Path) -> TrainSettings:
    """Every setting is a field; `alphadiamond train --help` documents them."""
    made = TrainSettings(game="diamond_chase", run=str(run), iterations=iterations, plot=False)
    made.selfplay.games = 64
    made.selfplay.rounds = 48
    made.selfplay.random_starts = 0.85
    made.replay.smallest = 10_000
    made.learner.batch = 256
    made.gate.every = made.evaluation.exam_every = 2
    made.evaluation.every = iterations  # games against the classical players once, at the end
    made.evaluation.pairs = 4
    made.evaluation.earlier = 0
    return made


def plot(run: Path, picture: Path) -> list[float]:
    """Draw the exam's curve from the run's metrics; returns its points."""
    from matplotlib.figure import Figure

    lines = [line for line in read_metrics(RunDirectory(run).metrics) if line.get("exam/kept") is not None]
    kept = [100 * line["exam/kept"] for line in lines]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([line["iteration"] for line in lines], kept, marker="o")
    axes.set(xlabel="iteration", ylabel="value kept, %", title="Diamond Chase, bare policy")
    figure.savefig(picture)
    return kept


def main() -> None:
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    run = Path("runs/example")
    train(settings(iterations, run))
    kept = plot(run, run / "exam.png")
    print(f"the exam went from {kept[0]:.1f} % to {kept[-1]:.1f} %; picture: {run / 'exam.png'}")


if __name__ == "__main__":  # workers are started anew and import this file
    main()
