"""The fuzzy player: its sets, its measures, its rules and its paths."""

import itertools
from collections import deque

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.games.diamond_chase import Move, Position
from alphadiamond.games.diamond_chase.board import EDGES, NEIGHBOURS, NODE_IDS, NODES
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.players import fuzzy, fuzzy_sets
from alphadiamond.games.diamond_chase.players.fuzzy_sets import Membership, aggression, defence, membership
from alphadiamond.games.diamond_chase.players.paths import find_path, heuristic
from tests.agents.positions import middle_game


def breadth_first(start: int, goal: int, occupied: int) -> int | None:
    """The fewest steps over free nodes."""
    steps, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for neighbour in NEIGHBOURS[node]:
            if neighbour not in steps and not occupied >> neighbour & 1:
                steps[neighbour] = steps[node] + 1
                waiting.append(neighbour)
    return steps.get(goal)


def test_a_path_is_a_shortest_one_over_free_nodes() -> None:
    rng = np.random.default_rng(1)
    blocked = 0
    for _ in range(40):
        occupied = sum(1 << int(node) for node in rng.permutation(NODES)[: rng.integers(0, 13)])
        for start in range(NODES):
            for goal in range(NODES):
                path = find_path(start, goal, occupied & ~(1 << start))
                steps = breadth_first(start, goal, occupied & ~(1 << start))
                if steps is None:
                    blocked += 1
                    assert path == []
                    continue
                assert (path[0], path[-1], len(path) - 1) == (start, goal, steps)
                assert all(b in NEIGHBOURS[a] for a, b in itertools.pairwise(path))
                assert not any(occupied >> node & 1 for node in path[1:])
    assert blocked > 100


def test_the_heuristic_never_overstates_a_step() -> None:
    assert all(heuristic(a, b) <= 1 for a, b in EDGES)
    for goal in range(NODES):
        for a, b in EDGES:
            assert heuristic(a, goal) <= 1 + heuristic(b, goal)


def test_memberships_add_up_to_one_and_peak_where_they_should() -> None:
    assert membership(0.0, 0.2, 0.5, 0.8) == Membership(1, 0, 0)
    assert membership(0.2, 0.2, 0.5, 0.8) == Membership(1, 0, 0)
    assert membership(0.5, 0.2, 0.5, 0.8) == Membership(0, 1, 0)
    assert membership(0.8, 0.2, 0.5, 0.8) == Membership(0, 0, 1)
    assert membership(1.0, 0.2, 0.5, 0.8) == Membership(0, 0, 1)
    assert membership(0.35, 0.2, 0.5, 0.8) == pytest.approx((0.5, 0.5, 0))
    assert membership(0.7, *fuzzy_sets.LEVELS) == pytest.approx((0, 0.4, 0.6))  # the original's example
    for value in np.linspace(-0.5, 1.5, 41):
        assert sum(membership(float(value), 0.1, 0.4, 0.9)) == pytest.approx(1)


def test_aggression_and_defence_follow_the_beads() -> None:
    assert (aggression(4, 0), aggression(0, 4), defence(0, 4), defence(4, 0)) == (0, 1, 1, 0)
    assert aggression(2, 4) == pytest.approx(0.9)  # (0.5 - 0.3) * 3, and 0.3 for being behind
    assert aggression(1, 3) == pytest.approx(0.4)
    assert aggression(6, 6) == 1
    assert defence(6, 4) == pytest.approx(1 / 3)
    assert defence(6, 6) == defence(4, 6) == 1
    assert defence(6, 3) == 0


def test_the_rules_weigh_traps_and_freedom() -> None:
    none, full = Membership(1, 0, 0), Membership(0, 0, 1)

    def score(bold: Membership, careful: Membership, risk: float = 0.0) -> float:
        return fuzzy_sets.desirability(trap=1.0, free=0.0, risk=risk, bold=bold, careful=careful)

    assert score(full, none) == pytest.approx(0.6)
    assert score(none, full) == pytest.approx(0.3)
    assert score(none, none) == pytest.approx(0.5)
    assert score(full, full) == pytest.approx(0.45)
    assert score(none, none, risk=0.7) == pytest.approx(0.15)


def test_mobility_traps_and_danger_are_shares_of_the_neighbours() -> None:
    own, opp = 1 << NODE_IDS["c"], 1 << NODE_IDS["cn"] | 1 << NODE_IDS["ce"]
    centre = NODE_IDS["c"]
    assert fuzzy_sets.mobility(centre, own | opp) == 0.5
    assert fuzzy_sets.trap_potential(centre, opp) == 0.5
    assert fuzzy_sets.danger(centre, own, opp) == 0.5
    assert fuzzy_sets.danger(centre, own | opp, 0) == 0  # among friends


def test_a_way_to_a_trap_is_worth_more_than_a_blocked_one() -> None:
    # Red's bead on n has one free neighbour left, ni; a green bead on cn can go there, one on the far side cannot
    # when the way is closed.
    red = sum(1 << NODE_IDS[name] for name in ("n", "wi", "ei", "cs"))
    green = sum(1 << NODE_IDS[name] for name in ("nw", "ne", "cn"))
    assert fuzzy.strategic_value(NODE_IDS["ni"], green & ~(1 << NODE_IDS["cn"]), red) == 1 + 3
    near = fuzzy.reach(NODE_IDS["cn"], green, red)
    shut = fuzzy.reach(NODE_IDS["w"], green | 1 << NODE_IDS["w"] | 1 << NODE_IDS["wn"] | 1 << NODE_IDS["ws"], red)
    assert near >= 3
    assert fuzzy.strategic_value(NODE_IDS["cw"], 0, red | sum(1 << NODE_IDS[n] for n in ("c", "cn"))) == 0 - 2
    assert shut == 0


def test_the_rules_and_the_paths_change_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    positions = [middle_game(rng) for _ in range(40)]

    def chosen() -> list[Move]:
        return [make_agent("fuzzy", seed=1, game=GAME).choose(position) for position in positions]

    usual = chosen()
    with monkeypatch.context() as patch:
        patch.setattr(fuzzy, "reach", lambda *_: 0.0)
        assert chosen() != usual
    with monkeypatch.context() as patch:
        patch.setattr(fuzzy_sets, "desirability", lambda **_: 0.0)
        assert chosen() != usual
    assert chosen() == usual


def test_a_move_that_brings_a_position_back_earns_half_the_bonus() -> None:
    position = Position.start()
    for move in ("ws-wi", "en-ei", "wi-ws", "ei-en"):
        position = position.play(move)
    back = position.play("ws-wi")
    fresh = Position(back.own, back.opp, back.side, back.quiet)
    assert back.occurrences == 2
    assert fuzzy.bonus(back, NODE_IDS["wi"]) == pytest.approx(0.5 * fuzzy.bonus(fresh, NODE_IDS["wi"]))
