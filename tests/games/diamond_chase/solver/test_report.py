"""What is told about the solution."""

import numpy as np
import pytest

from alphadiamond.base.game import ILLEGAL
from alphadiamond.base.solver.report import best_line
from alphadiamond.games.diamond_chase import GameRecord, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import legal_masks
from alphadiamond.games.diamond_chase.solver import Layer, Tablebase
from alphadiamond.games.diamond_chase.solver.report import stakes
from alphadiamond.games.diamond_chase.solver.summary import layer_summary
from tests.games.diamond_chase.samples import random_masks
from tests.solutions import Table


def test_a_longest_game_takes_as_long_as_it_must(small_table: Table, small_tablebase: Tablebase) -> None:
    summary = layer_summary(small_table, Layer(5, 4), quiet=0)
    assert summary.longest_win_position is not None
    start = Position.parse(summary.longest_win_position)
    record = GAME.record(start, best_line(GAME, small_tablebase, start), players=("perfect", "perfect"))
    assert len(record.moves) == summary.longest_win == 81
    assert record.result == str(start.side)
    assert record.ending == "beads"
    left = [small_tablebase.probe(position).distance for position in record.positions()]
    assert left == list(range(81, -1, -1))
    assert GameRecord.parse(str(record)) == record


@pytest.mark.parametrize("layer", [Layer(4, 4), Layer(4, 5)], ids=lambda layer: layer.name)
def test_the_share_of_wrong_moves_agrees_with_a_sample(
    small_table: Table, small_tablebase: Tablebase, layer: Layer
) -> None:
    rng = np.random.default_rng(9)
    boards = np.array([random_masks(rng, layer.own, layer.opp) for _ in range(6000)], dtype=np.int32)
    own, opp = boards[:, 0], boards[:, 1]
    values, _ = small_tablebase.probe_batch(own, opp)
    actions, _ = small_tablebase.probe_actions(own, opp)
    wrong = (actions != ILLEGAL) & (actions < values[:, None])
    legal = legal_masks(own, opp).sum(axis=1)
    found = stakes(small_table, (layer,))
    summary = layer_summary(small_table, layer, quiet=0)
    for value, count in ((1, summary.win), (0, summary.draw)):
        here = values == value
        mistakes = found[layer, value]
        assert mistakes.positions == count
        assert mistakes.wrong == pytest.approx(np.mean(wrong[here].sum(axis=1) / legal[here]), abs=0.04)
        assert mistakes.at_stake == pytest.approx(np.mean(wrong[here].any(axis=1)), abs=0.04)
        only = (wrong[here].sum(axis=1) == legal[here] - 1) & (legal[here] > 1)
        assert mistakes.only_move == pytest.approx(np.mean(only), abs=0.06)


def test_positions_of_a_summary_are_green_to_move(small_table: Table) -> None:
    summary = layer_summary(small_table, Layer(4, 4), quiet=0)
    assert Position.parse(str(summary.longest_win_position)).side is Side.GREEN
