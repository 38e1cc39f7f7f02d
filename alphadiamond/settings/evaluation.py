"""What `evaluate` can be told; it stands here because whatever names the arena waits for the compiler."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from alphadiamond.settings.cluster import ENGINE, RaySettings
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import A_FILE, OUTPUT_DIRECTORY, unwritable
from alphadiamond.settings.players import A_PLAYER, PLAYERS, PlayerSpec
from alphadiamond.settings.ranges import SECONDS, SEED, Number, between, each, maybe, one_of, or_empty, setting

CLASSICAL: Final = ["random", "greedy", "minimax:depth=2", "minimax:depth=4", "mcts:simulations=1000"]
_ERROR_RATE: Final = Number(0, 0.5, open_low=True, open_high=True)


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
