"""Lessons, advice, opponents and sounds: what the window says and plays, without a window."""

import numpy as np
import pytest

from alphadiamond.agents import players_of
from alphadiamond.client.synthesiser import SOUNDS, samples
from alphadiamond.client.theme import THEMES, theme_for
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.lessons import advice
from alphadiamond.play.opponents import Roster, opponents, title_of, titles_of


def test_the_coach_sees_a_capture_and_a_danger() -> None:
    assert advice(Position.parse("r/rr/./g.r/r.g..../g.g/./g./g g 0")) == "You can take a bead: look at cw"
    assert "Your move" in advice(Position.start())
    threatened = Position.parse("r/../r/r../g.r..../r.g/./.g/gg g 0".replace("/gg g", "/g g"))
    assert advice(threatened) == "Careful: w has only one way out"


def test_every_registered_player_is_an_opponent() -> None:
    specs = {level.spec.partition(":")[0] for opponent in opponents(game=GAME) for level in opponent.levels}
    assert specs == set(players_of(GAME))


def test_an_unavailable_opponent_gives_way_to_the_strongest_that_can_be_had() -> None:
    roster = Roster(game=GAME)
    first = roster.best()
    roster.faults[first] = "it is not here"
    second = roster.best()
    assert second != first
    assert roster.usable(first) == second
    assert roster.usable("random") == "random"


def test_checkpoint_and_device_reach_the_network_and_stay_out_of_its_name() -> None:
    assert title_of("neural:simulations=200,checkpoint=/a/b.safetensors,device=cpu") == "AlphaDiamond · b · Steady"
    assert title_of("mcts:simulations=9") == "Tree search · simulations 9"
    assert title_of("human") == "Person"


@pytest.mark.parametrize("name", SOUNDS)
def test_sounds_are_short_stereo_and_neither_silent_nor_clipped(name: str) -> None:
    wave = samples(name)
    assert wave.dtype == np.int16
    assert wave.shape[1] == 2
    assert len(wave) < 44_100 * 2.5
    assert 1_000 < np.abs(wave).max() < 32_767
    assert abs(int(wave[-1, 0])) < 400  # no click at the end


def luminance(colour: tuple[int, int, int]) -> float:
    channels = [value / 255 for value in colour]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: tuple[int, int, int], b: tuple[int, int, int]) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_on_every_background(name: str) -> None:
    theme = THEMES[name]
    for corner in theme.sky:
        assert contrast(theme.text, corner) >= 7
        assert contrast(theme.muted, corner) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_the_colour_blind_palette_differs_in_brightness(name: str) -> None:
    theme = theme_for(name, "colour-blind")
    assert contrast(theme.red, theme.green) >= 1.5


def test_two_networks_at_one_table_are_told_apart_by_their_run_or_file() -> None:
    shipped, first, second = (
        f"neural:simulations=50{more}" for more in ("", ",checkpoint=runs/a", ",checkpoint=runs/b")
    )
    assert (title_of(shipped), title_of(first)) == ("AlphaDiamond · Quick", "AlphaDiamond · a · Quick")
    assert titles_of((shipped, first)) == ("AlphaDiamond · Quick", "AlphaDiamond · a · Quick")
    assert titles_of((first, second), short=True) == ("AlphaDiamond · a", "AlphaDiamond · b")
    assert titles_of((first, first)) == ("AlphaDiamond · a · Quick", "AlphaDiamond · a · Quick")
    alike = ("neural:checkpoint=here/a", "neural:checkpoint=there/a")
    assert titles_of(alike) == ("AlphaDiamond · a · here/a", "AlphaDiamond · a · there/a")
    assert titles_of(("human", first)) == ("Person", "AlphaDiamond · a · Quick")
