"""The search with a judge that is always right about values and knows nothing of moves."""

import numpy as np
import pytest

from alphadiamond.games.diamond_chase import kernels
from alphadiamond.games.diamond_chase.solver import Tablebase
from alphadiamond.search import SearchSettings, States, TreeSearch
from tests.search.evaluators import GAME, Judgement, roots_of, uniform_policy
from tests.solutions import small_position


@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_a_few_simulations_keep_the_value(small_tablebase: Tablebase, method: str) -> None:
    def judge(states: States) -> Judgement:
        values, _ = small_tablebase.probe_batch(states[:, 0], states[:, 1])
        return uniform_policy(states), np.eye(3, dtype=np.float32)[1 - values.astype(np.int64)]

    rng = np.random.default_rng(1)
    positions = [small_position(rng) for _ in range(600)]
    search = TreeSearch(GAME, SearchSettings(method=method, considered=24), games=len(positions), nodes=40)
    search.set_roots(range(len(positions)), *roots_of(positions), judge)
    search.run(judge, 32)
    own, opp = (np.array([getattr(position, side) for position in positions]) for side in ("own", "opp"))
    values, _ = small_tablebase.probe_actions(own, opp)
    legal = kernels.legal_masks(own, opp)
    best = np.where(legal, values, -2).max(axis=1)
    chosen = values[np.arange(len(positions)), search.roots().chosen_actions]
    at_stake = (np.where(legal, values, 2).min(axis=1) < best).sum()
    assert at_stake > 200
    assert (chosen == best).mean() > 0.99, "a mean over few simulations may still hide a good move"
