"""The solver, proved completely on small layers."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.diamond_chase.board import NODE_NAMES
from alphadiamond.games.diamond_chase.kernels import image_of
from alphadiamond.games.diamond_chase.solver import Layer, TablebaseError, index_kernels, kernels, retrograde
from alphadiamond.games.diamond_chase.solver.layer_file import map_layer
from alphadiamond.games.diamond_chase.solver.proof import prove
from alphadiamond.games.diamond_chase.solver.summary import layer_summary, longest_quiet, summarise
from tests.games.diamond_chase import reference
from tests.games.diamond_chase.solver import plain
from tests.solutions import SMALL, Table


def result_of(code: int) -> plain.Result:
    if code == kernels.DRAWN:
        return 0, 0
    return (-1, code - kernels.LOST) if code > kernels.LOST else (1, code)


def plain_board(own: int, opp: int) -> plain.Board:
    """The same position in the plain solver's order of nodes."""

    def moved(mask: int) -> int:
        return sum(1 << reference.NODES.index(NODE_NAMES[node]) for node in range(21) if mask >> node & 1)

    return moved(own), moved(opp)


def package_board(own: int, opp: int) -> tuple[int, int]:
    def moved(mask: int) -> int:
        return sum(1 << NODE_NAMES.index(reference.NODES[node]) for node in range(21) if mask >> node & 1)

    return moved(own), moved(opp)


def test_small_layers_are_proved_completely(small_table: Table) -> None:
    assert prove(small_table, SMALL) == 11_850_356


@pytest.mark.parametrize("layer", SMALL, ids=lambda layer: layer.name)
def test_one_wrong_entry_is_found_by_the_proof(small_table: Table, layer: Layer) -> None:
    rng = np.random.default_rng(2)
    table = small_table.copy()
    for wrong in (kernels.DRAWN, 7, kernels.LOST + 7, kernels.UNSTABLE):
        while table[layer.base + (index := int(rng.integers(layer.entries)))] in (wrong, kernels.UNSTABLE):
            pass
        right, table[layer.base + index] = table[layer.base + index], wrong
        start = max(0, index - 1000)  # what comes before it may disagree now too, if it can move there
        found = kernels.first_disagreement(table, layer.own, layer.opp, start, index + 1)
        assert start <= found <= index
        table[layer.base + index] = right
    table[layer.base + index] = wrong
    with pytest.raises(TablebaseError, match=f"layer {layer.name}, entry "):
        prove(table, (layer,))


def test_results_agree_with_a_plain_search_of_four_plies(small_table: Table) -> None:
    rng = np.random.default_rng(3)
    seen = set()
    for layer in SMALL:
        codes = small_table[layer.slice]
        for distance in range(6):
            for lost in (0, kernels.LOST) if distance else (0,):
                entries = np.flatnonzero(codes == lost + distance)
                for index in rng.choice(entries, size=min(3, len(entries)), replace=False):
                    own, opp = index_kernels.position_at(layer.own, layer.opp, index)
                    expected = result_of(int(codes[index])) if 0 < distance <= 4 else None
                    assert plain.search(*plain_board(int(own), int(opp)), 4) == expected
                    seen.add((layer, lost, distance))
    assert len(seen) >= 25  # not every distance occurs


@pytest.mark.slow
def test_the_whole_layer_of_4_against_4_agrees_with_plain_value_iteration(small_table: Table) -> None:
    results = plain.solve_four_against_four()
    layer = Layer(4, 4)
    for board, result in results.items():
        index = index_kernels.index_in_layer(*package_board(*board))
        assert result_of(int(small_table[layer.base + index])) == result, board
    assert len(results) > 1_500_000


def test_entries_that_are_images_of_each_other_are_equal(small_table: Table) -> None:
    checked = 0
    for layer in SMALL:
        first = int(index_kernels.FIRST_CLASS[layer.own - 4])
        for number in range(layer.classes):
            kept = int(index_kernels.CLASS_KEPT[first + number])
            if kept == 1 or number % 7:
                continue
            for place in range(0, layer.placements, 11):
                index = number * layer.placements + place
                own, opp = index_kernels.position_at(layer.own, layer.opp, index)
                for symmetry in (s for s in range(8) if kept >> s & 1):
                    opp_image = image_of(opp, symmetry)
                    twin = number * layer.placements + index_kernels.rank_of(index_kernels.squeeze(opp_image, own))
                    assert small_table[layer.base + index] == small_table[layer.base + twin]
                    checked += 1
    assert checked > 10_000


def test_the_number_of_threads_does_not_matter(small_table: Table) -> None:
    layer = Layer(4, 4)
    for threads in (1, 5):
        table = retrograde.empty_table()
        with ThreadPool(threads) as pool:
            longest = retrograde.solve_pair(table, (layer,), pool, lambda done, note: None)
        assert longest == 23
        assert (table[layer.slice] == small_table[layer.slice]).all()


def test_positions_are_counted_over_all_placements_that_are_stable(small_table: Table) -> None:
    rng = np.random.default_rng(4)
    summary = layer_summary(small_table, Layer(4, 4), quiet=0)
    assert summary.positions == summary.win + summary.draw + summary.loss == 12_460_036
    # The share of stable placements once more, by throwing beads on the board.
    thrown = np.array([rng.permutation(21)[:8] for _ in range(20_000)])
    own, opp = (1 << thrown[:, :4]).sum(axis=1), (1 << thrown[:, 4:]).sum(axis=1)
    stable = np.mean([not plain.trapped(*pair) and not plain.trapped(*pair[::-1]) for pair in map_boards(own, opp)])
    assert summary.positions / (5985 * 2380) == pytest.approx(stable, abs=0.01)
    assert (summary.longest, summary.longest_win) == (23, 23)


def map_boards(own: npt.NDArray[np.int64], opp: npt.NDArray[np.int64]) -> list[plain.Board]:
    return [plain_board(int(a), int(b)) for a, b in zip(own, opp, strict=True)]


def test_the_longest_quiet_run_is_found_by_following_fastest_wins(small_table: Table) -> None:
    with ThreadPool() as pool:
        quiet = longest_quiet(small_table, (Layer(4, 4),), pool)
    # In 4 against 4 every capture of the opponent's ends the game, so a fastest win of n plies has n - 1 quiet ones,
    # unless the loser gives a bead away sooner and loses at once.
    assert quiet == {Layer(4, 4): 22}


def test_a_stopped_run_goes_on_at_the_layer_it_was_at(
    small_table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = retrograde.pairs()[:2]
    solved = []

    def stop_at_second(table: Table, pair: tuple[Layer, ...], *rest: object) -> int:
        if pair == second:
            raise KeyboardInterrupt
        solved.append(pair)
        table[pair[0].slice] = small_table[pair[0].slice]
        return 0

    def note_and_fill(table: Table, pair: tuple[Layer, ...], *rest: object) -> int:
        solved.append(pair)
        if pair == second:
            assert (table[Layer(4, 4).slice] == small_table[Layer(4, 4).slice]).all()
        for layer in pair:
            table[layer.slice] = small_table[layer.slice]
        return 0

    monkeypatch.setattr(retrograde, "pairs", lambda: [first, second])
    monkeypatch.setattr(retrograde, "solve_pair", stop_at_second)
    with pytest.raises(KeyboardInterrupt):
        retrograde.solve(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["4v4.layer"]
    monkeypatch.setattr(retrograde, "solve_pair", note_and_fill)
    retrograde.solve(tmp_path)
    assert solved == [first, second]
    retrograde.solve(tmp_path)
    assert solved == [first, second], "nothing is left to do"
    assert (map_layer(tmp_path, Layer(4, 5)) == small_table[Layer(4, 5).slice]).all()
    retrograde.solve(tmp_path, resume=False)
    assert solved == [first, second, first, second]


@pytest.mark.slow
def test_the_whole_game_is_solved_and_proved(whole_directory: Path) -> None:
    table = retrograde.load_table(whole_directory)
    assert prove(table) == 120_648_318
    summary = summarise(table)
    assert summary.start_value == 0
    assert summary.longest_quiet < summary.quiet_limit
    assert sum(layer.positions for layer in summary.layers) == 495_895_174
    by_beads = {(layer.own, layer.opp): layer for layer in summary.layers}
    for (own, opp), layer in by_beads.items():
        assert layer.positions == by_beads[opp, own].positions
