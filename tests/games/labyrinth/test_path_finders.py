"""The path finders against a plain Dijkstra, and Huffman's codes."""

import heapq

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphadiamond.agents import make_agent
from alphadiamond.base import huffman
from alphadiamond.games.labyrinth import Maze, Position, Reason, Side
from alphadiamond.games.labyrinth.board import cells_of, contains
from alphadiamond.games.labyrinth.game import GAME
from alphadiamond.games.labyrinth.kernels import cheapest_ways
from alphadiamond.games.labyrinth.path_finders import (
    ALGORITHMS,
    GUIDED,
    HEURISTICS,
    Problem,
    a_star,
    dijkstra,
    step_map,
)
from alphadiamond.games.labyrinth.position import state_of

WAYS = [(name, heuristic) for name in ALGORITHMS for heuristic in (HEURISTICS if name in GUIDED else [""])]
SEEDS = st.integers(0, 2**63)


def neighbours(maze: Maze, cell: int) -> list[tuple[int, int]]:
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column = cell // 9 + down, cell % 9 + right
            if (down or right) and 0 <= row < 9 and 0 <= column < 9 and contains(maze.open, row * 9 + column):
                found.append((row * 9 + column, 14 if down and right else 10))
    return found


def plain_cost(maze: Maze, start: int, goal: int) -> int:
    """Every power-up costs 20 more than it does until the end, so that no step brings something in."""
    power_ups = frozenset(cells_of(maze.power_ups))
    costs = {(start, power_ups): 0}
    waiting = [(0, start, sorted(power_ups))]
    best = None
    while waiting:
        cost, cell, live = heapq.heappop(waiting)
        left = frozenset(live)
        if cost > costs[cell, left]:
            continue
        if cell == goal:
            real = cost - 20 * (len(power_ups) - len(left))
            best = real if best is None else min(best, real)
            continue
        for near, step in neighbours(maze, cell):
            after = left - {near}
            new = cost + step + 30 * contains(maze.traps, near)
            if new < costs.get((near, after), 1 << 30):
                costs[near, after] = new
                heapq.heappush(waiting, (new, near, sorted(after)))
    assert best is not None
    return best


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_what_promises_the_cheapest_way_finds_it(seed: int) -> None:
    position = Position.start(seed)
    problem = Problem.of(position)
    expected = plain_cost(position.maze, problem.start, problem.goal)
    assert dijkstra(problem).cost == expected
    assert a_star(problem, "chebyshev").cost == expected
    back = plain_cost(position.maze, problem.goal, problem.start)
    ends = problem.start, problem.goal
    assert cheapest_ways(state_of(position), ends, ends[::-1], 9) == (expected, back)


@pytest.mark.parametrize(("name", "heuristic"), WAYS)
@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_every_way_can_be_gone_and_costs_what_the_game_charges(name: str, heuristic: str, seed: int) -> None:
    position = Position.start(seed)
    problem = Problem.of(position)
    found = ALGORITHMS[name](problem, heuristic) if heuristic else ALGORITHMS[name](problem)
    assert found.arrived
    assert found.path[0] == problem.start
    assert found.path[-1] == problem.goal
    assert len(found.path) == found.steps + 1 == len(found.log) + 1
    assert all(b in dict(neighbours(position.maze, a)) for a, b in zip(found.path, found.path[1:], strict=False))
    live, cost = set(cells_of(position.maze.power_ups)), 0
    for a, b in zip(found.path, found.path[1:], strict=False):
        cost += dict(neighbours(position.maze, a))[b] + 30 * contains(position.maze.traps, b) - 20 * (b in live)
        live.discard(b)
    assert found.cost == cost >= plain_cost(position.maze, problem.start, problem.goal)
    if name == "breadth_first":
        assert found.steps == step_map(position.maze, problem.goal)[problem.start]
    assert 0 < found.explored <= len(cells_of(position.maze.open))


def test_a_level_that_has_lost_goes_home_all_the_same() -> None:
    """Minimax put off the end and went to and fro between two cells beside its home until the deadline."""
    maze = ".T.#..PP./##.#.###./.#.#.#.P./.#.###.#./...P..T../.#.###.#./T..#.#T#./.###.#.##/.....#..."
    position = Position.parse(f"{maze} i9 c2 210 272 19 b")
    agent = make_agent("hard", seed=1, game=GAME)
    moves = []
    while position.outcome is None:
        moves.append(agent.choose(position) if position.side is Side.B else position.moves()[0])
        position = position.play(moves[-1])
    assert position.outcome.reason is Reason.HOME
    assert position.outcome.totals[1] == 272 + 54


@given(st.text(alphabet="MTP", max_size=60))
def test_a_code_is_read_back_and_no_letter_takes_no_bits(text: str) -> None:
    coding = huffman.code(text)
    if not text:
        assert coding.tree is None
        assert coding.saving == 0.0
        return
    assert coding.tree is not None
    assert huffman.decode(coding.bits, coding.tree) == text
    assert len(text) <= coding.bits_after == len(coding.bits) <= 2 * len(text)
    assert coding.bits_before == 8 * len(text)


def test_a_log_of_one_letter_takes_a_bit_a_step() -> None:
    assert huffman.code("MMMM").bits == "0000"
    assert huffman.code("MMMMTTP").codes == {"M": "1", "T": "01", "P": "00"}
