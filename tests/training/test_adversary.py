"""The hunt for what a network's strategy can be led into."""

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.base.game_kernels import after_moves, all_replies
from alphadiamond.base.results import LOSS, ONGOING, WIN
from alphadiamond.games import load
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.training import adversary
from alphadiamond.training.adversary import hunt
from tests.training.small import Careless, beads

States = npt.NDArray[np.int64]


def next_own(states: States) -> tuple[States, npt.NDArray[np.bool_]]:
    """Everything that can come up after one move of `Careless`, and whether each line is lost there by the rules."""
    after, own = after_moves(GAME.rules, states, Careless()(states)[0].argmax(axis=1).astype(np.int16))
    _, _, replies, statuses = all_replies(GAME.rules, after)
    lost = np.append(statuses[statuses != ONGOING] == LOSS, (own == WIN).any())
    return replies[statuses == ONGOING], lost


def seen(states: States) -> set[int]:
    return set(adversary._keys(GAME, states).tolist())


def found(plies: int, seeds: int) -> list[States]:
    return [hunt(Careless(), np.random.default_rng(seed), game=GAME, plies=plies) for seed in range(seeds)]


def test_what_is_found_can_come_up_against_the_networks_first_choice() -> None:
    start = GAME.states_of([GAME.start()])
    levels = [np.concatenate([start, all_replies(GAME.rules, start)[2]])]
    for _ in range(4):
        levels.append(next_own(levels[-1])[0])
    everything = set[int]().union(*(seen(level) for level in levels))
    hunted = np.concatenate(found(plies=4, seeds=3))
    assert len(hunted) > 0
    assert seen(hunted) <= everything


def test_the_network_falls_soon_after_each_of_them() -> None:
    """Of the last four that seemed to hold, the first is four moves from one that is called lost."""
    hunted = np.concatenate(found(plies=5, seeds=2))
    assert (beads(hunted) == 6).all(), "positions that are called lost are no starts"
    for state in hunted:
        level, fallen = state[None], False
        for _ in range(adversary._BEFORE):
            level, lost = next_own(level)
            fallen = fallen or bool(lost.any()) or bool((beads(level) < 6).any())
        assert fallen, GAME.position_of(state)


def test_the_starts_of_a_line_are_its_last_positions_that_seemed_to_hold() -> None:
    chances = ([0.1], [0.2], [0.1, 0.3], [0.1], [0.1], [0.4, 0.6], [0.8])
    parents = ([0], [0], [0, 0], [1], [0], [0, 0], [1])
    lines = [
        adversary._Ply(np.zeros((len(loss), 4), dtype=np.int64), np.array(loss, dtype=np.float32), np.array(before))
        for loss, before in zip(chances, parents, strict=True)
    ]
    assert adversary._before(lines, 0) == [(4, 0), (3, 0), (2, 1), (1, 0)]
    assert adversary._before(lines[:2], 0) == [(1, 0), (0, 0)]


def test_both_sides_are_hunted() -> None:
    """The first side from the start, the other from all five positions after a first move."""
    first: set[int] = set()
    for seed in range(8):
        asked: list[int] = []

        def evaluator(
            states: States, asked: list[int] = asked
        ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
            asked.append(len(states))
            return Careless()(states)

        hunt(evaluator, np.random.default_rng(seed), game=GAME, plies=1)
        first.add(asked[0])
    assert first == {1, 5}


def test_no_position_is_found_twice_in_a_hunt_and_all_go_on_without_history() -> None:
    for hunted in found(plies=8, seeds=4):
        assert len(hunted) > 0
        assert len(seen(hunted)) == len(hunted)
        assert (hunted == GAME.bare(hunted)).all()
        assert (GAME.expand(hunted, np.full(len(hunted), -1, dtype=np.int16))[3] == ONGOING).all()


def test_a_network_that_holds_everything_is_not_said_to_fall() -> None:
    """In three moves nobody can have lost by the rules."""

    def even(states: States) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        return Careless()(states)[0], np.full((len(states), 3), 1 / 3, dtype=np.float32)

    assert len(hunt(even, np.random.default_rng(1), game=GAME, plies=3)) == 0


def test_where_there_are_many_those_nearest_to_a_loss_are_followed() -> None:
    rng = np.random.default_rng(1)
    loss = rng.random(5_000).astype(np.float32)
    kept = adversary._kept(loss, rng)
    assert len(kept) == len(set(kept.tolist())) == adversary.KEPT
    assert loss[kept].max() < adversary._FALLEN
    nearest = np.sort(loss[loss < adversary._FALLEN])[-adversary.KEPT // 2 :]
    assert set(nearest.tolist()) <= set(loss[kept].tolist())
    assert loss[kept].min() < 0.1, "others too"


@pytest.mark.parametrize("name", ["connect_four", "dame", "labyrinth"])
def test_every_game_can_be_hunted_in(name: str) -> None:
    game = load(name)
    model = build_model(ModelConfig(kind="mlp", width=8, blocks=1, value_width=8), game, seed=1)
    evaluator = Evaluator(model, device="cpu", threads=1)
    hunted = hunt(evaluator, np.random.default_rng(2), game=game, plies=30)
    assert hunted.shape[1] == game.state_size
    assert (game.expand(hunted, np.full(len(hunted), -1, dtype=np.int16))[3] == ONGOING).all()
