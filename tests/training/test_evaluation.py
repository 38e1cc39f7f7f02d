"""What games against the baselines say, with workers whose results are made up."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from alphadiamond.arena.pairs import Pairing
from alphadiamond.arena.sequential import elo_of, score_interval
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.training.evaluation import BaselineResult, play_baselines
from alphadiamond.training.settings import EvaluationSettings, PitSettings
from alphadiamond.training.worker import Side
from alphadiamond.training.workers import InlineWorkers

CHAMPION: Any = {"weights": np.zeros(1)}


class Scripted(InlineWorkers):
    """Matches whose results are given by the second player's name."""

    def __init__(self, scores: dict[str, list[float]]) -> None:
        self.scores = scores
        self.starts: list[list[Pairing]] = []

    def pit(self, first: Side, second: Side, pairings: Sequence[Pairing], settings: PitSettings) -> list[float]:
        assert first is CHAMPION, "scores are the first one's"
        assert isinstance(second, str)
        assert settings.simulations == 7
        self.starts.append(list(pairings))
        return self.scores[second]


def test_each_baseline_is_met_from_the_same_starts_and_its_pairs_are_counted() -> None:
    workers = Scripted({"weak": [2, 1.5, 2, 1, 0.5, 2], "strong": [0, 0.5, 0, 1, 1.5, 0]})
    settings = EvaluationSettings(baselines=["weak", "strong"], pairs=6, pit=PitSettings(simulations=7))
    weak, strong = play_baselines(workers, CHAMPION, settings, np.random.default_rng(1), game=GAME)
    assert workers.starts[0] == workers.starts[1]
    assert len(workers.starts[0]) == 6
    assert (weak.baseline, weak.wins, weak.losses, weak.pairs, weak.score) == ("weak", 4, 1, 6, 0.75)
    assert (strong.baseline, strong.wins, strong.losses, strong.pairs, strong.score) == ("strong", 1, 4, 6, 0.25)
    assert weak.interval == score_interval([0, 1, 1, 1, 3])
    assert strong.interval == score_interval([3, 1, 1, 1, 0])
    assert weak.elo == tuple(elo_of(score) for score in (0.75, *weak.interval))


def test_an_elo_that_cannot_be_drawn_is_cut() -> None:
    result = BaselineResult("random", 1.0, (0.9, 1.0), wins=5, losses=0, pairs=5)
    assert result.elo == pytest.approx((1000, elo_of(0.9), 1000))
