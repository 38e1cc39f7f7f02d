"""What the studies can be told."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import yaml

from alphadiamond.resources import CONFIGS
from alphadiamond.settings.composition import options_of
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.model import KINDS, ModelConfig
from alphadiamond.settings.places import A_DIRECTORY, A_SOLUTION, OUTPUT_DIRECTORY, OUTPUT_FILE
from alphadiamond.settings.players import PLAYERS
from alphadiamond.settings.ranges import (
    SECONDS,
    SEED,
    Allowed,
    between,
    each,
    maybe,
    near,
    one_of,
    or_empty,
    setting,
    some_of,
    text,
)
from alphadiamond.settings.search import SearchSettings

if TYPE_CHECKING:  # help waits for no library of numbers
    from alphadiamond.base.game import Game

PANELS: Final = ("time", "simulations", "speed")
"""What `alphadiamond scaling` measures and draws."""
BOARDS: Final = "boards"
"""What it can measure besides, of a game that draws its board anew."""


class Checkpoint(Allowed):
    """A network that can be read."""

    def __str__(self) -> str:
        return "a checkpoint, or a training run for its champion"

    def fault(self, value: Any) -> str:
        if not isinstance(value, str) or "\0" in value:
            return f"expected {self}"
        from alphadiamond.network.headers import CheckpointError, read_metadata

        try:
            read_metadata(value)
        except CheckpointError as error:
            return str(error)
        return ""


A_CHECKPOINT: Final = or_empty(Checkpoint(), "the shipped network")


def checkpoint_of(value: str, game: "Game") -> str:
    """The path that a setting of the kind A_CHECKPOINT means."""
    from alphadiamond.network.headers import shipped_checkpoint

    return value or str(shipped_checkpoint(game))


class Model(Allowed):
    """The name of a file in configs/model, or one or a kind with its size."""

    def __str__(self) -> str:
        return (
            f"one of {', '.join(options_of('model'))}, or one of them or a kind with a size: orbit:24x4, or "
            "conv_pieces:32x1x5 for blocks that are gone through 5 times"
        )

    def fault(self, value: Any) -> str:
        options = options_of("model")
        return "" if model_named(str(value)) is not None else f"expected {self}{near(str(value), options)}"


def model_named(name: str) -> ModelConfig | None:
    """The model that a name means, such as conv_small, orbit:24x4 (24 channels, 4 blocks) or conv_pieces:32x1x5 (one
    block, gone through 5 times); None if it means none."""
    found = re.fullmatch(r"(\w+)(?::([1-9]\d{0,3})x([1-9]\d{0,3})(?:x([1-9]\d?))?)?", name)
    if found is None or not (found[1] in options_of("model") or (found[1] in KINDS and found[2])):
        return None
    if found[1] in KINDS:
        config = ModelConfig(kind=found[1])
    else:
        config = ModelConfig(**yaml.safe_load((CONFIGS / "model" / f"{found[1]}.yaml").read_text("utf-8")))
    if found[2]:
        repeats = int(found[4] or config.repeats)
        config = replace(config, width=int(found[2]), blocks=int(found[3]), repeats=repeats)
    return config


@dataclass
class SampleQualitySettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What the run has learnt."""
    run: str = setting("runs/laptop", A_DIRECTORY)
    """A run directory whose samples are looked at; nothing in it is changed."""
    first: int = setting(1, between(1, 1_000_000_000))
    """The first iteration whose samples count."""
    last: int = setting(0, between(0, 1_000_000_000, note="0 for the newest"))
    """The last iteration whose samples count; of a run only those in its replay window are there."""
    tablebase: str | None = setting(None, A_SOLUTION)
    """The directory of the solution (`make solve`); the user's data directory if not given."""
    output: str = setting("results/samples.json", OUTPUT_FILE)
    """Where the figures go as JSON."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.last and self.last < self.first:
            yield "last", f"expected no less than `first`, which is {self.first}"


@dataclass
class CompareSearchesSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is played."""
    checkpoint: str = setting("", A_CHECKPOINT)
    """The network that both search with."""
    simulations: list[int] = setting([16, 32, 100, 400], each(between(1, 1_000_000)))
    """Simulations per move; a match for each."""
    pairs: int = setting(200, between(1, 1_000_000))
    """Pairs of games in each match, each start played with both colours."""
    placements: float = setting(0.5, between(0, 1))
    """The share of starts that are random placements, where strength shows more often than from the start."""
    seed: int = setting(1, SEED)
    """Seeds the starts."""
    one: SearchSettings = field(default_factory=lambda: SearchSettings(method="gumbel"))
    """How the first side searches; its score is what is counted."""
    other: SearchSettings = field(default_factory=lambda: SearchSettings(method="puct"))
    """How the other side searches."""
    output: str = setting("results/searches.json", OUTPUT_FILE)
    """Where the figures go as JSON."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if not self.simulations:
            yield "simulations", "name one number or more: simulations=16,100"


@dataclass
class CompareEnginesSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What the network plays."""
    checkpoint: str = setting("", A_CHECKPOINT)
    """The network that all engines run."""
    batches: list[int] = setting([1, 8, 32, 128, 512], each(between(1, 1 << 20), least=1))
    """Positions that are asked about at once; a line for each."""
    repeats: int = setting(7, between(1, 10_000))
    """Timed turns of each engine, one after the other; the table shows medians."""
    positions: int = setting(4096, between(1, 1 << 24))
    """Positions of one turn, in as many batches as it takes."""
    seed: int = setting(1, SEED)
    """Seeds the positions."""
    output: str = setting("results/engines.json", OUTPUT_FILE)
    """Where the figures go as JSON."""


@dataclass
class SearchGainSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What the networks play."""
    checkpoints: list[str] = setting([], each(Checkpoint()))
    """The networks; none for the shipped one."""
    simulations: int = setting(200, between(1, 1_000_000))
    """Simulations of the search that each is held against."""
    positions: int = setting(3_000, between(1, 1_000_000))
    """How many positions of each kind."""
    seed: int = setting(1, SEED)
    """Seeds games and positions."""
    output: str = setting("results/gain.json", OUTPUT_FILE)
    """Where the figures go as JSON."""


@dataclass
class ScalingSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What the networks play."""
    panels: list[str] = setting(list(PANELS), some_of(*PANELS, BOARDS))
    """What to measure and draw: the exam's error against training time, against simulations at play, against the number
    of boards (runs that differ in `selfplay.boards`), and speed against cores, games and batch."""
    runs: list[str] = setting([], each(A_DIRECTORY))
    """For `time`: run directories, each a line, measured by their snapshots RUN/checkpoints/iteration-*.safetensors;
    for `boards`: each a point, measured by its last snapshot."""
    snapshots: int = setting(12, between(1, 1000))
    """For `time`: how many snapshots of each run, from the first to the last."""
    time_simulations: list[int] = setting([0], each(between(0, 1_000_000), least=1))
    """For `time` and `boards`: simulations per move in the exam, each a line; 0 for the bare policy."""
    checkpoint: str = setting("", A_CHECKPOINT)
    """For `simulations` and `speed`: the network."""
    simulations: list[int] = setting(
        [0, 1, 2, 4, 8, 16, 32, 64, 100, 200, 400, 800, 1600], each(between(0, 1_000_000), least=1)
    )
    """For `simulations`: how many per move; 0 for the bare policy."""
    beside: list[str] = setting(["minimax:depth=4", "mcts:simulations=1000"], PLAYERS)
    """For pictures of errors: players whose error is drawn too, for scale."""
    positions: int | None = setting(None, maybe(between(1, 1_000_000), "all"))
    """How many positions of the exam; null: all."""
    cores: list[int] = setting([1, 2], each(between(1, 1024), least=1))
    """For `speed`: worker processes that play at once."""
    games: list[int] = setting([1, 4, 16, 64, 128, 256, 512], each(between(1, 1 << 20), least=1))
    """For `speed`: games of one worker at once."""
    batches: list[int] = setting([1, 2, 4, 8, 16, 32, 64, 128, 256, 512], each(between(1, 1 << 20), least=1))
    """For `speed`: positions that the network alone is asked about at once."""
    repeats: int = setting(5, between(1, 10_000))
    """For `speed`: timed turns of each; medians are drawn."""
    rounds: int = setting(4, between(1, 10_000))
    """For `speed`: moves of every game in one turn, of 32 simulations each."""
    seed: int = setting(1, SEED)
    """Seeds games and positions."""
    output: str = setting("results/scaling", OUTPUT_DIRECTORY)
    """The directory for scaling.json and a PNG for each panel."""

    def faults(self) -> Iterator[tuple[str, str]]:
        for panel in ("time", BOARDS):
            if panel in self.panels and not self.runs:
                yield (
                    "runs",
                    f"the panel `{panel}` needs runs=runs/one,runs/two; or leave it out: panels=simulations,speed",
                )


@dataclass
class HolesSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What was learnt."""
    runs: list[str] = setting([], each(A_DIRECTORY))
    """Run directories, one or more."""
    snapshots: int = setting(8, between(1, 1000))
    """How many snapshots of each run are looked at, from the first to the last."""
    player: str = setting("simulations=0", text("parameters of neural, such as simulations=16"))
    """How the networks play: parameters of `neural`, to which checkpoint= and history=false are added."""
    side: str = setting("first", one_of("first", "second", "both"))
    """Which side they play."""
    plies: int | None = setting(None, maybe(between(1, 10_000), "until nothing new comes up"))
    """Look no further than so many own moves; null: until nothing new comes up."""
    workers: int | None = setting(None, maybe(between(1, 1024), "one for each core"))
    """Processes that ask at the same time; null: one for each core."""
    output: str = setting("results/holes", OUTPUT_DIRECTORY)
    """Where holes.json, holes.md and holes.png go, and what `prove` finds of each snapshot; it goes on where it was
    stopped."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if not self.runs:
            yield "runs", "name one run directory or more: runs=runs/one,runs/two"


@dataclass
class CompareModelsSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is learnt."""
    run: str = setting("runs/laptop", A_DIRECTORY)
    """A run directory whose samples are learnt from."""
    models: list[str] = setting(["orbit_medium", "graph_medium", "mlp_medium"], each(Model(), least=1))
    """Names in configs/model, or kinds with width and blocks: orbit:24x4."""
    seconds: float = setting(120.0, SECONDS)
    """CPU seconds that each learns for."""
    pairs: int = setting(100, between(0, 1_000_000, note="0 for no games"))
    """Pairs of games that each plays against the first, with as much thinking time."""
    simulations: int = setting(64, between(1, 1_000_000))
    """Simulations per move of the first; the others get as many as their networks answer in the same time."""
    seed: int = setting(1, SEED)
    """Seeds weights and batches."""
    output: str = setting("results/models.json", OUTPUT_FILE)
    """Where the figures go as JSON."""


@dataclass
class CompareRunsSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What they have learnt."""
    runs: list[str] = setting([], each(A_DIRECTORY, distinct=False))
    """Run directories, two or more."""
    simulations: int = setting(32, between(0, 1_000_000, note="0 for the bare policy"))
    """Simulations per move, for everybody."""
    pairs: int = setting(200, between(1, 1_000_000))
    """Pairs of games in each match, each start played with both colours."""
    seed: int = setting(1, SEED)
    """Seeds the starts."""
    output: str = setting("results/runs.json", OUTPUT_FILE)
    """Where the figures go as JSON."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if len(self.runs) < 2:
            yield "runs", "name two run directories or more: runs=runs/one,runs/two"


@dataclass
class RateSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What they have learnt."""
    runs: list[str] = setting([], each(A_DIRECTORY))
    """Run directories, one or more."""
    baselines: list[str] = setting(["minimax:depth=4"], PLAYERS)
    """Players that all snapshots meet; the rating of the first is 0."""
    snapshots: int = setting(8, between(1, 1000))
    """How many snapshots of each run are rated, from the first to the last."""
    pairs: int = setting(48, between(1, 1_000_000))
    """Pairs of games in each match, each start played with both colours."""
    simulations: int = setting(16, between(0, 1_000_000, note="0 for the bare policy"))
    """Simulations per move of the networks: the fewer, the more the network itself counts."""
    placements: float = setting(1.0, between(0, 1))
    """The share of starts that are random placements, where strength shows more often than from the start."""
    seed: int = setting(1, SEED)
    """Seeds the starts and the players."""
    output: str = setting("results/rating", OUTPUT_DIRECTORY)
    """Where table, figures and picture go."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if not self.runs:
            yield "runs", "name one run directory or more: runs=runs/one,runs/two"


@dataclass
class PictureLearningSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What was learnt."""
    run: str = setting("", A_DIRECTORY)
    """A run directory."""
    iterations: list[int] = setting([1, 10, 100], each(between(0, 1_000_000)))
    """The snapshots that are pictured (a run keeps one every `snapshot_every` iterations)."""
    position: str = setting("", text("a position; empty for one that the game has for this"))
    """What they look at; empty for a position of the middle game."""
    output: str = setting("results/learning.png", OUTPUT_FILE)
    """Where the picture goes."""
