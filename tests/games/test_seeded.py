"""A game whose board is drawn anew goes through everything that plays, learns, records and shows, and nobody asks for a
second start."""

import asyncio
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from alphadiamond import games
from alphadiamond.agents import make_agent
from alphadiamond.arena import Workers, play_game, play_match
from alphadiamond.arena.exam_builder import canonical_keys, make_exam
from alphadiamond.arena.openings import even_openings, random_openings
from alphadiamond.arena.pairs import make_pairings, play_pairs
from alphadiamond.base.game import ILLEGAL, Purpose, States
from alphadiamond.base.record import RecordError
from alphadiamond.engine.queries import Query, QueryError, read_line
from alphadiamond.games.records import parse_records, read_records
from alphadiamond.network import Evaluator, ModelConfig, build_model
from alphadiamond.play.library import Library
from alphadiamond.play.session import Session
from alphadiamond.server import records as server_records
from alphadiamond.server.board_snapshots import describe, scenes_of
from alphadiamond.server.online_game import OnlineGame
from alphadiamond.terminal.game import TerminalGame
from alphadiamond.terminal.screen import Screen
from alphadiamond.training.loop import Training
from alphadiamond.training.replay_buffer import read_samples
from alphadiamond.training.rundir import RunDirectory, read_metrics
from alphadiamond.training.selfplay import SelfPlay
from alphadiamond.training.worker import WorkerJob
from alphadiamond.training.workers import InlineWorkers
from tests.games.coins import GAME, Coins, Move, Position
from tests.server.thoughts import thought_of
from tests.training.small import MODEL, SELFPLAY, settings


@pytest.fixture(scope="module", autouse=True)
def known() -> Iterator[None]:
    before = dict(games.GAMES)
    games.register("coins", "tests.games.coins:GAME")
    yield
    games.GAMES.clear()
    games.GAMES.update(before)


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The seeds that starts were asked for with, from now on."""
    found: list[int | None] = []
    start, _ = Coins.start, GAME.position_class  # which looks at a start of its own, once
    monkeypatch.setattr(Coins, "start", lambda self, seed=None: (found.append(seed), start(self, seed))[1])
    return found


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Position:
    """A start after which no other may be asked for."""
    start = GAME.start(5)

    def second(self: Coins, seed: int | None = None) -> Position:
        raise AssertionError("a second start")

    _ = GAME.position_class  # which looks at a start of its own, once
    monkeypatch.setattr(Coins, "start", second)
    return start


def untrained(seed: int = 1) -> Any:
    return build_model(ModelConfig(kind="mlp", width=8, blocks=1), GAME, seed=seed)


def states_of_boards(count: int) -> States:
    """Positions that differ by their boards, and whose keys are few."""
    rng, states = np.random.default_rng(1), []
    for seed in range(count):
        position = GAME.start(seed)
        for _ in range(int(rng.integers(4))):
            position = position.play(position.moves()[rng.integers(2)])
        states.append(GAME.state_of(position))
    return np.array(states)


def boards(states: States) -> list[tuple[int, ...]]:
    return [tuple(row) for row in states[:, :2].tolist()]


def test_each_purpose_draws_from_seeds_of_its_own() -> None:
    rng = np.random.default_rng(1)
    for one in Purpose:
        assert all(one.draw(rng) in one.seeds for _ in range(100))
        for other in Purpose:
            assert one is other or one.seeds.stop <= other.seeds.start or other.seeds.stop <= one.seeds.start


def test_a_seed_draws_a_board_and_no_seed_draws_any() -> None:
    assert GAME.start(3) == GAME.start(3) == GAME.parse(str(GAME.start(3)))
    assert len({GAME.start(seed) for seed in range(20)}) == 20
    assert len({GAME.start() for _ in range(20)}) > 1


def test_a_game_that_draws_no_board_takes_nothing_from_the_generator() -> None:
    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    game = games.load("dame")
    assert game.drawn_start(rng, Purpose.TRAINING) == game.start()
    assert rng.integers(1 << 60) == other.integers(1 << 60)


def test_the_cache_never_takes_one_board_for_another() -> None:
    model, states = untrained(), states_of_boards(200)
    plain = Evaluator(model, device="cpu", threads=1)(states)
    cached = Evaluator(model, device="cpu", threads=1, cache=4096)
    for _ in range(2):
        for found, expected in zip(cached(states), plain, strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-6)
    assert cached.stats.hits > 0, "and it is of use"
    assert len(np.unique(GAME.expand(states, np.full(200, -1, dtype=np.int16))[1])) < 20, "though keys are few"


def test_symmetries_turn_the_board_with_the_position() -> None:
    states = states_of_boards(50)
    images = GAME.images(states, np.ones(50, dtype=np.int64))
    for action in (0, 1):
        after = GAME.images(GAME.expand(states, np.full(50, action, dtype=np.int16))[0], np.ones(50, dtype=np.int64))
        assert (GAME.expand(images, np.full(50, 1 - action, dtype=np.int16))[0] == after).all()
    keys = canonical_keys(GAME, np.concatenate([states, images]))
    assert (keys[:50] == keys[50:]).all()
    assert len(np.unique(keys)) == len({min(pair) for pair in zip(map(tuple, states), map(tuple, images), strict=True)})


def test_self_play_draws_a_board_for_each_game(seeds: list[int | None]) -> None:
    play = SelfPlay(replace(SELFPLAY, games=8, rounds=24, random_starts=0.5), seed=1, game=GAME)
    evaluator = Evaluator(untrained(), device="cpu", threads=1, cache=1024)
    samples, summaries = play.play(evaluator, iteration=1)
    assert samples is not None
    assert len(set(boards(samples.states))) > 8, "games that ended made room for others"
    assert len(summaries) <= len(seeds)
    assert all(seed in Purpose.TRAINING.seeds for seed in seeds)
    at = 0
    for summary in summaries:
        assert len(set(boards(samples.states[at : at + summary.plies]))) == 1, "a game stays on its board"
        at += summary.plies


class Note:
    """Plays at random, and remembers what it was asked about."""

    def __init__(self, seed: int) -> None:
        self.agent = make_agent("random", game=GAME, seed=seed)
        self.asked: list[list[Position]] = []

    def choose_many(self, positions: Sequence[Position]) -> list[Move]:
        self.asked.append(list(positions))
        return self.agent.choose_many(positions)


def test_a_pair_plays_one_board_twice(seeds: list[int | None]) -> None:
    pairings = make_pairings(6, np.random.default_rng(1), plies=2, placements=0.5, game=GAME)
    assert len({pairing.start.coins for pairing in pairings}) == 6
    drawn = list(seeds)
    assert all(seed in Purpose.MATCH.seeds for seed in drawn)
    one, two = Note(1), Note(2)
    assert len(play_pairs(one, two, pairings)) == 6
    starts = [pairing.start for pairing in pairings]
    assert one.asked[0] == starts
    assert starts in two.asked, "and then the other begins there"
    assert seeds == drawn, "no further start"


def test_openings_and_even_ones_are_of_many_boards(seeds: list[int | None]) -> None:
    rng = np.random.default_rng(1)
    found = random_openings(30, plies=1, rng=rng, game=GAME)
    assert len({one.coins for one in found}) > 20

    def judge(positions: Sequence[Position]) -> npt.NDArray[np.float64]:
        return np.array([one.lead / 9 for one in positions])

    even = even_openings(10, judge, rng=rng, game=GAME)
    assert max(abs(one.lead) for one in even) <= 1
    assert all(seed in Purpose.MATCH.seeds for seed in seeds)


def test_a_match_of_processes_carries_its_openings(begun: Position) -> None:
    openings = [begun, begun.play("left")]
    with Workers(1, game=GAME) as workers:
        result = play_match("random", "minimax:depth=2", openings, workers=workers, seed=1, game=GAME)
    assert [game.record.start for game in result.games] == [openings[0], openings[0], openings[1], openings[1]]
    for game in result.games:
        (again,) = parse_records(str(game.record))
        assert again == game.record


def test_a_record_without_its_start_is_refused(begun: Position) -> None:
    player = make_agent("minimax:depth=3", game=GAME, seed=1)
    record = play_game(player, player, begun, game=GAME).record
    lines = [line for line in str(record).splitlines() if not line.startswith("[Start")]
    with pytest.raises(RecordError, match="no two games of Coins in a row begin alike"):
        parse_records("\n".join(lines))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, known: None) -> RunDirectory:
    of = settings(iterations=2, game="coins", selfplay=replace(SELFPLAY, games=16, rounds=10))
    of.gate.every = of.evaluation.every = of.evaluation.exam_every = 1
    of.evaluation.baselines = ["random"]
    directory = RunDirectory(tmp_path_factory.mktemp("run"))
    job = WorkerJob(MODEL, of.selfplay, of.seed, "cpu", of.cache, GAME)
    Training(of, directory, InlineWorkers(job, count=1)).run()
    return directory


def test_a_run_goes_through_every_stage(run: RunDirectory) -> None:
    *_, last = read_metrics(run.metrics)
    assert last["gate/pairs"] > 0
    assert 0 <= last["score/random"] <= 1
    samples = read_samples(run.sample_files()[1])
    assert len(set(boards(samples.states))) > 8


def test_the_network_plays_every_board(run: RunDirectory, begun: Position) -> None:
    player = make_agent(f"neural:checkpoint={run.path},simulations=30,device=cpu", game=GAME, seed=1)
    record = play_game(player, make_agent("mcts:simulations=20", game=GAME, seed=1), begun, game=GAME).record
    assert record.final.outcome is not None


class Exact:
    """The whole game, board by board."""

    def values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, distances = np.zeros(len(states), dtype=np.int8), np.zeros(len(states), dtype=np.int16)
        for b, row in enumerate(states):
            one = GAME.position_of(row)
            left = one.coins[one.left : len(one.coins) - one.right]
            values[b] = np.sign(one.lead + self._margin(left))
            distances[b] = len(left) if values[b] else 0
        return values, distances

    def action_values(self, states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
        values, distances = (
            np.full((len(states), 2), ILLEGAL, dtype=np.int8),
            np.zeros((len(states), 2), dtype=np.int16),
        )
        for b, row in enumerate(states):
            one = GAME.position_of(row)
            for move in one.moves():
                found, plies = self.values(GAME.states_of([one.play(move)]))
                values[b, move.action], distances[b, move.action] = -found[0], plies[0] + 1
        return values, distances

    def _margin(self, coins: tuple[int, ...]) -> int:
        best = {(at, at): 0 for at in range(len(coins) + 1)}
        for size in range(1, len(coins) + 1):
            for at in range(len(coins) - size + 1):
                end = at + size
                best[at, end] = max(coins[at] - best[at + 1, end], coins[end - 1] - best[at, end - 1])
        return best[0, len(coins)]


def test_an_exam_asks_about_boards_that_nobody_else_sees(seeds: list[int | None]) -> None:
    exam = make_exam(GAME, Exact(), positions=40, games=3, seed=1)
    assert len(exam) == 40
    assert len(set(boards(exam.states))) > 10
    assert all(seed in Purpose.EXAM.seeds for seed in seeds)
    assert all(exam.position(i).coins for i in range(40))


def test_the_engine_is_told_where_a_game_began(begun: Position) -> None:
    with pytest.raises(QueryError, match="no two games of Coins in a row begin alike"):
        read_line(b'{"id": 1, "game": "coins", "moves": ["left"]}', "coins")
    query = read_line(f'{{"id": 1, "game": "coins", "position": "{begun}", "moves": ["left"]}}'.encode(), "coins")
    assert isinstance(query, Query)
    assert query.positions == {1: begun.play("left")}


def test_a_terminal_plays_keeps_and_reads_one_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: Position
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path, out = tmp_path / "kept.game", io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"left\nback\nright\nsave {path}\nquit\n"))
    library = Library()
    try:
        session = Session(second="random", game=GAME, start=begun)
        TerminalGame(session, Screen(out, plain=False), library=library, seed=1).run()
    finally:
        library.close()
    (record,) = read_records(path)
    assert record.start == begun
    assert str(record.moves[0]) == "right"
    again = Session.of_record(record)
    assert again.rematch(swap=True).start == begun
    assert again.drawing.coins == begun.coins  # type: ignore[attr-defined]


def test_the_server_keeps_a_game_with_its_board(begun: Position) -> None:
    made = OnlineGame(
        GAME,
        number=1,
        code="abc",
        people=(1, 2),
        bots=(False, False),
        rated=False,
        clock=None,
        start=begun,
        now=0,
    )
    made.play(0, 0, "left", 0)
    made.play(1, 1, "right", 0)
    made.take_back(1, 0)
    assert made.position == begun.play("left")
    thought = asyncio.run(thought_of("coins", "minimax:depth=2", str(begun), made.moves))
    assert thought.move in ("left", "right"), thought.fault
    text = server_records.write(
        GAME, str(begun), ["left"], ("one", "two"), result=None, ending=None, date="2026-11-18", tags={}
    )
    assert parse_records(text)[0].start == begun
    drawing = GAME.drawing_for(begun)
    assert drawing is not None
    assert len(scenes_of(drawing, begun, made.moves)) == 2


def test_the_board_that_is_drawn_is_the_one_that_is_asked_for() -> None:
    described = describe(GAME, str(GAME.start(7)))
    assert described is not None
    assert describe(GAME, "no board") is None
