"""A profile's results by opponent and opening, and mistakes by exact value."""

import random
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.arena.mistakes import Mistakes, mistakes_of
from alphadiamond.games import load
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client
from tests.server.server_process import ServerProcess, pair, play_both, run


def test_results_are_counted_by_opponent_and_opening_and_mistakes_by_the_solution(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, bot_processes=1).start()

    async def play() -> tuple[list[str], str]:
        async with Client(server.address, name="Ada") as ada, Client(server.address, name="Bob") as bob:
            first, second = await pair(ada, bob, m.Terms("dame", seat=0))
            await play_both(ada, bob, first, second)
            return first.moves, str(first.result)

    moves, result = run(play())
    found = server.json("/api/people/Ada/results/dame")
    won = {"first": "won", "second": "lost", "draw": "drawn"}[result]
    tally = {"won": 0, "drawn": 0, "lost": 0, won: 1}
    assert found["opponents"] == [{"name": "Bob", **tally}]
    assert found["openings"] == [{"moves": " ".join(moves[:2]), "seat": 0, **tally}]
    game = load("dame")
    solution = game.solution()
    assert solution is not None
    made = mistakes_of(game, solution, 0, "", moves)
    mistakes = found["mistakes"]
    assert [mistakes[word] for word in ("games", "moves", "critical", "wins_lost", "draws_lost")] == [
        1,
        made.moves,
        made.critical,
        made.wins,
        made.draws,
    ]
    assert server.json("/api/people/Ada/results/connect_four") == {
        "game": "connect_four",
        "opponents": [],
        "openings": [],
        "mistakes": None,
    }
    assert server.stop() == 0


def test_a_move_that_gives_a_win_away_is_a_mistake_and_the_best_one_is_none() -> None:
    game = load("dame")
    solution = game.solution()
    assert solution is not None
    rng = random.Random(4)
    position = game.sample_start()
    while True:
        values = solution.action_values(game.state_of(position)[None])[0][0]
        worth = {str(move): int(values[move.action]) for move in position.moves()}
        if len(set(worth.values())) > 1:
            break
        position = position.play(rng.choice(position.moves()))
    seat, start = game.sides.index(position.side), str(position)
    best, worst = max(worth, key=worth.__getitem__), min(worth, key=worth.__getitem__)
    assert mistakes_of(game, solution, seat, start, [best]) == Mistakes(1, 1)
    assert mistakes_of(game, solution, seat, start, [worst]).given_away == 1
