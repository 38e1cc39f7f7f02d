"""Everything that a training run can be told; `configs/train.yaml` and its groups set these."""

from dataclasses import dataclass, field
from typing import Any

from alphadiamond.network import ModelConfig
from alphadiamond.training.duel import DuelSettings
from alphadiamond.training.learner import LearnerSettings
from alphadiamond.training.replay import ReplaySettings
from alphadiamond.training.selfplay import SelfPlaySettings

BASELINES = ("minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000")


@dataclass
class GateSettings:
    every: int = 4
    """Iterations between two candidates."""
    batch: int = 32
    """Pairs played before the test looks again."""
    max_pairs: int = 128
    """Pairs after which the likelier answer counts, so that nothing but draws cannot hold a candidate up."""
    worse: float = 0.47
    """A candidate that scores this is to be refused."""
    better: float = 0.52
    """A candidate that scores this is to pass."""
    error: float = 0.1
    """The chance of either mistake."""
    duel: DuelSettings = field(default_factory=lambda: DuelSettings(simulations=16))
    """How both play."""


@dataclass
class EvaluationSettings:
    every: int = 20
    """Iterations between two evaluations; the last iteration always ends with one."""
    baselines: list[str] = field(
        default_factory=lambda: ["minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"]
    )
    """Whom the champion plays."""
    pairs: int = 24
    """Pairs of games against each."""
    duel: DuelSettings = field(default_factory=lambda: DuelSettings(simulations=100))
    """How the champion plays."""
    exam_every: int = 4
    """Iterations between two exams of the bare policy."""
    earlier: int = 2
    """Against how many of its own earlier snapshots the network is rated; the last one is always among them."""
    earlier_pairs: int = 64
    """Pairs of games against each of those, from random placements."""
    earlier_duel: DuelSettings = field(default_factory=lambda: DuelSettings(simulations=16))
    """How both play then: the fewer simulations, the more the network itself counts."""


@dataclass
class TrainSettings:
    profile: str = "laptop"
    """smoke, laptop, champion, overnight or gpu: a set of the settings below."""
    run: str = ""
    """The run directory; empty for runs/PROFILE. If it is there, its run goes on."""
    resume: str = ""
    """The same, for a run that must be there already."""
    init: str = ""
    """A checkpoint to start from; empty for new weights."""
    seed: int = 1
    """One seed for weights, games and batches."""
    iterations: int = 160
    """Iterations in all; raise it to let a finished run go on."""
    workers: int = 0
    """Processes for self-play; 0 for one a core."""
    device: str = "auto"
    """auto, cpu, cuda or mps."""
    cache: int = 262_144
    """Positions that each worker's evaluation cache holds."""
    keep: int = 3
    """States kept on disk."""
    snapshot_every: int = 10
    """Iterations between two snapshots of the network, which are kept for ever."""
    iteration_seconds: float = 12.0
    """What an iteration of the profile takes on two cores; the first guess of how long the run will take."""
    plot: bool = True
    """Write the curves as PNG when the run ends."""
    selfplay_weights: str = "latest"
    """Who plays itself: latest (the learner's averaged weights) or champion (the last to pass the gate)."""
    model: ModelConfig = field(default_factory=ModelConfig)
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    replay: ReplaySettings = field(default_factory=ReplaySettings)
    learner: LearnerSettings = field(default_factory=LearnerSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    evaluation: EvaluationSettings = field(default_factory=EvaluationSettings)


CHANGEABLE = (
    *("run", "resume", "init", "iterations", "workers", "keep", "snapshot_every", "iteration_seconds", "plot"),
    *("device", "cache", "evaluation", "gate.every", "gate.max_pairs", "learner.learning_rate", "learner.decay_from"),
    *("learner.reuse", "learner.threads"),
)
"""Settings that may differ when a run goes on; a name stands for all below it."""


def may_change(key: str) -> bool:
    """Whether a run may go on with another value of the setting `key`, such as `learner.reuse`."""
    return any(key == name or key.startswith(f"{name}.") for name in CHANGEABLE)


def changes(before: dict[str, Any], after: dict[str, Any], prefix: str = "") -> dict[str, list[Any]]:
    """`{key: [old, new]}` of the settings that both have and in which they differ."""
    found: dict[str, list[Any]] = {}
    for name in before.keys() & after.keys():
        key, old, new = prefix + name, before[name], after[name]
        if isinstance(old, dict) and isinstance(new, dict):
            found |= changes(old, new, f"{key}.")
        elif old != new:
            found[key] = [old, new]
    return dict(sorted(found.items()))
