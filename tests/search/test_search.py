"""The search with judges whose opinions are known."""

import functools
import hashlib
import itertools

import numpy as np
import pytest

from alphadiamond.base.results import LOSS, WIN
from alphadiamond.games.diamond_chase import Move, Position, Side, kernels
from alphadiamond.games.diamond_chase.board import ACTION_SYMMETRIES
from alphadiamond.games.diamond_chase.game import States
from alphadiamond.search import Roots, SearchSettings, TreeSearch
from alphadiamond.search.edge_kernels import improved_policy
from alphadiamond.search.sequential_halving import suited_candidates, visit_sequence
from alphadiamond.search.trees import OPEN, UNKNOWN
from alphadiamond.settings import SettingError
from tests.games.diamond_chase.samples import random_game, random_position
from tests.search.evaluators import GAME, Judgement, Rollouts, as_wdl, roots_of, scrambled, uniform, uniform_policy
from tests.search.reference import PlainPuct

METHODS = ("puct", "gumbel")


def searched(
    positions: list[Position],
    evaluator,  # type: ignore[no-untyped-def]
    simulations: int,
    *,
    noise: bool = False,
    seed: int = 1,
    nodes: int = 0,
    **settings,  # type: ignore[no-untyped-def]
) -> tuple[TreeSearch, Roots]:
    search = TreeSearch(
        GAME, SearchSettings(**settings), games=len(positions), nodes=nodes or simulations + 2, seed=seed
    )
    search.set_roots(range(len(positions)), *roots_of(positions), evaluator, noise=noise)
    search.run(evaluator, simulations)
    return search, search.roots()


def some_positions(count: int, seed: int = 1) -> list[Position]:
    rng = np.random.default_rng(seed)
    return [random_position(rng) for _ in range(count)]


def positions_with_history(count: int, seed: int = 1) -> list[Position]:
    rng = np.random.default_rng(seed)
    games = [[position for position in random_game(rng) if position.outcome is None] for _ in range(count)]
    return [game[int(rng.integers(len(game)))] for game in games]


def by_move(roots: Roots, g: int, values: np.ndarray) -> dict[str, float]:  # type: ignore[type-arg]
    actions = roots.actions[g, : roots.moves[g]]
    return {str(Move.of_action(int(a))): float(v) for a, v in zip(actions, values[g], strict=False)}


@pytest.mark.parametrize("evaluator", [uniform, scrambled])
def test_visits_follow_the_puct_formula(evaluator) -> None:  # type: ignore[no-untyped-def]
    settings = {"c_puct": 1.7, "fpu_reduction": 0.3, "root_fpu_reduction": 0.15, "prove": False}
    positions = [Position.start(), *some_positions(6), *positions_with_history(6)]
    _, roots = searched(positions, evaluator, 120, **settings)
    for g, position in enumerate(positions):
        plain = PlainPuct(evaluator, SearchSettings(**settings)).search(position, 120)
        expected = {
            str(move): plain.children[move].visits if move in plain.children else 0 for move in position.moves()
        }
        assert by_move(roots, g, roots.visits) == expected
        assert roots.value[g] == pytest.approx(plain.total / plain.visits, abs=1e-6)


def test_a_small_tree_worked_out_by_hand() -> None:
    """Five moves, even priors, every leaf worth 0.5 to whoever moves there, so -0.5 to the root's player.

    c = 2 and no reduction. The root is worth 0.5 at first; an unvisited move scores mean + 2 * 0.2 * sqrt(N), a move
    visited once -0.5 + 2 * 0.2 * sqrt(N) / 2. So the five moves are visited in order, one each.
    """

    def judge(states):  # type: ignore[no-untyped-def]
        return uniform_policy(states), as_wdl(np.full(len(states), 0.5))

    settings = {"c_puct": 2.0, "c_base": 1e9, "fpu_reduction": 0.0, "root_fpu_reduction": 0.0}
    _, three = searched([Position.start()], judge, 3, **settings)
    assert three.visits[0, :5].tolist() == [1, 1, 1, 0, 0]
    assert three.value[0] == pytest.approx((0.5 - 0.5 - 0.5 - 0.5) / 4)
    _, five = searched([Position.start()], judge, 5, **settings)
    assert five.visits[0, :5].tolist() == [1, 1, 1, 1, 1]
    assert five.values[0, :5].tolist() == pytest.approx([-0.5] * 5)
    # The sixth goes to the first move again and, one ply down, is worth +0.5 to the root's player.
    _, six = searched([Position.start()], judge, 6, **settings)
    assert six.visits[0, :5].tolist() == [2, 1, 1, 1, 1]
    assert six.values[0, 0] == pytest.approx((-0.5 + 0.5) / 2)


@pytest.mark.parametrize("method", METHODS)
def test_one_game_and_many_give_the_same_tree(method: str) -> None:
    positions = some_positions(9)
    seeds = list(range(20, 29))
    _, many = searched(positions, scrambled, 60, noise=True, seed=seeds, method=method)
    for g, position in enumerate(positions):
        _, one = searched([position], scrambled, 60, noise=True, seed=[seeds[g]], method=method)
        assert one.visits[0].tolist() == many.visits[g].tolist()
        assert one.values[0].tolist() == many.values[g].tolist()


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_tree_and_another_seed_another(method: str) -> None:
    positions = some_positions(6)
    runs = [searched(positions, scrambled, 60, noise=True, seed=seed, method=method)[1] for seed in (1, 1, 2)]
    assert (runs[0].visits == runs[1].visits).all()
    assert not (runs[0].visits == runs[2].visits).all()


@pytest.mark.parametrize("method", METHODS)
def test_colour_makes_no_difference(method: str) -> None:
    positions = some_positions(8)
    swapped = [Position(position.own, position.opp, position.side.other) for position in positions]
    _, one = searched(positions, scrambled, 80, method=method)
    _, two = searched(swapped, scrambled, 80, method=method)
    assert (one.visits == two.visits).all()
    assert (one.values == two.values).all()


@pytest.mark.parametrize("method", METHODS)
def test_symmetry_makes_no_difference(method: str) -> None:
    """Up to ties: where two moves are images of each other, which of them comes first depends on the numbering."""
    positions = some_positions(30)
    _, straight = searched(positions, scrambled, 80, method=method)
    for symmetry in (1, 5, 7):
        _, turned = searched([position.image(symmetry) for position in positions], scrambled, 80, method=method)
        same = 0
        for g in range(len(positions)):
            ours = dict(zip(straight.actions[g, : straight.moves[g]].tolist(), straight.visits[g], strict=False))
            theirs = dict(zip(turned.actions[g, : turned.moves[g]].tolist(), turned.visits[g], strict=False))
            same += {int(ACTION_SYMMETRIES[symmetry, action]): n for action, n in ours.items()} == theirs
        assert same >= 0.8 * len(positions)
        assert np.abs(straight.value - turned.value).mean() < 0.01


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("side", list(Side))
def test_values_have_the_right_sign_at_every_depth(method: str, side: Side) -> None:
    """Green is two beads ahead, and the judge sees green win wherever it looks, whoever is to move."""

    def judge(states):  # type: ignore[no-untyped-def]
        own, opp = np.bitwise_count(states[:, 0]), np.bitwise_count(states[:, 1])
        return uniform_policy(states), as_wdl(np.where(own > opp, 0.8, -0.8))

    position = Position.parse("r/r./r/r../......./g.g/g/gg/g g 0")
    if side is Side.RED:
        position = Position(position.opp, position.own, side)
    expected = 0.8 if side is Side.GREEN else -0.8
    search, roots = searched([position], judge, 60, method=method, prove=False)
    assert roots.value[0] * np.sign(expected) > 0.5, "a few lines end in repetition"
    trees = search.trees
    for node in range(int(trees.game["used"][0])):
        depth, at = 0, node
        while trees.node["parent"][0, at] >= 0:
            at, depth = int(trees.node["parent"][0, at]), depth + 1
        if trees.node["kind"][0, node] == 1:
            sign = 1 if depth % 2 == 0 else -1
            assert trees.node["raw_value"][0, node] == pytest.approx(sign * expected)
            assert trees.node["value_sum"][0, node] * sign * expected > 0


WIN_IN_ONE = "r/g./g/.gg/......./r.r/r/../. g 0"


@pytest.mark.parametrize("method", METHODS)
def test_a_win_in_one_is_proven_and_played(method: str) -> None:
    _, roots = searched([Position.parse(WIN_IN_ONE)], uniform, 40, method=method)
    assert roots.result[0] == WIN
    assert roots.value[0] == 1
    assert str(Move.of_action(int(roots.chosen_actions[0]))) == "en-ne"


def exact(position: Position, depth: int) -> int:
    """1 or -1 if the side to move forces a win or loses within so many plies, 0 otherwise; by plain search."""
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner is position.side else -1
    if depth == 0:
        return 0
    values = [-exact(position.play(move), depth - 1) for move in position.moves()]
    return max(values)


@pytest.mark.parametrize("method", METHODS)
def test_what_the_search_proves_is_true(method: str) -> None:
    positions = [position for position in some_positions(900, seed=3) if len(position.beads(Side.GREEN)) == 4]
    _, roots = searched(positions, uniform, 200, method=method)
    proven = [g for g in range(len(positions)) if roots.result[g] != UNKNOWN]
    assert len(proven) > 20
    assert {int(roots.result[g]) for g in proven} == {1, -1}
    for g in proven:
        truth = exact(positions[g], 3)
        assert truth in (0, roots.result[g])
        if truth == 1:
            move = Move.of_action(int(roots.chosen_actions[g]))
            assert exact(positions[g].play(move), 2) == -1, "a win is played as fast as it was proven"


@functools.cache
def lost_position() -> Position:
    """A position that is lost in four plies whatever is played."""
    for position in some_positions(4000, seed=5):
        if exact(position, 2) == 0 and exact(position, 4) == -1:
            return position
    raise AssertionError("none found")


@pytest.mark.parametrize("method", METHODS)
def test_a_repetition_that_saves_the_game_is_found(method: str) -> None:
    lost = lost_position()
    for move in lost.moves():
        if lost.removed_by(move):
            continue
        after = lost.play(move)
        here = lost.key
        # As if the position after this move had been there twice: playing it is a draw, everything else loses.
        history = (after.key, here, after.key, here)
        saved = Position(lost.own, lost.opp, lost.side, 3, history)
        assert saved.play(move).outcome is not None
        _, roots = searched([saved], uniform, 600, method=method)
        assert Move.of_action(int(roots.chosen_actions[0])) == move
        assert roots.result[0] == UNKNOWN, "a draw by repetition is never proven"
    search, roots = searched([lost], uniform, 3000, method=method)
    assert roots.result[0] == LOSS
    assert search.trees.node["distance"][0, 0] >= 4, "no sooner than by best play"
    assert search.trees.node["distance"][0, 0] % 2 == 0


@pytest.mark.parametrize("method", METHODS)
def test_a_won_position_is_not_thrown_away_by_shuffling(method: str) -> None:
    positions = some_positions(1500, seed=6)
    some = (position for position in positions if exact(position, 1) == 0 and exact(position, 3) == 1)
    won = list(itertools.islice(some, 4))
    assert len(won) == 4
    for position in won:
        winner = position.side
        for _ in range(3):
            _, roots = searched([position], uniform, 600, method=method)
            position = position.play(Move.of_action(int(roots.chosen_actions[0])))
            if position.outcome is None and position.side is not winner:
                position = position.play(position.moves()[0])
            if position.outcome is not None:
                break
        assert position.outcome is not None
        assert position.outcome.winner is winner


def test_the_second_occurrence_in_the_tree_counts_as_a_draw_and_the_third_anywhere() -> None:
    search, _ = searched([Position.start()], uniform, 3000, nodes=4000)
    trees = search.trees
    used = int(trees.game["used"][0])
    cycles = np.flatnonzero(trees.node["cycle"][0, :used])
    assert len(cycles) > 0
    for node in cycles.tolist():
        at = node
        for _ in range(int(trees.node["cycle"][0, node])):
            at = int(trees.node["parent"][0, at])
        assert trees.node["key"][0, at] == trees.node["key"][0, node]
        assert trees.node["result"][0, node] == 0
    nodes = trees.node[0, :used]
    assert not (nodes["result"][nodes["kind"] == 1] == 0).any(), "no draw is propagated as proven"


def test_a_kept_tree_holds_no_draw_whose_first_occurrence_has_left_it() -> None:
    search, roots = searched([Position.start()], uniform, 3000, nodes=8000)
    trees = search.trees
    before = int((trees.node["cycle"][0, : trees.game["used"][0]] > 0).sum())
    assert search.advance(0, int(roots.chosen_actions[0]), room=10)
    cycles = np.flatnonzero(trees.node["cycle"][0, : trees.game["used"][0]])
    assert 0 < len(cycles) < before
    for node in cycles.tolist():
        at = node
        for _ in range(int(trees.node["cycle"][0, node])):
            at = int(trees.node["parent"][0, at])
            assert at >= 0
        assert trees.node["key"][0, at] == trees.node["key"][0, node]


def test_occurrences_before_the_root_are_shown_to_the_judge() -> None:
    seen = []

    def judge(states):  # type: ignore[no-untyped-def]
        seen.extend(states[:, 3].tolist())
        return uniform(states)

    position = Position.start()
    for move in ("si-cs", "ni-cn", "cs-si"):
        position = position.play(move)
    searched([position], judge, 30)
    assert set(seen) == {1, 2}


def test_the_no_capture_rule_ends_lines_in_the_tree() -> None:
    position = Position.parse("r/rr/r/r.r/......./g.g/g/gg/g g 98")
    search, roots = searched([position], scrambled, 400, nodes=1000)
    trees = search.trees
    used = int(trees.game["used"][0])
    assert trees.state[0, :used, 2].max() == 100
    assert (trees.node["kind"][0, :used][trees.state[0, :used, 2] == 100] == 2).all()
    assert (np.abs(roots.values[0]) < 1).all()


@pytest.mark.parametrize("method", METHODS)
def test_searches_from_anywhere_end_well(method: str) -> None:
    """Five thousand searches by each method, ten thousand in all."""
    positions = some_positions(4000, seed=8) + positions_with_history(1000, seed=9)
    for at in range(0, len(positions), 500):
        batch = positions[at : at + 500]
        _, roots = searched(batch, Rollouts(at), 24, noise=True, method=method)
        legal = kernels.legal_masks(*(np.array([getattr(p, side) for p in batch]) for side in ("own", "opp")))
        assert legal[np.arange(len(batch)), roots.chosen_actions].all()
        assert np.isfinite(roots.values).all()
        assert np.isfinite(roots.policy).all()
        assert roots.policy.sum(axis=1) == pytest.approx(1)
        assert (roots.visits.sum(axis=1) <= 24).all()
        assert ((roots.visits.sum(axis=1) == 24) | (roots.result != UNKNOWN)).all()


def test_with_rollouts_it_plays_like_plain_tree_search() -> None:
    """Uniform priors and one random game a leaf: it must beat random play by far."""
    rng = np.random.default_rng(10)
    evaluator = Rollouts(11)
    positions = [Position(p.own, p.opp, p.side) for p in some_positions(60, seed=12)]
    searcher = [position.side for position in positions]
    results = []
    for _ in range(400):
        going = [g for g, position in enumerate(positions) if position.outcome is None]
        if not going:
            break
        ours = [g for g in going if positions[g].side is searcher[g]]
        if ours:
            _, roots = searched([positions[g] for g in ours], evaluator, 64)
            for g, action in zip(ours, roots.chosen_actions, strict=True):
                positions[g] = positions[g].play(Move.of_action(int(action)))
        for g in set(going) - set(ours):
            moves = positions[g].moves()
            positions[g] = positions[g].play(moves[rng.integers(len(moves))])
    for position, side in zip(positions, searcher, strict=True):
        assert position.outcome is not None
        winner = position.outcome.winner
        results.append(0.5 if winner is None else float(winner is side))
    assert np.mean(results) > 0.85


def test_waiting_leaves_change_the_result_little() -> None:
    positions = some_positions(40, seed=13)
    _, one = searched(positions, scrambled, 200)
    search, eight = searched(positions, scrambled, 200, leaves=8)
    assert (eight.visits.sum(axis=1)[eight.result == UNKNOWN] == 200).all()
    assert np.mean(one.chosen_actions == eight.chosen_actions) > 0.6, (
        "the judge's opinions are noise, so near ties abound"
    )
    undecided = (one.result == UNKNOWN) & (eight.result == UNKNOWN)
    assert np.abs(one.value - eight.value)[undecided].mean() < 0.06
    assert not search.trees.edge["waiting"].any(), "no mark is left behind"


def test_trees_are_reused_after_a_move() -> None:
    position = Position.start()
    search, roots = searched([position], scrambled, 200, nodes=1000)
    action = int(roots.chosen_actions[0])
    visits = int(roots.visits[0].max())
    assert search.advance(0, action, room=300)
    after = search.roots()
    position = position.play(Move.of_action(action))
    assert sorted(after.actions[0, : after.moves[0]].tolist()) == sorted(move.action for move in position.moves())
    assert after.visits[0].sum() == visits - 1
    assert search.trees.history[0, : search.trees.game["known"][0]].tolist() == GAME.history_of(position).tolist()
    search.run(scrambled, 100)
    assert search.roots().visits[0].sum() == visits - 1 + 100
    _check_tree(search)


def test_a_capture_begins_the_history_of_a_kept_tree_anew() -> None:
    position = Position.parse("r/g./g/.gg/......./r.r/r/r./. g 0")
    for move in ("cn-c", "si-cs", "c-cn", "cs-si"):
        assert not position.removed_by(Move.parse(move))
        position = position.play(move)
    assert len(position.history) == 5
    capture = next(move for move in position.moves() if position.removed_by(move))
    search, _ = searched([position], scrambled, 300, nodes=1000)
    assert search.advance(0, capture.action, room=10)
    after = position.play(capture)
    known = int(search.trees.game["known"][0])
    assert search.trees.history[0, :known].tolist() == GAME.history_of(after).tolist()
    assert known == 1


def test_a_move_that_was_never_searched_gives_no_tree() -> None:
    search, _ = searched([Position.start()], scrambled, 2, nodes=10)
    assert not search.advance(0, Move.parse("cs-si").action, room=2)


def _check_tree(search: TreeSearch) -> None:
    """Every node hangs where its parent says, holds the position its moves lead to, and its visits add up."""
    trees = search.trees
    used = int(trees.game["used"][0])
    nodes, edges = trees.node[0], trees.edge[0]
    for n in range(used):
        moves, recorded = int(nodes["moves"][n]), int(nodes["opened" if n else "moves"][n])
        assert (np.diff(trees.prior[0, n, :moves]) <= 0).all(), "the likeliest come first"
        for e in range(recorded):
            child = int(edges["child"][n, e])
            if child < 0:
                continue
            assert child < used
            assert nodes["parent"][child] == n
            assert nodes["parent_edge"][child] == e
            state = GAME.expand(trees.state[0, n][None], trees.action[0, n, e][None])[0][0]
            assert state[:3].tolist() == trees.state[0, child, :3].tolist()
        if nodes["kind"][n] == 1:
            assert nodes["visits"][n] == 1 + edges["visits"][n, :recorded].sum()


def test_the_tree_is_consistent() -> None:
    for method in METHODS:
        search, _ = searched([positions_with_history(1, seed=14)[0]], scrambled, 300, method=method)
        _check_tree(search)


@pytest.mark.parametrize("method", METHODS)
def test_prospects_are_those_of_the_recommended_moves(method: str) -> None:
    search, roots = searched(some_positions(40), scrambled, 60, method=method)
    prospects = search.prospects(roots)
    assert prospects.sum(axis=1) == pytest.approx(1)
    for g in range(40):
        value = prospects[g, 0] - prospects[g, 2]
        if roots.result[g] != UNKNOWN:
            assert value == roots.result[g]
            continue
        visited = roots.visits[g] > 0
        weights = roots.policy[g, visited] / roots.policy[g, visited].sum()
        assert value == pytest.approx((weights * roots.values[g, visited]).sum(), abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_draws_are_counted_on_the_way_up(method: str) -> None:
    """A judge that sees half a draw everywhere, where nothing ends; then where every quiet move ends the game."""

    def judge(states):  # type: ignore[no-untyped-def]
        return uniform_policy(states), np.tile(np.array([[0.2, 0.5, 0.3]], dtype=np.float32), (len(states), 1))

    search, roots = searched([Position.start()], judge, 12, method=method)
    assert not (search.trees.node["kind"][0, : search.trees.game["used"][0]] == 2).any()
    assert roots.draw[0] == pytest.approx(0.5)
    assert search.prospects(roots)[0, 1] == pytest.approx(0.5)
    last = Position.parse("r/rr/r/r.r/......./g.g/g/gg/g g 99")
    search, roots = searched([last], judge, 12, method=method)
    assert roots.draw[0] == pytest.approx((0.5 + 12 * 1.0) / 13)
    assert search.prospects(roots)[0] == pytest.approx([0, 1, 0])


def test_games_that_are_not_asked_for_stand_still() -> None:
    positions = some_positions(3, seed=17)
    search, _ = searched(positions, scrambled, 20)
    search.set_roots(range(3), *roots_of(positions), scrambled)
    search.run(scrambled, 8, games=[1])
    assert search.roots().visits.sum(axis=1).tolist() == [0, 8, 0]
    assert search.statistics.simulations == 3 * 20 + 8


def test_a_full_tree_ends_the_search() -> None:
    search, roots = searched([Position.start()], scrambled, 500, nodes=50)
    assert search.trees.game["used"][0] == 50
    assert roots.choice[0] >= 0


def test_a_finished_game_is_refused() -> None:
    position = Position.parse(WIN_IN_ONE).play("en-ne")
    with pytest.raises(ValueError, match="game 0 is over"):
        searched([position], uniform, 10)


def test_sequential_halving_visits_evenly_and_halves() -> None:
    assert visit_sequence(4, 8) == [0, 0, 0, 0, 1, 1, 2, 2]
    assert visit_sequence(2, 6) == [0, 0, 1, 1, 2, 2]
    assert visit_sequence(3, 12) == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4], "two are never halved further"
    assert visit_sequence(1, 3) == [0, 1, 2]
    assert visit_sequence(16, 3) == [0, 0, 0]
    for candidates in range(1, 20):
        for simulations in (1, 7, 32, 100):
            assert len(visit_sequence(candidates, simulations)) == simulations


def test_gumbel_considers_no_more_moves_than_told() -> None:
    _, roots = searched(
        some_positions(20, seed=15), scrambled, 32, method="gumbel", considered=4, noise=True, prove=False
    )
    assert ((roots.visits > 0).sum(axis=1) <= 4).all()


def test_a_player_begins_with_about_as_many_moves_as_each_gets_simulations() -> None:
    suited = {simulations: suited_candidates(simulations) for simulations in (1, 8, 15, 16, 32, 64, 100, 256, 1000)}
    assert suited == {1: 2, 8: 2, 15: 2, 16: 4, 32: 4, 64: 8, 100: 8, 256: 16, 1000: 16}


@pytest.mark.parametrize("leaves", [1, 4])
def test_gumbel_tries_each_candidate_in_turn_also_where_leaves_wait(leaves: int) -> None:
    positions = [position for position in some_positions(30, seed=18) if len(position.moves()) >= 4]
    _, roots = searched(positions, scrambled, 4, method="gumbel", considered=4, leaves=leaves, prove=False)
    assert ((roots.visits == 1).sum(axis=1) == 4).all()


def test_gumbel_plays_one_of_the_moves_that_halving_left() -> None:
    positions = some_positions(80, seed=19)
    _, roots = searched(positions, scrambled, 24, method="gumbel", noise=True, prove=False)
    chosen = roots.visits[np.arange(80), roots.choice]
    assert (chosen == roots.visits.max(axis=1)).all()


def test_the_improved_policy_is_a_softmax_over_all_moves_opened_or_not() -> None:
    """The compiled version looks only at opened edges and one more; this one at all."""
    search, _ = searched(some_positions(6), scrambled, 200, method="gumbel")
    trees, settings = search.trees, search.settings
    checked = 0
    for g in range(6):
        for n in range(int(trees.game["used"][g])):
            node = trees.node[g, n]
            if node["kind"] != 1:
                continue
            moves, recorded = int(node["moves"]), int(node["opened" if n else "moves"])
            edges, prior = trees.edge[g, n, :recorded], trees.prior[g, n, :moves].astype(np.float64)
            values = np.full(moves, np.nan)
            for e in np.flatnonzero(edges["visits"]):
                exact = edges["result"][e] != UNKNOWN
                values[e] = -edges["result"][e] if exact else edges["value_sum"][e] / edges["visits"][e]
            visited, visits = ~np.isnan(values), int(edges["visits"].sum())
            mixed = float(node["raw_value"])
            if visits:
                mean = (prior[visited] * values[visited]).sum() / prior[visited].sum()
                mixed = (mixed + visits * mean) / (1 + visits)
            most = edges["visits"].max(initial=0)
            logits = np.log(prior) + (settings.c_visit + most) * settings.c_scale / 2 * np.where(visited, values, mixed)
            expected = np.exp(logits - logits.max())
            policy = np.zeros(moves)
            assert improved_policy(trees, g, n, search._params, policy) == visits
            seen = min(recorded + 1, moves)
            assert policy[:seen] == pytest.approx((expected / expected.sum())[:seen], abs=1e-5)
            checked += seen < moves
    assert checked > 100, "nodes with unopened edges"


@pytest.mark.parametrize("leaves", [1, 4])
def test_with_widening_the_moves_tried_grow_with_the_root_of_the_visits(leaves: int) -> None:
    def sure(states: States) -> Judgement:
        """Of one move, whatever it leads to."""
        policy = uniform_policy(states)
        policy[np.arange(len(states)), policy.argmax(axis=1)] += 100
        return policy / policy.sum(axis=1, keepdims=True), uniform(states)[1]

    def most_lacking(widening: float) -> float:
        """By how many tried moves, at most, an inner node falls short of a widening of 1.5."""
        settings = {"method": "gumbel", "widening": widening, "leaves": leaves, "prove": False}
        search, _ = searched(some_positions(12, seed=22), sure, 300, **settings)
        lacking = []
        for g in range(12):
            node = search.trees.node[g, 1 : search.trees.game["used"][g]]
            node = node[(node["kind"] == OPEN) & (node["visits"] > 1)]
            before = node["visits"] - 2.0  # of the edges, when the last of them was chosen
            lacking += list(np.minimum(node["moves"], 1.5 * np.sqrt(before)) - node["opened"])
        return max(lacking)

    assert most_lacking(1.5) <= 0
    assert most_lacking(0.0) > 5, "one reply alone is looked at, at every node"


def test_completed_values_improve_on_the_prior_in_expectation() -> None:
    """On random one-step games: the improved policy's expected value is above the prior's."""
    rng = np.random.default_rng(16)
    gains = []
    for _ in range(40):
        position = random_position(rng)
        worth: dict[tuple[int, ...], float] = {}

        def judge(states, worth=worth):  # type: ignore[no-untyped-def]
            values = np.array([worth.setdefault(tuple(row), float(rng.uniform(-1, 1))) for row in states.tolist()])
            policy = uniform_policy(states) * rng.dirichlet(np.ones(72), size=len(states)).astype(np.float32)
            return policy / policy.sum(axis=1, keepdims=True), as_wdl(values)

        count = len(position.moves())
        # No more simulations than moves: every simulation is a pull of one arm.
        _, roots = searched([position], judge, max(2, count // 2), method="gumbel", noise=True, prove=False)
        states = np.repeat(GAME.state_of(position)[None], count, axis=0)
        after, _, _, statuses, _, _ = GAME.expand(states, roots.actions[0, :count])
        values = np.array(
            [
                -float(status) if status != UNKNOWN else -worth.get(tuple(row), 0.0)
                for row, status in zip(after.tolist(), statuses, strict=True)
            ]
        )
        gains.append(float((roots.policy[0, :count] - roots.priors[0, :count]) @ values))
    assert np.mean(gains) > 3 * np.std(gains) / np.sqrt(len(gains))


def test_noise_changes_the_priors_of_puct_only_at_the_root() -> None:
    search, roots = searched([Position.start()], uniform, 50, noise=True)
    priors = roots.priors[0, :5]
    assert priors.sum() == pytest.approx(1)
    assert priors.std() > 0.005
    assert search.trees.prior[0, 1, : search.trees.node["moves"][0, 1]].std() == pytest.approx(0, abs=1e-6)


def test_dirichlet_noise_has_the_right_mean_and_spread() -> None:
    rows = []
    for seed in range(600):
        _, roots = searched([Position.start()], uniform, 1, noise=True, seed=seed, dirichlet_weight=1.0)
        rows.append(roots.priors[0, :5])
    drawn = np.array(rows)
    assert drawn.mean(axis=0) == pytest.approx([0.2] * 5, abs=0.02)
    # Dirichlet with five parameters of 2: variance 0.2 * 0.8 / 11.
    assert drawn.var(axis=0) == pytest.approx([0.16 / 11] * 5, rel=0.25)


def test_the_variation_is_a_line_of_legal_moves() -> None:
    position = Position.start()
    search, roots = searched([position], scrambled, 500)
    actions = search.variation(0, int(roots.choice[0]))
    assert len(actions) >= 3
    for action in actions:
        position = position.play(Move.of_action(action))


@pytest.mark.parametrize("method", METHODS)
def test_the_lines_of_all_moves_follow_the_most_visits(method: str) -> None:
    positions = some_positions(4)
    search, roots = searched(positions, scrambled, 120, method=method)
    games = np.array([2, 0], dtype=np.int32)
    actions, lengths = search.variations(games, limit=5)
    trees = search.trees
    for row, g in enumerate(games):
        assert not lengths[row, roots.moves[g] :].any()
        for edge in range(roots.moves[g]):
            expected, n = [int(roots.actions[g, edge])], int(trees.edge["child"][g, 0, edge])
            while n >= 0 and len(expected) < 5:
                visits = trees.edge["visits"][g, n, : trees.node["opened"][g, n]]
                if not visits.any():
                    break
                expected.append(int(trees.action[g, n, visits.argmax()]))
                n = int(trees.edge["child"][g, n, visits.argmax()])
            assert actions[row, edge, : lengths[row, edge]].tolist() == expected
            assert search.variation(int(g), edge, limit=5) == expected
    assert lengths.max() == 5


def test_a_game_is_finished_when_its_simulations_are_made_or_its_tree_is_full_or_proven() -> None:
    lost = Position.parse("r/rr/./g../r.g..../g.././../g g 0")  # for red: green wins at once
    games = np.array([1, 0], dtype=np.int32)
    search, roots = searched([Position.start(), lost], scrambled, 40, nodes=64)
    assert int(roots.result[0]) == UNKNOWN
    assert int(roots.result[1]) != UNKNOWN
    assert search.finished(games, 40).tolist() == [True, True]
    assert search.finished(games, 41).tolist() == [True, False]
    search.run(scrambled, 100, games=games)
    assert search.trees.game["done"][0] < 140
    assert search.finished(games, 140).tolist() == [True, True]


def test_memory_is_as_stated() -> None:
    search = TreeSearch(GAME, SearchSettings(), games=4, nodes=100)
    trees = search.trees
    owners = {id(_owner(array)): _owner(array).nbytes for array in trees}
    assert search.bytes_per_game == sum(owners.values()) // 4
    assert search.bytes_per_game < 100 * 1000


def _owner(array: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """The array that holds the memory of a view."""
    return array if array.base is None else _owner(array.base)


@pytest.mark.parametrize("bad", [{"method": "best"}, {"leaves": 0}, {"considered": 0}])
def test_wrong_settings_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(SettingError, match=r"^search\.(method=best: expected puct or gumbel|\w+=0: expected 1 to \d+)"):
        TreeSearch(GAME, SearchSettings(**bad), games=1, nodes=4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "leaves", "digest"),
    [
        ("gumbel", 1, "cc99d9b6780cd7ab"),
        ("gumbel", 4, "266a38a8ec3ab189"),
        ("puct", 1, "34212c913bce6bcf"),
        ("puct", 4, "b694655a5e6eeb7b"),
    ],
)
def test_the_evaluator_is_asked_about_the_same_leaves_in_the_same_order_as_ever(
    method: str, leaves: int, digest: str
) -> None:
    """The cache and the last bits of sums depend on the order, and so do games that come out the same by their seed."""
    asked = hashlib.sha256()

    def evaluate(states: States) -> Judgement:
        asked.update(len(states).to_bytes(4, "little") + states.astype("<i8").tobytes())
        return scrambled(states)

    searched(positions_with_history(24, seed=23), evaluate, 60, method=method, leaves=leaves)
    assert asked.hexdigest()[:16] == digest


def test_more_candidates_than_there_are_moves_are_all_of_them() -> None:
    positions = some_positions(10, seed=24)
    all_of_them, more = (
        searched(positions, scrambled, 40, method="gumbel", considered=considered)[1].visits.tolist()
        for considered in (GAME.max_moves, 1000)
    )
    assert all_of_them == more
