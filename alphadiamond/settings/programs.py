"""What the scripts can be told, but for `train`, whose settings are those of its stages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from alphadiamond.settings.cluster import ENGINE, RaySettings
from alphadiamond.settings.composition import options_of
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.model import KINDS, ModelConfig
from alphadiamond.settings.places import A_DIRECTORY, A_FILE, OUTPUT_DIRECTORY, OUTPUT_FILE, Output, unwritable
from alphadiamond.settings.players import A_PLAYER, PLAYERS, PlayerSpec
from alphadiamond.settings.ranges import (
    SECONDS,
    SEED,
    Allowed,
    Number,
    above,
    between,
    each,
    maybe,
    near,
    one_of,
    or_empty,
    setting,
    text,
)

CLASSICAL: Final = ["random", "greedy", "minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"]
_ERROR_RATE: Final = Number(0, 0.5, open_low=True, open_high=True)
_TABLEBASE: Final = "the user's data directory, where every player looks"


@dataclass
class EvaluateSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is played."""
    player: str | None = setting(None, maybe(A_PLAYER, "a round robin"))
    """The player to compare with the baselines; without one, `players` play a round robin."""
    baselines: list[str] = setting(CLASSICAL, PLAYERS)
    """Whom the player meets."""
    players: list[str] = setting([*CLASSICAL, "neural:simulations=100"], PLAYERS)
    """Who plays the round robin, each against each."""
    games: int = setting(40, between(2, 1_000_000, even=True))
    """Games of each match: an even number, since every opening is played with both colours."""
    opening_plies: int = setting(4, between(0, 60))
    """Random plies from the start before the players take over."""
    openings: str = setting("random", one_of("random", "balanced"))
    """How the openings are chosen: at random, or balanced, those of many random ones of any length up to a third of the
    longest game that minimax of four plies finds most even. Where most random openings are decided already, a far
    better player scores one half."""
    placements: bool = False
    """Begin anywhere in the game instead, where strength shows more often: in Diamond Chase at random placements of 4
    to 6 beads a side."""
    drawn: bool = False
    """Take only openings that are drawn under best play, by the exact solution (`make solve`)."""
    workers: int | None = setting(None, maybe(between(1, 1024), "one for each core"))
    """Processes that play games at the same time; null: one for each core."""
    engine: str = setting("processes", ENGINE)
    """Where they run: processes here, or ray for workers on any number of machines."""
    ray: RaySettings = field(default_factory=RaySettings)
    seed: int = setting(1, SEED)
    """Seeds openings and players: the same seed gives the same games (of players that do not go by the clock)."""
    move_seconds: float | None = setting(None, maybe(SECONDS, "no limit"))
    """A player who takes longer for a move loses the game; null: no limit."""
    sprt: list[float] = setting([], each(between(-1000, 1000), distinct=False))
    """Two Elo differences, such as 0,50, for a sequential test that ends a match as soon as it knows which of the two
    explains the results; empty: play all games."""
    alpha: float = setting(0.05, _ERROR_RATE)
    """The test's chance to believe in the higher difference when the lower is true."""
    beta: float = setting(0.05, _ERROR_RATE)
    """The test's chance to believe in the lower difference when the higher is true."""
    anchor: str | None = setting(None, maybe(A_PLAYER))
    """The player whose rating is 0; null: minimax:depth=2, medium or random if they play, else the first. Intervals are
    of differences to it, so one that both wins and loses makes them narrow."""
    exam: bool = False
    """Give the players the exam instead: in how many positions with exact answers do they play rightly?"""
    whole: bool = False
    """With exam=true: every position of the game instead of a choice of them, where its solution is a table (Diamond
    Chase, after `make solve`); it goes on where it was stopped."""
    exam_positions: int | None = setting(None, maybe(between(1, 1_000_000), "all"))
    """How many positions of the exam; null: all, which is long for players that think long."""
    exam_file: str = setting("", or_empty(A_FILE, "the exam of the game"))
    """Another exam, such as `alphadiamond make-exam seed=101 output=FILE` makes of positions that nobody has seen;
    empty for the one that is part of the game."""
    output: str = setting("results/evaluation", OUTPUT_DIRECTORY)
    """The directory for evaluation.json, games.txt and ratings.png, for exam.json and exam.md, or for whole.json and
    whole.md."""

    @property
    def files(self) -> tuple[str, ...]:
        if self.exam:
            return ("whole.json", "whole.md") if self.whole else ("exam.json", "exam.md")
        return ("evaluation.json", "games.txt", "ratings.png")

    def taking_part(self) -> list[PlayerSpec]:
        """The players, each once, in the order in which they are named."""
        if self.player is None:
            return [PlayerSpec.parse(text, source="players") for text in self.players]
        baselines = [PlayerSpec.parse(text, source="baselines") for text in self.baselines]
        first = PlayerSpec.parse(self.player, source="player")
        return [first] if self.exam else list(dict.fromkeys([first, *baselines]))

    def faults(self) -> Iterator[tuple[str, str]]:
        if len(self.sprt) not in (0, 2):
            yield "sprt", "expected two Elo differences, such as sprt=0,50"
        elif self.sprt and self.sprt[0] >= self.sprt[1]:
            yield "sprt", "the lower difference comes first"
        if self.whole and not (self.exam and self.player is not None and self.engine == "processes"):
            yield "whole", "is an exam of one player by processes here: give exam=true and player="
        if self.openings == "balanced" and (self.placements or self.drawn):
            yield "openings", "balanced ones are chosen otherwise: leave out placements= and drawn="
        if not self.exam and (len(self.players) < 2 if self.player is None else not self.baselines):
            name = "players" if self.player is None else "baselines"
            yield name, "nobody to play: give player= and baselines=, or at least two players="
        elif not self.taking_part():
            yield "players", "nobody to examine"
        taking_part = self.taking_part()
        if self.anchor is not None and not self.exam and PlayerSpec.parse(self.anchor) not in taking_part:
            yield "anchor", f"not among the players: {', '.join(map(str, taking_part))}"
        for name in self.files:
            if fault := unwritable(Path(self.output) / name):
                yield "output", f"{name}: {fault}"


@dataclass
class ProveSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What is played."""
    player: str = setting("neural:simulations=0,history=false", A_PLAYER)
    """Whom the proof is about: a function of the position alone, such as neural with history=false."""
    side: str = setting("both", one_of("first", "second", "both"))
    """Which side it plays: the one that moves first from the start of a game, the other, or both in turn."""
    starts: list[str] = setting([], each(text("a position")))
    """Where games begin, as texts of positions; empty for the start of the game."""
    plies: int | None = setting(None, maybe(between(1, 10_000), "until nothing new comes up"))
    """Look no further than so many own moves; null: until nothing new comes up."""
    exact: bool = True
    """Hold every move against the exact values, where the game has a table of them; the ends are counted without."""
    beyond: bool = False
    """With exact values: also go on where the player has lost a held game, which only the opponent's mistakes can bring
    back."""
    tablebase: str | None = setting(None, maybe(A_DIRECTORY, _TABLEBASE))
    """The directory of the tablebase; the user's data directory if not given."""
    certificate: str = setting("", or_empty(one_of("never_loses", "wins"), "none"))
    """Also write what was found as a file for proofs/check_proof.py, which knows the rules alone, and claim this of
    each side: that it never loses, or that it wins; empty for none."""
    part: int = setting(2048, between(1, 1 << 20))
    """Positions that a worker is given at once; their moves are on disk as soon as it has answered."""
    lines: int = setting(10, between(0, 1000))
    """How many games to write that lead to the first losses of each kind."""
    workers: int | None = setting(None, maybe(between(1, 1024), "one for each core"))
    """Processes that ask the player at the same time; null: one for each core."""
    engine: str = setting("processes", ENGINE)
    """Where they run: processes here, or ray for workers on any number of machines."""
    ray: RaySettings = field(default_factory=RaySettings)
    memory: float | None = setting(None, maybe(above(0, up_to=1e6), "what the machine has"))
    """Gigabytes that the sets of positions may take, 16 bytes for each; null: what the machine has."""
    resume: bool = True
    """Go on with what is in the directory; false: begin anew."""
    output: str = setting("results/proof", OUTPUT_DIRECTORY)
    """The directory for proof.json, proof.md, the games that lose, and the positions with the player's moves, 10 bytes
    each."""


@dataclass
class SolveSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """What to solve: a game whose solution is a table. Connect Four and the Labyrinth are solved when asked."""
    output: str | None = setting(None, maybe(OUTPUT_DIRECTORY, _TABLEBASE))
    """The directory of the solution; the user's data directory if not given, where every player looks for it."""
    verify: bool = False
    """Prove the finished solution there instead: every entry against its successors."""
    report: bool = False
    """Tell more about the finished solution there instead: a longest game, and how often a random move goes wrong."""
    resume: bool = True
    """Keep what is already there and whole."""
    threads: int = setting(0, between(0, 1024, note="0 for one a core"))
    """How many to use; 0 means one for each core."""


@dataclass
class SiteSettings:
    output: str = setting("site", OUTPUT_DIRECTORY)
    """The folder to make: new, empty, or a site that was made before, which is replaced."""


@dataclass
class MakeExamSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Whose exam it is."""
    output: str = setting("", or_empty(OUTPUT_FILE, "alphadiamond/games/GAME/data/exam.npz"))
    """Where the exam goes; empty for where the game keeps it."""
    overwrite: bool = False
    """Replace an exam that is there already."""
    positions: int = setting(12000, between(1, 1_000_000))
    """How many positions to choose."""
    games: int = setting(2000, between(1, 1_000_000))
    """Games of each kind of play to choose them from."""
    seed: int = setting(20, SEED)
    """The same seed chooses the same positions."""
    sets: bool = False
    """Choose sets by discs on the board and plies to the end instead, so many positions of each, as benchmarks of
    solvers have them (Connect Four)."""
    tablebase: str | None = setting(None, maybe(A_DIRECTORY, _TABLEBASE))
    """The directory of the tablebase; the user's data directory if not given."""

    @property
    def path(self) -> Path:
        return Path(self.output or f"alphadiamond/games/{self.game}/data/{'sets' if self.sets else 'exam'}.npz")

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.path.exists() and not self.overwrite:
            yield "output", f"{self.path} is there already: name another file, or replace it with overwrite=true"


@dataclass
class MakeBookSettings:
    output: str = setting("alphadiamond/games/connect_four/data/book.npz", OUTPUT_FILE)
    """The book, which is gone on with where it is there."""
    discs: int = setting(5, between(0, 12))
    """Solve all positions with up to so many discs."""
    first: int = setting(1, between(0, 12))
    """The number of discs to begin with; those with fewer follow from the first that is complete."""
    seconds: float | None = setting(None, maybe(SECONDS, "until it is done"))
    """Stop after so long with what is done by then; null: until it is done."""
    workers: int = setting(1, between(1, 1024))
    """Processes that solve at the same time."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.first > self.discs:
            yield "first", f"expected no more than `discs`, which is {self.discs}"


class Model(Allowed):
    """The name of a file in configs/model, or a kind with its width and blocks."""

    def __str__(self) -> str:
        return f"one of {', '.join(options_of('model'))}, or a kind and its size, such as orbit:24x4"

    def fault(self, value: Any) -> str:
        options = options_of("model")
        found = value in options or sized(str(value)) is not None
        return "" if found else f"expected {self}{near(str(value), options)}"


def sized(name: str) -> ModelConfig | None:
    """The model that a name such as orbit:24x4 means: 24 channels, 4 blocks; None if it means none."""
    found = re.fullmatch(rf"({'|'.join(KINDS)}):([1-9]\d{{0,3}})x([1-9]\d{{0,3}})", name)
    return found and ModelConfig(kind=found[1], width=int(found[2]), blocks=int(found[3]))


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


@dataclass
class HubFolderSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Whose shipped network."""
    checkpoint: str = setting(
        "", text("a checkpoint, or a training run for its champion; empty for the shipped network")
    )
    """Another network."""
    card: str = setting("", or_empty(A_FILE, "README.md beside the checkpoint, or else the card that it carries"))
    """The model card, as Markdown."""
    embed: bool = False
    """Write the card into the metadata of the checkpoint itself, too; its weights stay as they are."""
    output: str = setting("results/hub", OUTPUT_DIRECTORY)
    """Where the folder goes."""


@dataclass
class ShowSettings:
    path: str = setting("", text("a path that is there"))
    """A checkpoint, a run directory, a file of records or a tablebase; the bare path will do."""
    json: bool = False
    """Print JSON instead of tables."""
    onnx: str = setting("", or_empty(Output(suffixes=(".onnx",)), "no export"))
    """Also export the network there (of a run: its champion) to this file, as ONNX."""
