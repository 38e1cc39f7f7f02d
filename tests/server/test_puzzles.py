"""Puzzles from the exams: given, judged by exact values, rated; and nothing is told before the answer."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.arena.exam import Exam
from alphadiamond.games import load
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.puzzles import Puzzles, first_rating
from alphadiamond.server.queries import Reader
from alphadiamond.server.storage import Store
from tests.server.server_process import ServerProcess, run

ADA, BOB = 1, 2
GAMES = {name: load(name) for name in ("dame", "connect_four", "labyrinth")}


def with_puzzles(directory: Path, use: Callable[[Puzzles, Store], Any]) -> None:
    async def main() -> None:
        store = Store(directory)
        puzzles = Puzzles(GAMES, store=store, reader=(reader := Reader(store.path)), rng=random.Random(1))
        store.start()
        try:
            await use(puzzles, store)
        finally:
            reader.close()
            await store.close()

    asyncio.run(main())


async def answer(puzzles: Puzzles, store: Store, given: m.PuzzleGiven, move: str | None, at: int = 1) -> m.PuzzleSolved:
    solved, wanted = await puzzles.solve(ADA, m.Solve(of=given.of, puzzle=given.puzzle, move=move), at=at)
    written = asyncio.Event()
    store.write(wanted, written.set)
    await written.wait()
    return solved


def right_moves(given: m.PuzzleGiven) -> set[str]:
    """By the game's own exact solution, which the puzzles do not use."""
    game = load(given.of)
    position = game.parse(given.puzzle)
    solution = game.solution()
    assert solution is not None
    values, _ = solution.action_values(game.state_of(position)[None])
    best = max(values[0, move.action] for move in position.moves())
    return {str(move) for move in position.moves() if values[0, move.action] == best}


def test_a_puzzle_stays_until_it_is_answered_and_right_is_what_the_solution_says(tmp_path: Path) -> None:
    async def use(puzzles: Puzzles, store: Store) -> None:
        for round_ in range(6):
            given = await puzzles.give(ADA, m.Puzzle(of="dame"))
            assert given == await puzzles.give(ADA, m.Puzzle(of="dame"))
            wanted = right_moves(given)
            legal = [text for text, _ in given.legal]
            move = legal[round_ % len(legal)]
            solved = await answer(puzzles, store, given, move)
            assert set(solved.keeping) == wanted
            assert solved.right == (move in wanted)

    with_puzzles(tmp_path, use)


def test_nothing_of_the_answer_is_told_before_the_move(tmp_path: Path) -> None:
    async def use(puzzles: Puzzles, store: Store) -> None:
        given = await puzzles.give(ADA, m.Puzzle(of="connect_four"))
        told = json.loads(msgspec.json.encode(given))
        known = {"type", "of", "puzzle", "scene", "turn", "legal", "goal", "rating", "mine"}
        assert set(told) <= known
        assert set(told["scene"]) == {"pieces"}
        position = load("connect_four").parse(given.puzzle)
        assert [text for text, _ in given.legal] == [str(move) for move in position.moves()]

    with_puzzles(tmp_path, use)


def test_ratings_move_as_in_a_game_against_the_puzzle_and_outlast_a_restart(tmp_path: Path) -> None:
    async def use(puzzles: Puzzles, store: Store) -> None:
        given = await puzzles.give(ADA, m.Puzzle(of="dame"))
        good = next(iter(right_moves(given)))
        solved = await answer(puzzles, store, given, good)
        assert solved.change is not None
        assert solved.mine is not None
        assert given.rating is not None
        assert solved.rating is not None
        assert solved.change.after > solved.change.before == 1500
        assert solved.rating < given.rating
        assert (solved.mine.right, solved.mine.wrong) == (1, 0)
        given = await puzzles.give(ADA, m.Puzzle(of="dame"))
        lost = await answer(puzzles, store, given, None, at=2)
        assert not lost.right
        assert lost.change is not None
        assert lost.change.after < lost.change.before

    async def again(puzzles: Puzzles, store: Store) -> None:
        given = await puzzles.give(ADA, m.Puzzle(of="dame"))
        assert given.mine is not None
        assert (given.mine.right, given.mine.wrong) == (1, 1)
        found = await puzzles.standings(ADA, puzzles._reader)
        assert [len(found["dame"]["curve"]), found["dame"]["right"]] == [2, 1]
        assert await puzzles.standings(BOB, puzzles._reader) == {}

    with_puzzles(tmp_path, use)
    with_puzzles(tmp_path, again)


def test_only_the_puzzle_that_was_given_can_be_answered_and_only_once(tmp_path: Path) -> None:
    async def use(puzzles: Puzzles, store: Store) -> None:
        given = await puzzles.give(ADA, m.Puzzle(of="dame"))
        exam = Exam.load(game=load("dame"))
        other = next(str(exam.position(number)) for number in range(2) if str(exam.position(number)) != given.puzzle)
        for person, puzzle, move, code in (
            (ADA, other, None, "late"),
            (BOB, given.puzzle, None, "late"),
            (ADA, given.puzzle, "zz", "illegal"),
        ):
            with pytest.raises(RefusedError) as error:
                await puzzles.solve(person, m.Solve(of="dame", puzzle=puzzle, move=move), at=1)
            assert error.value.code == code
        await answer(puzzles, store, given, None)
        with pytest.raises(RefusedError):
            await puzzles.solve(ADA, m.Solve(of="dame", puzzle=given.puzzle), at=1)
        with pytest.raises(RefusedError):
            await puzzles.give(ADA, m.Puzzle(of="tic_tac_toe"))

    with_puzzles(tmp_path, use)


def test_a_puzzle_with_fewer_right_moves_begins_with_a_higher_rating() -> None:
    values = [first_rating(share).value for share in (0.9, 0.5, 0.25, 0.1)]
    assert values == sorted(values)
    assert values[1] == 1200


def test_puzzles_go_over_the_socket_and_are_on_disk_before_they_are_told(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def play() -> None:
        async with Client(server.address, name="Ada") as ada, Client(server.address) as guest:
            given = await ada.ask(m.Puzzle(of="dame"))
            assert isinstance(given, m.PuzzleGiven)
            solved = await ada.ask(m.Solve(of="dame", puzzle=given.puzzle, move=given.legal[0][0]))
            assert isinstance(solved, m.PuzzleSolved)
            with sqlite3.connect(server.database) as database:
                assert database.execute("SELECT count(*) FROM puzzle_tries").fetchone() == (1,)
            with pytest.raises(OnlineError) as error:
                await guest.ask(m.Puzzle(of="dame"))
            assert error.value.code == "hello"

    run(play())
    assert server.stop() == 0


def test_puzzles_that_nobody_answers_do_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphadiamond.server.puzzles._HELD", 3)

    async def use(puzzles: Puzzles, store: Store) -> None:
        given = [await puzzles.give(person, m.Puzzle(of="dame")) for person in range(1, 6)]
        assert sorted(person for person, _ in puzzles._given) == [3, 4, 5]
        with pytest.raises(RefusedError, match="ask for it again"):
            await puzzles.solve(1, m.Solve(of="dame", puzzle=given[0].puzzle), at=1)
        assert (await puzzles.give(5, m.Puzzle(of="dame"))).puzzle == given[4].puzzle

    with_puzzles(tmp_path, use)
