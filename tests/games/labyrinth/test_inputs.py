"""What a network sees of a maze is worked out from the rules alone, and fits boards of other sizes."""

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond.base.game_kernels import encode_states
from alphadiamond.base.start_seeds import Purpose
from alphadiamond.games import check_game
from alphadiamond.games.labyrinth import Position
from alphadiamond.games.labyrinth.game import GAME, Labyrinth
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.position import state_of
from alphadiamond.games.labyrinth.rules import GLOBALS, PLANES, PLIES_LEFT, RUNNERS, TOTALS
from alphadiamond.games.labyrinth.sizes import LABYRINTH_7, LABYRINTH_11
from tests.games.labyrinth.test_rules import FIRST

SIZES = (GAME, LABYRINTH_7, LABYRINTH_11)


def seen(game: Labyrinth, state: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Planes [P, rows, columns] and what is of the whole position."""
    (row,) = encode_states(game.rules, state[None])
    return row[: PLANES * game.shape.nodes].reshape(PLANES, game.size, game.size), row[PLANES * game.shape.nodes :]


def tight(whole: npt.NDArray[np.float32]) -> bool:
    """Whether a runner may come too late for his cheapest way home."""
    return bool(min(whole[7], whole[8]) < 0.39)


def states_of(game: Labyrinth, count: int) -> list[npt.NDArray[np.int64]]:
    rng = np.random.default_rng(7)
    return [game.random_start(rng) for _ in range(count)]


@pytest.mark.parametrize("game", SIZES, ids=lambda game: game.name)
def test_costs_home_are_those_of_the_cheapest_ways(game: Labyrinth) -> None:
    last = game.shape.nodes - 1
    for state in states_of(game, 24):
        planes, whole = seen(game, state)
        if tight(whole):
            continue
        mover = int(game.rules.deadline - state[PLIES_LEFT]) % 2
        turn = (lambda cell: last - cell) if mover else (lambda cell: cell)
        own, opp = int(state[6 + mover]), int(state[7 - mover])
        paid = cheapest_ways(state, (int(state[6]), int(state[7])), (last, 0), game.size)
        for plane, cell, cost in ((7, own, paid[mover]), (8, opp, paid[1 - mover])):
            at_home = cell == (last if plane == 7 else 0) if not mover else cell == (0 if plane == 7 else last)
            if not at_home:
                assert planes[plane].ravel()[turn(cell)] == pytest.approx(cost / 200)
        margin = state[9 - mover] - state[8 + mover] + paid[1 - mover] - paid[mover]
        assert whole[5] == pytest.approx(np.clip(margin / 20, -1, 1))


def test_the_cheapest_way_on_costs_nothing_more_and_every_other_step_does() -> None:
    for state in states_of(GAME, 30):
        position = GAME.position_of(state)
        side = position.side
        if position.at_home(side) or position.cells[0] == position.cells[1]:
            continue
        planes, whole = seen(GAME, state)
        if tight(whole):
            continue
        here, costs = state_of(position), {}
        best = cheapest_ways(here, position.cells, (80, 0), 9)[side]
        for move in position.moves():
            after = position.play(move)
            if after.cells[side] == position.cells[side.other] and not after.at_home(side):
                continue  # they bump, which no lonely way knows of
            rest = 0 if after.at_home(side) else cheapest_ways(state_of(after), after.cells, (80, 0), 9)[side]
            more = after.totals[side] - position.totals[side] + rest - best
            cell = after.cells[side] if side == 0 else 80 - after.cells[side]
            costs[str(move)] = (more, float(planes[9].ravel()[cell]))
        for more, told in costs.values():
            assert told == pytest.approx(np.clip(more / 50, 0, 1))


def alone_with(game: Labyrinth, state: npt.NDArray[np.int64], runner: int) -> npt.NDArray[np.int64]:
    """The same position with the other runner at home, which leaves one runner and the deadline."""
    state = state.copy()
    state[RUNNERS + 1 - runner] = 0 if runner == 0 else game.shape.nodes - 1
    return state


@pytest.mark.parametrize("game", SIZES, ids=lambda game: game.name)
def test_a_runner_without_an_opponent_pays_what_the_inputs_say_late_or_not(game: Labyrinth) -> None:
    late = 0
    for state in states_of(game, 40):
        mover = int(game.rules.deadline - state[PLIES_LEFT]) % 2
        state = alone_with(game, state, mover)
        state[TOTALS + 1 - mover] += 2 - int(game.solution().margins(state[None])[0])
        _, whole = seen(game, state)
        assert whole[9] == whole[10] == pytest.approx(2 / 4), "a margin of 2, by the exact solution"
        late += whole[7] < 0
    assert late > 1, "some cannot be home in time"


def test_who_comes_second_to_a_power_up_goes_without_it() -> None:
    rows = ["........."] + [".########"] * 3 + ["..P......"] + ["########."] * 3 + ["........."]
    position = Position.parse(f"{'/'.join(rows)} a4 i6 60 60 40 a")
    planes, whole = seen(GAME, state_of(position))
    expected = cheapest_ways(state_of(position), position.cells, (80, 0), 9)
    assert whole[9] == pytest.approx(np.clip((expected[1] - expected[0]) / 4, -1, 1))
    assert whole[11] == pytest.approx(np.clip((expected[1] + 20 - expected[0]) / 20, -1, 1)), "the mover takes it"
    assert planes[13].ravel()[4 * 9 + 2] == 0


def test_steps_say_who_is_nearer() -> None:
    planes, whole = seen(GAME, state_of(Position.parse(f"{FIRST} g6 g7 196 148 19 b")))
    turned = 80 - (6 * 9 + 6)
    assert planes[3].ravel()[turned] == 1
    assert planes[11].ravel()[turned] == 0
    assert planes[12].ravel()[turned] == pytest.approx(1 / 8), "the other is one step away"
    assert planes[12].ravel()[80 - (5 * 9 + 6)] == pytest.approx(-1 / 8)
    assert len(whole) == GLOBALS


@pytest.mark.parametrize("game", SIZES, ids=lambda game: game.name)
def test_a_random_start_is_a_position_in_which_the_end_is_open(game: Labyrinth) -> None:
    found = states_of(game, 60)
    margins = []
    for state in found:
        position = game.position_of(state)  # which refuses totals and cells that cannot be
        assert position.outcome is None
        paid = cheapest_ways(state, position.cells, (game.shape.nodes - 1, 0), game.size)
        margins.append(abs(state[TOTALS + 1] - state[TOTALS] + paid[1] - paid[0]))
    assert np.mean(np.array(margins) <= 48) > 0.9
    assert len({int(state[PLIES_LEFT]) for state in found}) > 15, "from anywhere in the game"


def test_so_many_boards_and_no_more_are_drawn_when_that_is_asked_for() -> None:
    rng = np.random.default_rng(1)
    for draw in (lambda: GAME.random_start(rng, 3), lambda: GAME.short_opening(rng, 4, 3)):
        mazes = {tuple(draw()[:4]) for _ in range(40)}
        assert mazes <= {tuple(state_of(GAME.start(seed))[:4]) for seed in Purpose.TRAINING.seeds[:3]}
        assert len(mazes) == 3


@pytest.mark.slow
@pytest.mark.parametrize("game", [LABYRINTH_7, LABYRINTH_11], ids=lambda game: game.name)
def test_other_sizes_hold_to_the_contract(game: Labyrinth) -> None:
    check_game(game)
