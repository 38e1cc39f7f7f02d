"""Everything that a training run can be told, stage by stage; `configs/train.yaml` and its groups set these."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alphadiamond.base.threads import available_cores
from alphadiamond.games import load
from alphadiamond.settings import above, at_least, between, one_of, setting, text
from alphadiamond.settings.cluster import ENGINE, RaySettings
from alphadiamond.settings.devices import DEVICE
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.memory import Need, too_much
from alphadiamond.settings.model import ModelConfig
from alphadiamond.settings.places import A_DIRECTORY, OUTPUT_DIRECTORY
from alphadiamond.settings.players import PLAYERS
from alphadiamond.settings.ranges import SEED, or_empty
from alphadiamond.settings.renames import nested
from alphadiamond.settings.search import SearchSettings
from alphadiamond.training import memory
from alphadiamond.training.cores import MOST_THREADS, Split, split

if TYPE_CHECKING:
    from alphadiamond.base.game import Game


@dataclass(frozen=True)
class Placement:
    """Where a run learns and where it plays, by the names of devices."""

    learner: str
    selfplay: str
    reason: str = ""
    """What a person is told of how that was chosen."""


BASELINES = ("minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000")


@dataclass
class SelfPlaySettings:
    games: int = setting(256, between(1, 1 << 30))
    """Games that are played at once, by all workers together: on more cores each plays fewer of them."""
    rounds: int = setting(96, between(1, 1_000_000))
    """Moves that each of them advances in one iteration."""
    simulations: int = setting(32, between(1, 1_000_000))
    """Simulations per move."""
    late_simulations: int = setting(0, between(0, 1_000_000, note="0 for the same"))
    """Simulations per move later in the run, when the network is worth more of them; 0 for the same."""
    late_after: float = setting(0.4, between(0, 1))
    """The share of the run's iterations after which moves get `late_simulations`; more iterations move it too."""
    random_starts: float = setting(0.5, between(0, 1))
    """Share of games that begin at a random legal position, so that every phase is seen and games are decided."""
    strategy_starts: float = setting(0.0, between(0, 1))
    """Share of games that begin shortly before a loss of the network's own strategy. An adversary searches for such
    losses from the game's start: one side plays the bare network's first choice, the other everything."""
    strategy_plies: int = setting(40, between(1, 10_000))
    """How many moves of that side the adversary looks ahead."""
    strategy_positions: int = setting(2048, between(1, 1_000_000))
    """How many such starts each worker keeps, the newest ones."""
    regret_starts: float = setting(0.0, between(0, 1))
    """Share of games that begin again where what came later contradicted the search most."""
    regret_positions: int = setting(2048, between(1, 1_000_000))
    """How many such positions each worker keeps."""
    opening_plies: int = setting(12, between(0, 60))
    """Other games begin with up to so many random moves from the start."""
    boards: int = setting(0, between(0, 1 << 40, note="0 for a new one each time"))
    """Different boards that games are played on, where each game draws its own; 0 for a new one each time."""
    random_moves: float = setting(0.4, between(0, 1))
    """Each other game draws a chance between 0 and this that a move is played at random instead of by the search, so
    that the positions of bad play are known too. What is learnt from them does not suffer: see `trace`."""
    careful_games: float = setting(0.5, between(0, 1))
    """Share of games without such moves, whose results are carried back undisturbed."""
    leave: float = setting(0.0, between(0, 1))
    """The chance, at each ply, that a game from a random position is left there; its result is then the search's value.
    More games begin in the same time, and more kinds of positions are seen."""
    sure: float = setting(0.0, between(0, 1))
    """A game is left only where the search gives a result at least this chance. So games that it is not sure of are
    played to the end."""
    temperature: float = setting(1.0, between(0, 100))
    """PUCT: moves are drawn by visits to the power of 1 / temperature; Gumbel search brings its own noise."""
    temperature_plies: int = setting(16, between(0, 10_000))
    """PUCT: for so many plies of each game; after that the most visited move is played."""
    trace: float = setting(0.98, between(0, 1))
    """How much of a value target comes from later in the game. At each ply this share of the next ply's target is
    carried back, less where the search hardly wanted the move. The rest is what the search says here."""
    full_trace: float = setting(0.25, above(0, up_to=1))
    """A move that the search recommends at least this much, beside the one it recommends most, carries results back in
    full; one that it recommends less does so in proportion."""
    device: str = setting("", or_empty(DEVICE, "that of the run"))
    """Where the network plays; empty for `device`."""
    search: SearchSettings = field(default_factory=lambda: SearchSettings(method="gumbel"))
    """How moves are searched."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.random_starts + self.strategy_starts + self.regret_starts > 1 + 1e-9:
            name = "regret_starts" if self.regret_starts else "strategy_starts"
            yield name, "expected at most 1 for random_starts, strategy_starts and regret_starts together"

    def simulations_in(self, iteration: int, *, of: int) -> int:
        """Simulations per move in an iteration, counted from 1, of so many."""
        return self.late_simulations if self.late_simulations and iteration > self.late_after * of else self.simulations


@dataclass
class ReplaySettings:
    smallest: int = setting(50_000, at_least(1))
    """Samples up to which nothing is dropped."""
    exponent: float = setting(0.75, above(0, up_to=1))
    """Beyond that the window grows as this power of the samples made."""
    growth: float = setting(0.5, between(0, 1))
    """How fast it begins to grow: samples of window for each sample made."""

    def window(self, made: int) -> int:
        """How many samples to keep of so many: min + growth * min * ((made / min) ** exponent - 1) / exponent."""
        if made <= self.smallest:
            return self.smallest
        return int(self.smallest * (1 + self.growth * ((made / self.smallest) ** self.exponent - 1) / self.exponent))


@dataclass
class LearnerSettings:
    batch: int = setting(512, between(1, 1 << 30))
    """Samples per step."""
    threads: int = setting(0, between(0, 1024, note="0 for the cores that self-play leaves"))
    """Threads of the learner on a CPU, each for its part of every batch; 0 for the cores that self-play leaves, up to
    4. A run is repeated to the last bit by as many threads."""
    device: str = setting("", or_empty(DEVICE, "that of the run"))
    """Where it learns; empty for `device`. Workers on all cores beside a learner on a card are a good pair."""
    reuse: float = setting(4.0, above(0, up_to=1000))
    """How often a sample is learnt from, on average."""
    learning_rate: float = setting(2e-3, above(0, up_to=1))
    """The peak learning rate of AdamW."""
    warmup: int = setting(200, at_least(0))
    """Steps until it is reached."""
    decay_from: float = setting(0.6, between(0, 1))
    """The share of the run after which it falls, by a half cosine, to a twentieth."""
    weight_decay: float = setting(1e-4, between(0, 1))
    """Decay of AdamW."""
    clip: float = setting(1.0, above(0, up_to=1e6))
    """Gradient norms are cut to this."""
    average: float = setting(0.999, between(0, 0.999999))
    """Decay of the averaged weights, which play."""
    value_weight: float = setting(1.0, between(0, 1000))
    """Weight of the value's loss beside the policy's."""
    soft_weight: float = setting(0.0, between(0, 1000))
    """Weight of the softened policy's loss: target and prediction to the power of 1/4, so that moves which the search
    hardly recommends are told apart too."""
    reply_weight: float = setting(0.15, between(0, 1000))
    """Weight of the loss for the opponent's reply, where the model has that head."""
    survival_weight: float = setting(0.15, between(0, 1000))
    """Weight of the loss for surviving beads, where the model has that head."""


@dataclass
class PitSettings:
    simulations: int = setting(32, between(0, 1_000_000, note="0 for the bare policy"))
    """Simulations per move."""
    search: SearchSettings = field(default_factory=lambda: SearchSettings(method="gumbel"))
    """How moves are searched."""


@dataclass
class GateSettings:
    every: int = setting(4, at_least(1))
    """Iterations between two candidates."""
    batch: int = setting(32, between(1, 1_000_000))
    """Pairs played before the test looks again."""
    max_pairs: int = setting(128, between(1, 1_000_000))
    """Pairs after which the likelier answer counts. If all games were drawn, the candidate passes."""
    worse: float = setting(0.47, between(0.01, 0.99))
    """A candidate that scores this is to be refused."""
    better: float = setting(0.52, between(0.01, 0.99))
    """A candidate that scores this is to pass."""
    error: float = setting(0.1, between(0.001, 0.499))
    """The chance of either mistake."""
    pit: PitSettings = nested(lambda: PitSettings(simulations=16), formerly="duel")
    """How both play."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.worse >= self.better:
            yield "worse", f"expected less than `better`, which is {self.better:g}"


@dataclass
class EvaluationSettings:
    every: int = setting(20, at_least(1))
    """Iterations between two evaluations; the last iteration always ends with one."""
    baselines: list[str] = setting(["minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"], PLAYERS)
    """Whom the champion plays."""
    pairs: int = setting(24, between(1, 1_000_000))
    """Pairs of games against each."""
    pit: PitSettings = nested(lambda: PitSettings(simulations=100), formerly="duel")
    """How the champion plays."""
    exam_every: int = setting(4, at_least(1))
    """Iterations between two exams of the bare policy."""
    earlier: int = setting(2, between(0, 1000))
    """Against how many of its own earlier snapshots the network is rated; the last one is always among them."""
    earlier_pairs: int = setting(64, between(1, 1_000_000))
    """Pairs of games against each of those, from random placements."""
    earlier_pit: PitSettings = nested(lambda: PitSettings(simulations=16), formerly="earlier_duel")
    """How both play then: the fewer simulations, the more the network itself counts."""


@dataclass
class TrainSettings:
    profile: str = setting("laptop", text("a name; profile=NAME also takes the settings of configs/profile/NAME.yaml"))
    """smoke, laptop, champion, overnight, gpu or cluster: a set of the settings below."""
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is learnt."""
    run: str = setting("", or_empty(OUTPUT_DIRECTORY, "runs/PROFILE"))
    """The run directory; empty for runs/PROFILE in Diamond Chase and runs/GAME-PROFILE in any other game. If it is
    there, its run goes on."""
    resume: str = setting("", or_empty(A_DIRECTORY, "a run that may be new"))
    """The same, for a run that must be there already."""
    init: str = setting("", text("a checkpoint, or a training run for its champion; empty for new weights"))
    """A checkpoint to start from; empty for new weights."""
    seed: int = setting(1, SEED)
    """One seed for weights, games and batches."""
    iterations: int = setting(160, at_least(1))
    """Iterations in all; raise it to let a finished run go on."""
    workers: int = setting(0, between(0, 1024, note="0 for as many as there are cores for"))
    """Processes for self-play, which share its games. 0 starts one for each core; from four cores on a quarter of them,
    at most 4, is left to the learner. With engine=ray, 0 follows the cores of the cluster as machines come and go."""
    engine: str = setting("processes", ENGINE)
    """Where they run: processes here, or ray for workers on any number of machines."""
    ray: RaySettings = field(default_factory=RaySettings)
    device: str = setting("auto", DEVICE)
    """auto, cpu, cuda or mps. auto plays games on the CPU wherever the compiled form serves the network. Where there is
    a card, the rest is timed on both with batches of the run, and a line says which won."""
    cache: int = setting(262_144, between(0, 1 << 40, note="0 for none"))
    """Positions that each worker's evaluation cache holds."""
    keep: int = setting(3, at_least(1))
    """States kept on disk."""
    snapshot_every: int = setting(10, at_least(1))
    """Iterations between two snapshots of the network, which are kept for ever."""
    iteration_seconds: float = setting(12.0, above(0, up_to=1e9))
    """What an iteration of the profile takes on two cores; the first guess of how long a run will take at most."""
    plot: bool = True
    """Write the curves as PNG when the run ends."""
    selfplay_weights: str = setting("latest", one_of("latest", "champion"))
    """Who plays itself: latest (the learner's averaged weights) or champion (the last to pass the gate)."""
    model: ModelConfig = field(default_factory=ModelConfig)
    selfplay: SelfPlaySettings = field(default_factory=SelfPlaySettings)
    replay: ReplaySettings = field(default_factory=ReplaySettings)
    learner: LearnerSettings = field(default_factory=LearnerSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    evaluation: EvaluationSettings = field(default_factory=EvaluationSettings)

    def __post_init__(self) -> None:
        self.placement: Placement | None = None  # not a setting: what was found on this machine

    def placed(self) -> Placement:
        """Where this run learns and plays; what is left to choose is the CPU until somebody has measured."""
        names = (self.learner.device or self.device, self.selfplay.device or self.device)
        return self.placement or Placement(*("cpu" if name == "auto" else name for name in names))

    def split(self) -> Split:
        """Who gets the cores: a card is kept busy by one process, and a learner on a card needs no threads."""
        placed, threads, cores = self.placed(), self.learner.threads, available_cores()
        if placed.learner != "cpu":
            threads = 1
        workers = 0 if self.on_many_machines else self.workers  # those of other machines take no core from the learner
        if placed.selfplay != "cpu" and self.engine != "ray":
            threads, cores = threads or min(cores, MOST_THREADS), 1
        return split(cores, games=self.selfplay.games, workers=workers, threads=threads)

    @property
    def on_many_machines(self) -> bool:
        """Whether workers may be elsewhere."""
        return self.engine == "ray" and self.ray.address != "local"

    @property
    def directory(self) -> Path:
        """Where the run lives."""
        name = self.profile if self.game == DEFAULT_GAME else f"{self.game}-{self.profile}"
        return Path(self.resume or self.run or f"runs/{name}")

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.init and not any(self.directory.glob("state-*.pt")):  # a run that has begun needs it no more
            from alphadiamond.network.headers import CheckpointError, read_metadata

            try:
                read_metadata(self.init, game=load(self.game))
            except CheckpointError as error:
                yield "init", str(error)
        if self.model.survival and not load(self.game).survival:
            yield "model.survival", f"expected false: in {load(self.game).title} no piece is lost"
        if self.workers > self.selfplay.games:
            yield "workers", f"expected no more than selfplay.games, which is {self.selfplay.games}"
        if found := too_much(list(self.needs())):
            yield found

    def needs(self) -> Iterator[Need]:
        """The memory that a run asks for; what is on a graphics card is left out."""
        workers = self.split().workers
        sizes = sizes_of(load(self.game))
        selfplay, gate, evaluation = self.selfplay, self.gate, self.evaluation
        simulations = max(selfplay.simulations, selfplay.late_simulations)
        trees = memory.trees(selfplay.games, simulations, sizes) + selfplay.games * memory.GAME
        yield Need("selfplay.games", f"with {simulations:,} simulations the games", trees)
        yield Need("gate.batch", "the trees of the gate", 2 * memory.trees(gate.batch, gate.pit.simulations, sizes))
        baselines = memory.trees(evaluation.pairs, evaluation.pit.simulations, sizes)
        yield Need("evaluation.pairs", "the trees of the evaluation", baselines)
        earlier = 2 * memory.trees(evaluation.earlier_pairs, evaluation.earlier_pit.simulations, sizes)
        yield Need("evaluation.earlier_pairs", "the trees of the evaluation", earlier)
        # Two networks play in the gate, each with a cache, beside that of self-play.
        yield Need("cache", f"the caches of {workers} workers", 3 * workers * memory.cache(self.cache, sizes))
        network = f"with model.blocks={self.model.blocks} the network"
        yield Need("model.width", network, (workers + memory.TRAINING_COPIES) * memory.weights(self.model, sizes))
        yield Need("learner.batch", "a step of the learner", memory.step(self.model, self.learner.batch, sizes))
        made = self.iterations * selfplay.games * selfplay.rounds
        yield Need("replay.smallest", "the replay window", min(made, self.replay.window(made)) * sizes.sample)


def sizes_of(game: "Game") -> memory.Sizes:
    return memory.Sizes(game.shape.nodes, game.actions, game.max_moves, game.state_size)


CHANGEABLE = (
    *("run", "resume", "init", "iterations", "workers", "engine", "ray", "keep", "snapshot_every", "plot"),
    *("iteration_seconds",),
    *("device", "cache", "evaluation", "gate.every", "gate.max_pairs", "learner.learning_rate", "learner.decay_from"),
    *("learner.reuse", "learner.threads", "learner.device", "selfplay.device"),
)
"""Settings that may differ when a run goes on; a name stands for all below it."""


def may_change(key: str) -> bool:
    """Whether a run may go on with another value of the setting `key`, such as `learner.reuse`."""
    return any(key == name or key.startswith(f"{name}.") for name in CHANGEABLE)


def flat(settings: dict[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings by their dotted names."""
    named: dict[str, Any] = {}
    for name, value in settings.items():
        named |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return named


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[Any]]:
    """`{key: [old, new]}` of the settings that both have and in which they differ."""
    old, new = flat(before), flat(after)
    return {key: [old[key], new[key]] for key in sorted(old.keys() & new.keys()) if old[key] != new[key]}
