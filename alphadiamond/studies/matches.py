"""Matches between networks: pairs of games from the same starts, and how sure their score is."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphadiamond.agents.network_player import NetworkPlayer
from alphadiamond.arena.pairs import Pairing, count_pairs, play_pairs
from alphadiamond.arena.sequential import score_interval
from alphadiamond.console import progress

_BATCH = 50  # pairs between two looks at the progress bar


@dataclass(frozen=True)
class Match:
    score: float
    """What the first side scored, of 1."""
    interval: tuple[float, float]
    """Of 95 %."""
    pairs: list[int]
    """How many pairs gave 0, 0.5, 1, 1.5 and 2 points."""

    @property
    def cells(self) -> tuple[str, str, str]:
        """Score, interval, and pairs won, even and lost, for a table."""
        low, high = self.interval
        won, even, lost = sum(self.pairs[3:]), self.pairs[2], sum(self.pairs[:2])
        return f"{self.score:.3f}", f"{low:.3f} to {high:.3f}", f"{won}, {even}, {lost}"


def play_match(one: NetworkPlayer, two: NetworkPlayer, pairings: Sequence[Pairing], name: str) -> Match:
    scores: list[float] = []
    with progress(name, len(pairings)) as update:
        for at in range(0, len(pairings), _BATCH):
            scores += play_pairs(one, two, pairings[at : at + _BATCH])
            update(len(scores), "")
    counts = count_pairs(scores)
    return Match(sum(scores) / (2 * len(scores)), score_interval(counts), counts)
