"""Searches by pairs of games, networks beside their searches, and engines side by side."""

import json
from pathlib import Path

import pytest

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, ModelConfig, build_model, load_checkpoint, save_checkpoint
from alphadiamond.search import SearchSettings
from alphadiamond.settings import check
from alphadiamond.studies import engines, gain, searches
from alphadiamond.studies.positions import random_states
from alphadiamond.studies.settings import CompareEnginesSettings, CompareSearchesSettings, SearchGainSettings


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("network") / "net.safetensors"
    save_checkpoint(path, build_model(ModelConfig(width=3, blocks=1, value_width=8), seed=1, game=GAME), step=0)
    return str(path)


def test_searches_meet_by_pairs_for_each_number_of_simulations(tmp_path: Path, network: str) -> None:
    output = tmp_path / "searches.json"
    settings = CompareSearchesSettings(checkpoint=network, simulations=[2, 12], pairs=4, output=str(output))
    matches = searches.compare(settings)
    assert [match["simulations"] for match in matches] == [2, 12]
    figures = json.loads(output.read_text())
    assert figures["sides"] == ["gumbel", "puct"]
    for match in figures["matches"]:
        assert sum(match["pairs"]) == 4
        assert match["score"] == sum(points * count for points, count in enumerate(match["pairs"])) / 16
        assert match["interval"][0] <= match["score"] <= match["interval"][1]
    assert searches.compare(settings) == matches, "the same seed, the same games"


def test_a_search_is_as_strong_as_itself_and_sides_are_named_by_what_differs(tmp_path: Path, network: str) -> None:
    same = SearchSettings(method="puct")
    settings = CompareSearchesSettings(
        checkpoint=network, simulations=[6], pairs=3, one=same, other=same, output=str(tmp_path / "out.json")
    )
    assert searches.compare(settings)[0]["pairs"] == [0, 0, 3, 0, 0]
    other = SearchSettings(method="puct", c_puct=3.0)
    assert searches._names(same, other) == ["puct, c_puct=1.5", "puct, c_puct=3.0"]
    with pytest.raises(AlphaDiamondError, match="simulations"):
        check(CompareSearchesSettings(checkpoint=network, simulations=[]))
    with pytest.raises(AlphaDiamondError, match="no such checkpoint"):
        check(CompareSearchesSettings(checkpoint="nowhere"))


def test_a_network_is_held_against_its_search_in_positions_of_both_kinds(tmp_path: Path, network: str) -> None:
    output = tmp_path / "gain.json"
    settings = SearchGainSettings(checkpoints=[network], simulations=12, positions=150, output=str(output))
    found = gain.study(settings)
    assert set(found[network]) == {"of its own games", "from anywhere"}
    for one in found[network].values():
        assert one.same_move.count == 150
        assert 0 < one.same_move.right < 150, "a network that has learnt nothing is sometimes right by chance"
        assert 0 < one.difference < 2
    figures = json.loads(output.read_text())["networks"][network]
    assert figures["from anywhere"]["difference"] == found[network]["from anywhere"].difference
    assert gain.study(settings) == found, "the same seed, the same positions"


def test_a_short_search_changes_few_minds_and_a_longer_one_more(network: str) -> None:
    """One simulation looks at the likeliest move alone, and gives it up only where it loses at once."""
    evaluator, states = Evaluator(load_checkpoint(network).model, threads=1), random_states(100, 1, game=GAME)
    once, often = (gain.gain(evaluator, load("diamond_chase"), states, simulations) for simulations in (1, 40))
    assert often.same_move.right < 80 < 90 < once.same_move.right
    assert once.difference < often.difference


def test_engines_say_the_same_and_each_is_timed(tmp_path: Path, network: str) -> None:
    output = tmp_path / "engines.json"
    settings = CompareEnginesSettings(checkpoint=network, batches=[1, 5], repeats=1, positions=10, output=str(output))
    rows = engines.compare(settings)
    assert [row["batch"] for row in rows] == [1, 5]
    names = {"torch, as trained", "torch, laid out", "compiled, in the basis"}
    for row in json.loads(output.read_text())["rows"]:
        assert names <= set(row["speeds"]) <= names | {"ONNX Runtime"}
        assert all(speed > 0 for speed in row["speeds"].values())
        assert all(difference < 1e-4 for difference in row["differences"].values())


def test_an_engine_that_says_something_else_is_noticed(network: str) -> None:
    model = build_model(ModelConfig(width=3, blocks=1, value_width=8), seed=1, game=GAME)
    ways = engines.engines_of(model)
    honest = ways["torch, laid out"]
    ways["wrong"] = lambda states: (honest(states)[0] + 1, honest(states)[1])
    row = engines._row(ways, 3, CompareEnginesSettings(repeats=1, positions=3))
    assert row["differences"]["wrong"] == pytest.approx(1, abs=1e-4)  # type: ignore[index]


def test_other_kinds_of_networks_have_no_engine_in_the_basis() -> None:
    ways = engines.engines_of(build_model(ModelConfig(kind="mlp", width=8, blocks=1), seed=1, game=GAME))
    assert "compiled, in the basis" not in ways


def test_random_positions_are_positions_and_the_same_for_the_same_seed() -> None:
    states = random_states(20, 4, game=GAME)
    assert states.shape == (20, 4)
    assert (states[:, 0] & states[:, 1] == 0).all()
    assert (random_states(20, 4, game=GAME) == states).all()
    assert (random_states(20, 5, game=GAME) != states).any()
