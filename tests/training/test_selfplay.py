import dataclasses

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.base.results import ONGOING
from alphadiamond.games.diamond_chase import Move, Position, Side, kernels
from alphadiamond.games.diamond_chase.game import GAME, DiamondChase
from alphadiamond.games.diamond_chase.starts import random_placement
from alphadiamond.search import SearchSettings, TreeSearch
from alphadiamond.training.samples import LEFT, Samples
from alphadiamond.training.selfplay import SelfPlay, SelfPlaySettings, _Ply
from tests.training.small import SELFPLAY, evaluator, goes_on_the_same, some_games


def games_of(samples: Samples, lengths: list[int]) -> list[Samples]:
    ends = np.cumsum(lengths)
    return [samples.rows(slice(end - length, end)) for end, length in zip(ends.tolist(), lengths, strict=True)]


def test_samples_are_positions_with_policies_over_their_legal_moves() -> None:
    samples, summaries = some_games()
    assert len(samples) == sum(game.plies for game in summaries) > 300
    legal = kernels.legal_masks(samples.states[:, 0], samples.states[:, 1])
    assert (samples.policy[~legal] == 0).all()
    assert samples.policy.astype(np.float32).sum(axis=1) == pytest.approx(1, abs=0.01)
    assert samples.value.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (samples.iteration == 3).all()
    assert {int(n) for n in np.unique(samples.states[:, 3])} <= {1, 2}


def test_games_read_from_samples_are_legal_and_end_as_they_say() -> None:
    """Played again by the rules from the recorded moves: same positions, same outcome."""
    samples, summaries = some_games(rounds=300)
    reasons = set()
    for game, summary in zip(games_of(samples, [s.plies for s in summaries]), summaries, strict=True):
        actions = [*game.reply.tolist()[:-1]]
        position = Position(int(game.states[0, 0]), int(game.states[0, 1]), Side.GREEN)
        # The first move is not a reply to anything: it is found by where it leads.
        for t in range(summary.plies - 1):
            after = tuple(game.states[t + 1, :2].tolist())
            candidates = [
                move for move in position.moves() if (position.play(move).own, position.play(move).opp) == after
            ]
            move = candidates[0] if t == 0 else Move.of_action(actions[t - 1])
            assert move in candidates
            position = position.play(move)
            assert position.quiet == game.states[t + 1, 2]
            assert position.occurrences == game.states[t + 1, 3]
        final = position.play(Move.of_action(actions[-1])) if actions else None
        reasons.add(summary.reason)
        if final is not None:
            if summary.reason == "proof":
                assert final.outcome is None
            else:
                assert final.outcome is not None
                assert str(final.outcome.reason) == summary.reason
                winner = {None: 0, Side.GREEN: 1, Side.RED: -1}[final.outcome.winner]
                assert winner == summary.winner
        signs = np.resize([1, -1], summary.plies)
        assert game.outcome.tolist() == (signs * summary.winner).tolist()
    assert len(reasons) > 1


def test_value_targets_carry_the_result_back_as_far_as_the_moves_were_wanted() -> None:
    def targets(trace: float, wanted: list[float], value: int) -> list[list[float]]:
        """Of a game in which every search said: win 0.2, draw 0.5, loss 0.3."""
        selfplay = SelfPlay(dataclasses.replace(SELFPLAY, trace=trace), seed=1, game=GAME)
        search_value = np.array([0.2, 0.5, 0.3], dtype=np.float32)
        none = np.zeros(72, dtype=np.float16)
        plies = [_Ply(np.zeros(4, dtype=np.int32), none, search_value, 0, one) for one in wanted]
        end = np.eye(3, dtype=np.float32)[1 - value]
        return [pytest.approx(row, abs=1e-6) for row in selfplay._targets(plies, end).tolist()]

    search_value, won, lost = [0.2, 0.5, 0.3], [1, 0, 0], [0, 0, 1]
    assert targets(1.0, [1.0, 1.0, 1.0], -1) == [won, lost, won]
    assert targets(1.0, [1.0, 1.0, 1.0], 1) == [lost, won, lost]
    assert targets(0.0, [1.0, 1.0, 1.0], -1) == [search_value, search_value, search_value]
    assert targets(1.0, [1.0, 0.0, 1.0], -1) == [[0.3, 0.5, 0.2], search_value, won], (
        "cut where the move was not wanted"
    )
    assert targets(1.0, [0.25, 0.5, 1.0], -1) == [won, lost, won], "whole where it was wanted well enough"
    assert targets(0.5, [1.0, 0.125], 1) == [[0.3375, 0.4375, 0.225], [0.15, 0.375, 0.475]], "else in proportion"


def values_where_left(play: SelfPlay) -> list[np.ndarray]:
    """What the search says of the last position of every game that is left from now on."""
    search_value: list[np.ndarray] = []
    finish = play._finish

    def noted(g: int, value: int, iteration: int, *, left: bool = False) -> Samples:
        if left:
            search_value.append(play._played[g][-1].search_value)
        return finish(g, value, iteration, left=left)

    play._finish = noted  # type: ignore[method-assign]
    return search_value


def test_games_from_random_positions_may_be_left_and_end_as_the_search_says() -> None:
    settings = dataclasses.replace(SELFPLAY, random_starts=0.5, leave=0.1, trace=1.0, full_trace=1e-9, rounds=60)
    play = SelfPlay(settings, seed=4, game=GAME)
    search_value = values_where_left(play)
    samples, summaries = play.play(evaluator(), iteration=1)
    assert samples is not None
    left = [summary.reason == LEFT for summary in summaries]
    assert 0 < sum(left) < len(left), "others end by the rules or by proof"
    assert not any(summary.from_start for summary, one in zip(summaries, left, strict=True) if one)
    games = [game for game, one in zip(games_of(samples, [s.plies for s in summaries]), left, strict=True) if one]
    for game, last in zip(games, search_value, strict=True):
        np.testing.assert_allclose(game.value[-1], last, atol=1e-6)
        back = [last if (len(game) - 1 - t) % 2 == 0 else last[::-1] for t in range(len(game))]
        np.testing.assert_allclose(game.value, np.stack(back), atol=1e-5, err_msg="carried back like a result")


def test_what_the_search_is_not_sure_of_is_played_on() -> None:
    def chances(sure: float) -> list[float]:
        """Of the likeliest result, wherever a game is left."""
        play = SelfPlay(
            dataclasses.replace(SELFPLAY, random_starts=1.0, leave=0.2, sure=sure, rounds=40), seed=4, game=GAME
        )
        search_value = values_where_left(play)
        play.play(evaluator(), iteration=1)
        return [float(one.max()) for one in search_value]

    anywhere = sorted(chances(0.0))
    middle = anywhere[len(anywhere) // 2]
    assert anywhere[0] < middle <= min(chances(middle))


def actions_of(game: Samples) -> list[int]:
    """What was played; the first move is not a reply to anything, and is found by where it leads."""
    position = Position(int(game.states[0, 0]), int(game.states[0, 1]), Side.GREEN)
    after = tuple(game.states[1, :2].tolist())
    first = next(move for move in position.moves() if (position.play(move).own, position.play(move).opp) == after)
    return [first.action, *game.reply.tolist()[:-1]]


def test_survivors_are_the_beads_that_are_there_at_the_end() -> None:
    """Each bead followed by its name, forward through the game as the rules play it."""
    samples, summaries = some_games(rounds=180)
    lost = 0
    for game in games_of(samples, [s.plies for s in summaries]):
        if len(game) == 1:
            continue  # its only move is nowhere in the samples
        position = Position(int(game.states[0, 0]), int(game.states[0, 1]), Side.GREEN)
        nodes = {node: node for node in range(21) if (position.own | position.opp) >> node & 1}  # by name, the first
        passed = []
        for action in actions_of(game):
            passed.append(dict(nodes))
            move = Move.of_action(action)
            position = position.play(move)
            (name,) = (name for name, node in nodes.items() if node == move.source)
            nodes[name] = move.target
            occupied = position.own | position.opp
            nodes = {name: node for name, node in nodes.items() if occupied >> node & 1}
        assert len(passed) == len(game)
        lost += len(passed[0]) - len(nodes)
        expected = [sum(1 << then[name] for name in nodes) for then in passed]
        assert game.survivors.tolist() == expected
    assert lost > 20, "beads are taken in these games"


def test_going_on_from_a_state_is_the_same_as_going_on() -> None:
    one = SelfPlay(SELFPLAY, seed=4, game=GAME)
    judge = evaluator()
    one.play(judge, iteration=0)
    goes_on_the_same(one, SelfPlay(SELFPLAY, seed=99, game=GAME), judge)


def test_random_placements_cover_all_bead_counts_and_stand() -> None:
    rng = np.random.default_rng(5)
    counts = set()
    for _ in range(300):
        own, opp = random_placement(rng)
        assert not kernels.trapped(own, opp) | kernels.trapped(opp, own)
        counts.add((own.bit_count(), opp.bit_count()))
    assert counts == {(a, b) for a in range(4, 7) for b in range(4, 7)}


def test_games_begin_both_at_the_start_and_anywhere() -> None:
    _, summaries = some_games()
    assert {game.from_start for game in summaries} == {True, False}


def test_careless_games_play_any_move() -> None:
    play = SelfPlay(dataclasses.replace(SELFPLAY, random_moves=0.8, careful_games=0.25), seed=6, game=GAME)
    carelessness = play.state()["carelessness"]
    assert (carelessness <= 0.8).all()
    careless = carelessness[carelessness > 0].tolist()
    assert 0 < len(careless) < len(carelessness), "some games are careful"
    assert len(set(careless)) == len(careless), "each other game has its own"
    play.play(evaluator(), iteration=0)
    roots = play._search.roots()
    going = np.flatnonzero(roots.result == ONGOING)
    for share in (0.0, 1.0):
        play._carelessness[:] = share
        drawn = np.array([play._chosen(roots) for _ in range(300)])
        for g in going.tolist():
            moves = roots.actions[g, : roots.moves[g]] if share else roots.chosen_actions[g : g + 1]
            assert set(drawn[:, g].tolist()) == set(moves.tolist())


def test_puct_draws_its_first_moves_by_visits() -> None:
    made = []
    for temperature in (0.0, 1.0):
        settings = SelfPlaySettings(
            games=24, rounds=8, simulations=16, temperature=temperature, random_starts=0.0, opening_plies=0
        )
        settings.random_moves = 0.0
        settings.search = SearchSettings(method="puct", dirichlet_weight=0.0)
        play = SelfPlay(settings, seed=6, game=GAME)
        play.play(evaluator(), iteration=0)
        made.append({tuple(state) for state in play.state()["states"].tolist()})
    assert len(made[0]) == 1, "without noise and temperature all games are one game"
    assert len(made[1]) > 12


def test_plies_hold_what_a_search_with_noise_says_of_them() -> None:
    """The same search once more, beside the games, from the same states and random numbers."""
    settings = dataclasses.replace(SELFPLAY, rounds=1, simulations=16, random_moves=0.9, careful_games=0.0)
    play, judge = SelfPlay(settings, seed=7, game=GAME), evaluator()
    before = play.state()

    def searched(*, noise: bool) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
        twin = TreeSearch(DiamondChase(), settings.search, games=settings.games, nodes=18, seed=7)
        games = np.arange(settings.games, dtype=np.int32)
        twin.set_roots(games, before["states"], before["history"], before["known"], judge, noise=noise)
        twin.run(judge, settings.simulations)
        roots = twin.roots()
        return roots.dense_policy(72).astype(np.float16), twin.prospects(roots).astype(np.float32)

    play._begin = lambda g: None  # type: ignore[method-assign]  # what is over stays, to be looked at
    play.play(judge, iteration=0)
    after = play.state()
    policy, search_value = searched(noise=True)
    assert after["ply_states"].tolist() == before["states"].tolist()
    assert after["ply_policy"].tolist() == policy.tolist()
    assert after["ply_judged"].tolist() == search_value.tolist()
    assert after["ply_policy"].tolist() != searched(noise=False)[0].tolist()
    assert len(set(search_value[:, 0].tolist())) > 6
    played = policy[np.arange(settings.games), after["ply_action"]].astype(np.float64)
    assert after["ply_wanted"] == pytest.approx(played / policy.max(axis=1), abs=1e-3)
    assert (after["ply_wanted"] < 0.75).any()
    assert (after["ply_wanted"] == 1).any()


def test_games_that_end_by_proof_are_won_by_who_wins_them() -> None:
    settings = SelfPlaySettings(games=64, rounds=12, simulations=300, random_starts=1.0)
    samples, summaries = SelfPlay(settings, seed=2, game=GAME).play(evaluator(), iteration=0)
    assert samples is not None
    minimax = make_agent("minimax:depth=6", seed=1, game=GAME)
    checked = []
    for game, summary in zip(games_of(samples, [s.plies for s in summaries]), summaries, strict=True):
        if summary.reason == "proof":
            own, opp, quiet, _ = game.states[-1].tolist()
            analysis = minimax.analyse(Position(own, opp, Side.GREEN, quiet))
            if analysis.exact:  # the search may have seen further
                assert analysis.value == game.outcome[-1]
                checked.append(int(game.outcome[-1]))
            assert game.value[-1].argmax() == 1 - game.outcome[-1]
    assert len(checked) > 8
    assert set(checked) == {1, -1}


def test_openings_are_random_moves_from_the_start() -> None:
    def starts(plies: int) -> set[tuple[int, ...]]:
        settings = dataclasses.replace(SELFPLAY, games=60, random_starts=0.0, opening_plies=plies)
        return {tuple(state) for state in SelfPlay(settings, seed=8, game=GAME).state()["states"].tolist()}

    start = Position.start()
    assert starts(0) == {(start.own, start.opp, 0, 1)}
    assert len(starts(1)) == 1 + 5, "the start, and after each of the five first moves"
    assert len(starts(12)) > 40


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_puct_draws_by_visits_to_the_power_of_one_over_the_temperature_for_so_many_plies(temperature: float) -> None:
    settings = dataclasses.replace(
        SELFPLAY, games=2, rounds=3, simulations=24, temperature=temperature, temperature_plies=4, random_moves=0.0
    )
    settings.search = SearchSettings(method="puct")
    play = SelfPlay(settings, seed=9, game=GAME)
    play.play(evaluator(), iteration=0)
    roots = play._search.roots()
    assert (roots.result == ONGOING).all()
    drawn = np.array([play._chosen(roots) for _ in range(4000)])
    for g in range(2):
        moves = roots.moves[g]
        weights = roots.policy[g, :moves] ** (1 / temperature)
        shares = [(drawn[:, g] == action).mean() for action in roots.actions[g, :moves]]
        assert shares == pytest.approx(weights / weights.sum(), abs=0.035)
    play._played = [[*plies, *plies] for plies in play._played]
    late = np.array([play._chosen(roots) for _ in range(50)])
    assert (late == roots.chosen_actions).all()
