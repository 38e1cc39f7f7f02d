"""Matches in worker processes."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from alphadiamond.agents import AgentError
from alphadiamond.arena import ArenaError, MatchGame, MatchResult, SequentialTest, Workers, play_match, summarise
from alphadiamond.arena.match import _game_key, _mark_duplicates, _tasks, pair_counts
from alphadiamond.arena.openings import random_openings
from alphadiamond.arena.play import PlayedGame
from alphadiamond.arena.report import remarks
from alphadiamond.arena.statistics import as_json, pair_weights
from alphadiamond.games.diamond_chase import GameRecord, Position, Side
from alphadiamond.games.diamond_chase.game import GAME
from tests.arena.players import HERE

FIRST = f"{HERE}.First"


def openings(count: int, seed: int = 1) -> list[Position]:
    return random_openings(count, plies=4, rng=np.random.default_rng(seed), game=GAME)


def moves_of(result: MatchResult) -> list[tuple[int, str, str, tuple[str, ...]]]:
    return [(g.number, g.record.green, g.record.red, tuple(map(str, g.record.moves))) for g in result.games]


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    with Workers(2, game=GAME) as workers:
        yield workers


@pytest.fixture(scope="module")
def timed() -> Iterator[Workers]:
    with Workers(2, move_seconds=0.2, game=GAME) as workers:
        yield workers


def test_every_opening_is_played_twice_with_colours_swapped(two: Workers) -> None:
    starts = openings(4)
    seen: list[int] = []
    result = play_match(
        "random",
        FIRST,
        starts,
        workers=two,
        seed=1,
        on_game=lambda game, match: seen.append(len(match.games)),
        game=GAME,
    )
    assert [game.number for game in result.games] == list(range(8))
    assert seen == list(range(1, 9))
    for game in result.games:
        assert game.record.start == starts[game.pair]
        assert (game.record.green, game.record.red) == (("random", FIRST), (FIRST, "random"))[game.number % 2]
        assert game.first_side is (Side.GREEN, Side.RED)[game.number % 2]
        winner = {"green": game.record.green, "red": game.record.red, "draw": None}[game.record.result]
        assert game.score == {"random": 1.0, FIRST: 0.0, None: 0.5}[winner]
        assert set(game.record.tags) == {"Pair", "GreenSeed", "RedSeed"}, "named by the sides of the game"


def test_results_do_not_depend_on_the_number_of_workers(two: Workers) -> None:
    # minimax is rebuilt for each game, random reseeded: both have to be as if new.
    pairing, starts = ("minimax:depth=2", "random"), openings(5)
    expected = moves_of(play_match(*pairing, starts, workers=two, seed=7, game=GAME))
    assert moves_of(play_match(*pairing, starts, workers=two, seed=7, game=GAME)) == expected  # in used workers
    with Workers(1, game=GAME) as one:
        assert moves_of(play_match(*pairing, starts, workers=one, seed=7, game=GAME)) == expected
    assert moves_of(play_match(*pairing, starts, workers=two, seed=8, game=GAME)) != expected


def test_games_of_a_match_have_different_seeds(two: Workers) -> None:
    same = [Position.start()] * 4
    result = play_match("random", "random", same, workers=two, seed=1, game=GAME)
    assert len({tuple(game.record.moves) for game in result.games}) == 8
    assert result.duplicates == 0


def test_seeds_are_those_of_the_match_whatever_else_is_played() -> None:
    def seeds(first: str, second: str, seed: int = 1) -> list[tuple[int, int]]:
        return [task.seeds for task in _tasks(first, second, openings(2), seed, GAME)]

    assert seeds("random", FIRST) == seeds("random", FIRST)
    assert len({seeds_of for args in (("random", FIRST), (FIRST, "random")) for seeds_of in seeds(*args)}) == 8
    assert not set(seeds("random", FIRST)) & set(seeds("random", FIRST, seed=2))


def test_a_player_that_brings_its_own_seed_keeps_it(two: Workers) -> None:
    same = [Position.start()] * 3
    result = play_match("random:seed=5", "random:seed=6", same, workers=two, seed=1, game=GAME)
    assert len({tuple(game.record.moves) for game in result.games}) == 2
    assert [game.duplicate_of for game in result.games] == [None, None, 0, 1, 0, 1]


def test_players_are_told_when_a_new_game_begins(two: Workers) -> None:
    result = play_match(f"{HERE}.Remembering", FIRST, openings(1) * 4, workers=two, seed=1, game=GAME)
    assert not any(game.record.ending.startswith("error") for game in result.games)
    assert result.duplicates == 6


def test_a_player_that_meets_itself_is_there_twice(two: Workers) -> None:
    result = play_match(f"{HERE}.OneSided", f"{HERE}.OneSided", openings(2), workers=two, seed=1, game=GAME)
    assert not any(game.record.ending.startswith("error") for game in result.games)


def test_duplicates_are_found_also_when_mirrored_and_not_counted(two: Workers) -> None:
    starts = openings(2)
    result = play_match(FIRST, f"{HERE}.Raising:after=9", [*starts, starts[0]], workers=two, seed=1, game=GAME)
    assert [game.duplicate_of for game in result.games] == [None] * 4 + [0, 1]
    assert result.duplicates == 2
    summary = summarise(result)
    assert summary.total.games == 4
    assert summary.duplicates == 2
    assert sum(summary.pairs) == 2


def test_a_mirrored_game_is_a_duplicate() -> None:
    record = GameRecord.of(
        Position.start(), [Position.start().moves()[0]], green="a", red="b", result="red", ending="time"
    )
    image = GameRecord.of(
        record.start.image(3), [record.moves[0].image(3)], green="a", red="b", result="red", ending="time"
    )
    assert _game_key(0, record, GAME) == _game_key(2, image, GAME)
    assert _game_key(0, record, GAME) != _game_key(1, record, GAME)


def test_of_equal_games_the_first_counts_whichever_was_over_first() -> None:
    games = {number: game(number, 1.0) for number in (6, 2, 4)}
    keys: dict[int, object] = dict.fromkeys(games, "same")
    for _ in range(2):
        _mark_duplicates(games, keys, "same")
        assert {number: one.duplicate_of for number, one in games.items()} == {2: None, 4: 2, 6: 2}
    games[0], keys[0] = game(0, 1.0), "same"
    _mark_duplicates(games, keys, "same")
    assert {number: one.duplicate_of for number, one in games.items()} == {0: None, 2: 0, 4: 0, 6: 0}


@pytest.mark.parametrize(
    ("bad", "ending"),
    [
        ("Raising:after=5", "error: RuntimeError: no idea what to do"),
        ("Illegal:after=5", "illegal move"),
        ("Slow:after=5", "time"),
        ("Hanging:after=5", "time"),
        ("Dying:after=5", "error: the player's process died (SIGKILL)"),
    ],
)
def test_a_player_that_fails_loses_and_the_match_goes_on(timed: Workers, bad: str, ending: str) -> None:
    result = play_match(FIRST, f"{HERE}.{bad}", openings(1), workers=timed, seed=1, game=GAME)
    assert len(result.games) == 2
    for game in result.games:
        assert game.score == 1.0
        assert game.record.ending.startswith(ending)
        assert game.record.final.quiet >= 5, "the moves before the failure are kept"
    assert list(summarise(result).endings) == [f"{ending.partition(':')[0]} ({HERE}.{bad})"]


def test_the_workers_play_on_after_all_that(timed: Workers) -> None:
    assert len(play_match("random", "random", openings(2), workers=timed, seed=1, game=GAME).games) == 4


def test_a_game_whose_process_is_killed_from_outside_is_played_again(two: Workers, tmp_path: Path) -> None:
    spec = f"{HERE}.DiesOnce:file={tmp_path / 'died'}"
    result = play_match(spec, "random", openings(3), workers=two, seed=3, game=GAME)
    plain = play_match(FIRST, "random", openings(3), workers=two, seed=3, game=GAME)
    assert (tmp_path / "died").exists()
    assert len(result.games) == len(plain.games) == 6
    assert not any("died" in game.record.ending for game in result.games)


def test_an_idle_worker_that_dies_is_replaced() -> None:
    with Workers(1, game=GAME) as workers:
        expected = moves_of(play_match("random", FIRST, openings(1), workers=workers, seed=1, game=GAME))
        process = workers._workers[0].process
        process.kill()
        process.end()
        assert moves_of(play_match("random", FIRST, openings(1), workers=workers, seed=1, game=GAME)) == expected


def test_players_that_cannot_be_built_end_the_match_with_one_line(two: Workers) -> None:
    with pytest.raises(ArenaError, match="no player is called 'rndom'"):
        play_match("rndom", "random", openings(1), workers=two, seed=1, game=GAME)
    with pytest.raises(ArenaError, match="OSError: the disk is on fire"):
        play_match("random", f"{HERE}.Unbuildable", openings(1), workers=two, seed=1, game=GAME)
    assert issubclass(AgentError, ValueError)


def test_a_match_left_early_does_not_disturb_the_next(two: Workers) -> None:
    expected = moves_of(play_match("random", FIRST, openings(3), workers=two, seed=1, game=GAME))
    test = SequentialTest(0.5, 0.9, alpha=0.4, beta=0.4)
    play_match(FIRST, f"{HERE}.Raising", openings(30), workers=two, seed=1, test=test, game=GAME)
    assert moves_of(play_match("random", FIRST, openings(3), workers=two, seed=1, game=GAME)) == expected


def test_a_game_that_nobody_waits_for_any_more_is_cut_off() -> None:
    with Workers(1, game=GAME) as workers:
        expected = moves_of(play_match("random", FIRST, openings(1), workers=workers, seed=1, game=GAME))
        spec = f"{HERE}.Hanging"
        results = workers.play(_tasks(spec, spec, openings(1), 1, GAME))
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            next(results)
        assert moves_of(play_match("random", FIRST, openings(1), workers=workers, seed=1, game=GAME)) == expected


def test_the_sequential_test_ends_a_match_at_the_same_pair_whatever_the_workers(two: Workers) -> None:
    test = SequentialTest.of_elo(0, 100)
    ended = play_match("greedy", "random", openings(40), workers=two, seed=1, test=test, game=GAME)
    assert ended.verdict is not None
    assert ended.verdict.accepted == "h1"
    assert not ended.verdict.at_limit
    assert len(ended.games) == 2 * ended.verdict.pairs < ended.planned
    with Workers(1, game=GAME) as one:
        again = play_match("greedy", "random", openings(40), workers=one, seed=1, test=test, game=GAME)
    assert moves_of(again) == moves_of(ended)
    assert again.verdict == ended.verdict


def test_duplicates_do_not_move_the_sequential_test(two: Workers) -> None:
    test = SequentialTest.of_elo(0, 100)
    result = play_match(FIRST, f"{HERE}.Raising:after=5", openings(1) * 40, workers=two, seed=1, test=test, game=GAME)
    assert result.verdict is not None
    assert result.verdict.pairs == 1
    assert result.verdict.at_limit
    assert result.verdict.accepted == "h0"
    assert result.duplicates == 78


def test_ctrl_c_ends_a_match_with_what_was_played() -> None:
    def on_game(game: MatchGame, match: MatchResult) -> None:
        if len(match.games) == 3:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

    with Workers(2, game=GAME) as workers:
        result = play_match("random", "random", openings(300), workers=workers, seed=1, on_game=on_game, game=GAME)
    assert result.interrupted
    assert 3 <= len(result.games) < 600
    assert summarise(result).total.games == len(result.games)


def test_workers_have_one_thread_each_and_leave_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    before = dict(os.environ)
    with Workers(1, game=GAME) as workers:
        assert dict(os.environ) == before
        result = play_match(f"{HERE}.Threads", FIRST, openings(1), workers=workers, seed=1, game=GAME)
    assert dict(os.environ) == before
    assert [game.record.ending for game in result.games] == ["error: RuntimeError: 1 1 1 1 1"] * 2


@pytest.mark.parametrize("settings", [{"count": 0}, {"count": 1, "move_seconds": 0.0}])
def test_impossible_workers_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ArenaError, match="expected"):
        Workers(game=GAME, **settings)  # type: ignore[arg-type]


def game(number: int, score: float) -> MatchGame:
    side = "green" if number % 2 == 0 else "red"
    result = {1.0: side, 0.5: "draw", 0.0: {"green": "red", "red": "green"}[side]}[score]
    record = GameRecord.of(Position.start(), [], green="a", red="b", result=result, ending="agreement")
    return MatchGame(number, PlayedGame(record))


def test_pairs_are_counted_by_their_points() -> None:
    scores = [1, 1, 1, 0.5, 0, 1, 0.5, 0.5, 0, 0.5, 0, 0, 1]
    games = [game(number, float(score)) for number, score in enumerate(scores)]
    assert pair_counts(games) == [1, 1, 2, 1, 1]
    weights = pair_weights(games)
    assert weights == (1, 1, 2, 1, 1.5)
    assert np.dot(weights, [0, 0.25, 0.5, 0.75, 1]) / sum(weights) == pytest.approx(sum(scores) / len(scores))
    summary = summarise(MatchResult("a", "b", tuple(games), 14))
    assert (summary.total.wins, summary.total.draws, summary.total.losses) == (5, 4, 4)
    assert (summary.as_first.wins, summary.as_first.losses) == (3, 3)
    assert (summary.as_second.wins, summary.as_second.losses) == (2, 1)
    written = as_json(summary)
    assert written["as_first"] == written["as_green"] == {"wins": 3, "draws": 1, "losses": 3}
    assert written["as_second"] == written["as_red"] == {"wins": 2, "draws": 3, "losses": 1}


def test_pairs_that_the_opening_decided_are_named() -> None:
    """The player who has the better side wins both games, and the score says nothing."""
    decided = [game(number, 1.0 if number % 2 == 0 else 0.0) for number in range(10)]
    fought = [game(number, 1.0) for number in range(10, 18)]
    summary = summarise(MatchResult("a", "b", (*decided, *fought), 18))
    assert summary.by_seat == 5
    assert as_json(summary)["pairs_by_seat"] == 5
    (line,) = remarks([summary])
    assert "a against b: 5 of 9 pairs were won by the same side whoever had it" in line
    assert line.endswith("openings=balanced begins with even ones")
    assert "openings=" not in remarks([summary], balanced=True)[0]
    drawn = [game(number, 0.5) for number in range(20)]
    assert remarks([summarise(MatchResult("a", "b", (*decided, *drawn[10:]), 20))]) == [line.replace("9", "10")]
    for quiet in (drawn, [*decided[:4], *fought], decided[:6]):
        assert remarks([summarise(MatchResult("a", "b", tuple(quiet), 20))]) == []
