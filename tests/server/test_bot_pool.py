"""The pool that bots think in."""

import asyncio
import threading

import pytest

from alphadiamond.engine.settings import EngineSettings
from alphadiamond.engine.workers import ThreadLink
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.runner import Link, Runner
from alphadiamond.runner.links import Ended, Heard
from alphadiamond.server import bot_pool
from alphadiamond.server.bot_pool import BotPool, Thought
from alphadiamond.server.players import bots_of
from tests.engine.players import HERE
from tests.runner.programs import spec_of

LONG = "mcts:seconds=600"
START = str(GAME.start())


async def asked(pool: BotPool, spec: str, *, moves: list[str] | None = None, opinion: bool = False) -> Thought:
    done: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
    pool.ask("diamond_chase", spec, START, moves or [], done.set_result, opinion=opinion)
    return await asyncio.wait_for(done, 60)


def test_moves_opinions_and_faults_come_back() -> None:
    async def run() -> None:
        pool = BotPool(1, seconds=0.2)
        pool.start()
        legal = [str(move) for move in GAME.start().play("si-cs").moves()]
        assert (await asked(pool, LONG, moves=["si-cs"])).move in legal  # by the pool's time
        opinion = await asked(pool, "minimax:depth=2", moves=["si-cs"], opinion=True)
        assert sorted(one.move for one in opinion.moves) == sorted(legal)
        assert all(one.path and one.variation[0] == one.move for one in opinion.moves)
        assert "ZeroDivisionError" in (await asked(pool, f"{HERE}.Raising")).fault
        assert "no player is called" in (await asked(pool, "nobody")).fault
        await pool.stop()

    asyncio.run(run())


def test_a_thought_that_is_taken_back_makes_room_for_the_next() -> None:
    async def run() -> None:
        pool = BotPool(1, seconds=600)
        pool.start()
        told: list[Thought] = []
        thinking = pool.ask("diamond_chase", LONG, START, [], told.append)
        waiting = pool.ask("diamond_chase", LONG, START, [], told.append)
        while thinking.at_work is None:
            await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.sleep(0.2)
        thinking.cancel()
        assert (await asked(pool, "random")).move
        assert [thought.fault for thought in told] == ["taken back", "taken back"]
        assert pool.queued == 0
        await pool.stop()

    asyncio.run(run())


def test_a_thought_that_is_taken_back_and_does_not_end_costs_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "_TAKEN_BACK_GRACE", 0.2)

    async def run() -> None:
        pool = BotPool(1, seconds=600)
        pool.start()
        told: list[Thought] = []
        thinking = pool.ask("diamond_chase", f"{HERE}.Deaf", START, [], told.append)
        while thinking.at_work is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)
        thinking.cancel()
        assert (await asked(pool, "random")).move
        assert [thought.fault for thought in told] == ["taken back"]
        await pool.stop()

    asyncio.run(run())


@pytest.mark.parametrize("error", [OSError(11, "no more processes"), RuntimeError("can't start new thread")])
def test_a_process_that_cannot_be_started_is_tried_again(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    broken = True

    def connect(heard: Heard, ended: Ended) -> Link:
        if broken:
            raise error
        return ThreadLink(EngineSettings(threads=1, searches=1), heard, ended)

    monkeypatch.setattr(bot_pool, "engine_runner", lambda: Runner(connect))

    async def run() -> None:
        nonlocal broken
        pool = BotPool(1, seconds=5)
        pool.start()
        assert str(error.args[-1]) in (await asked(pool, "random")).fault
        broken = False
        assert (await asked(pool, "random")).move
        await pool.stop()

    asyncio.run(run())


def test_a_program_among_the_server_s_bots_is_known_by_its_name_alone() -> None:
    spec = spec_of("good", name="rival")
    bot = next(bot for bot in bots_of(GAME, more=[spec]) if bot.spec == spec)
    assert (bot.name, bot.title) == ("@rival", "rival")

    async def run() -> None:
        pool = BotPool(1, seconds=5)
        pool.start()
        assert (await asked(pool, spec)).move
        assert (await asked(pool, spec, opinion=True)).moves
        await pool.stop()

    asyncio.run(run())


def test_an_opinion_that_made_room_before_it_had_anything_gets_another_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([{}, {"best": "si-cs", "moves": []}])

    class Hurried:
        def ask(self, query: object, heard: Heard, **options: object) -> int:
            threading.Thread(target=heard, args=(next(answers),)).start()
            return 1

        def start(self) -> None:
            pass

        def cancel(self, question: int, *, patience: float) -> None:
            pass

        def close(self) -> None:
            pass

    monkeypatch.setattr(bot_pool, "engine_runner", Hurried)

    async def run() -> None:
        pool = BotPool(1, seconds=600)
        told: list[Thought] = []
        order = pool.ask("diamond_chase", LONG, START, [], told.append, opinion=True)
        order.hurried = True
        pool.start()
        while not told:
            await asyncio.sleep(0.01)
        assert [thought.move for thought in told] == ["si-cs"]
        await pool.stop()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_move_does_not_wait_for_an_opinion() -> None:
    async def run(count: int) -> None:
        pool = BotPool(count, seconds=600)
        pool.start()
        assert (await asked(pool, "mcts:simulations=10", opinion=True)).moves  # now loading takes nobody's time
        told: list[Thought] = []
        for _ in range(3):
            pool.ask("diamond_chase", LONG, START, [], told.append, opinion=True)
        while pool.queued == 3:
            await asyncio.sleep(0.01)
        assert (await asked(pool, "random")).move
        if count > 1:
            assert told == [], "one process takes moves alone"
        else:
            while not told:  # it may have only just begun
                assert (await asked(pool, "random")).move
            assert told[0].moves, "it has to answer with what it has"
        await pool.stop()

    asyncio.run(run(2))
    asyncio.run(run(1))
