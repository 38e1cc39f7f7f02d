"""How much of the server one person or one address can take."""

import asyncio
import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.games import load
from alphadiamond.online import messages as m
from alphadiamond.server import board_snapshots, game_rows
from alphadiamond.server.audit import audit
from alphadiamond.server.online_game import OnlineGame, Patience
from alphadiamond.server.storage import FILE
from tests.server.local import LocalServer, local_server

RANDOM = m.Bot(bot="@random", terms=m.Terms("diamond_chase", seat=0))
HOUR = 3_600_000
DAY = 24 * HOUR


def bot_game(**options: Any) -> m.Bot:
    return m.Bot(bot="@random", terms=m.Terms("diamond_chase", seat=0, **options))


def test_places_with_bots_are_for_those_who_are_here_and_an_address_has_its_share(tmp_path: Path) -> None:
    async def play() -> None:
        async with local_server(tmp_path, bot_games=4, bot_games_per_address=3) as server:
            greedy = await server.come("Greedy", address="10.0.0.1")
            for _ in range(3):
                assert isinstance(await greedy.ask(bot_game()), m.Ok)
            mate = await server.come("Mate", address="10.0.0.1")
            refused = await mate.ask(bot_game())
            assert (refused.code, "address" in refused.message) == ("limit", True)
            elsewhere = await server.come("Elsewhere", address="10.0.0.2")
            assert isinstance(await elsewhere.ask(bot_game()), m.Ok)
            late = await server.come("Late", address="10.0.0.3")
            assert "busy" in (await late.ask(bot_game())).message
            greedy.leave()
            assert "busy" in (await late.ask(bot_game())).message, "who was here just now comes back"
            for online_game in server.dispatcher.game_manager.going.values():
                online_game.away = [None if gone is None else gone - 700_000 for gone in online_game.away]
            assert isinstance(await late.ask(bot_game()), m.Ok)
            assert len(server.dispatcher.game_manager.going) == 5, "the games of who is gone go on"
            assert "address" in (await mate.ask(bot_game())).message

    asyncio.run(play())


def made(clock: m.Clock | None, *, bot: bool, began: int = 0) -> OnlineGame:
    game = load("diamond_chase")
    return OnlineGame(
        game,
        number=1,
        code="x",
        people=(1, 2),
        bots=(False, bot),
        rated=False,
        clock=clock,
        start=game.start(),
        now=began,
        patience=Patience(),
    )


def test_a_game_without_clocks_that_its_person_has_left_to_a_bot_is_aborted_after_hours() -> None:
    left, attended, between_people = made(None, bot=True), made(None, bot=True), made(None, bot=False)
    for one in (left, between_people):
        one.away[0] = 0
    for one in (left, attended, between_people):
        assert not one.lapse(2 * HOUR)
    assert left.lapse(3 * HOUR)
    assert (left.result, left.ending) == ("aborted", "unattended")
    assert not attended.lapse(13 * DAY)
    assert not between_people.lapse(13 * DAY)


def test_restarts_give_a_game_without_clocks_no_new_time_but_some_minutes() -> None:
    for bot, limit in ((True, 3 * HOUR), (False, 14 * DAY)):
        again = made(None, bot=bot)
        start = again.start
        moves = [(str(move), 1000, None) for move in start.moves()[:1]]
        reply = start.play(start.moves()[0])
        moves.append((str(reply.moves()[0]), 2000, None))
        again.restore(moves, limit + 5 * HOUR)  # long after it was due
        assert not again.lapse(limit + 5 * HOUR + 500_000), "somebody may just be coming back"
        assert again.lapse(limit + 5 * HOUR + 600_000)
        soon = made(None, bot=bot)
        soon.restore(moves, 10_000)
        assert soon.deadline() == 2000 + limit
        future = made(None, bot=bot)
        future.restore(moves, 500)  # the clock was set back
        assert (future.deadline() or 0) <= 500 + limit


def test_an_aborted_game_with_a_bot_is_gone_on_with_where_it_was(tmp_path: Path) -> None:
    async def play() -> tuple[list[str], list[str]]:
        async with local_server(tmp_path, unattended_hours=0.001, speed=1000) as server:
            ada = await server.come("Ada")
            assert isinstance(await ada.ask(bot_game(rated=True)), m.Ok)
            code = ada.game().game
            assert isinstance(await ada.ask(m.Move(game=code, ply=0, move=ada.game().legal[0][0])), m.Ok)
            await ada.until(lambda event: isinstance(event, m.Moved) and event.ply == 1)
            token = ada.heard[0].token
            ada.leave()
            while code in server.dispatcher.game_manager.going:
                await asyncio.sleep(0.01)
            again = await server.come(token=token)
            await again.ask(m.Watch(game=code))
            old = again.game()
            assert (old.result, old.ending, old.changes) == ("aborted", "unattended", None)
            assert isinstance(await again.ask(m.Resume(game=code)), m.Ok)
            new = again.game()
            assert (new.moves, new.rated, new.seat) == (old.moves, False, old.seat)
            assert (await again.ask(m.Resume(game=new.game))).code == "not_allowed"
            assert isinstance(await again.ask(m.Move(game=new.game, ply=2, move=new.legal[0][0])), m.Ok)
            return list(old.moves), list(new.moves)

    old, new = asyncio.run(play())
    assert old == new
    assert not audit(tmp_path / FILE).faults


def test_new_people_of_one_address_do_not_play_for_rating(tmp_path: Path) -> None:
    rated = m.Terms("diamond_chase", rated=True, seat=0)

    async def play() -> None:
        async with local_server(tmp_path) as server:
            one, two = [await server.come(name, address="10.0.0.1") for name in ("One", "Two")]
            far = await server.come("Far", address="10.0.0.2")
            challenge = (await one.ask(m.Challenge(terms=rated))).challenge.challenge
            refused = await two.ask(m.Accept(challenge=challenge))
            assert (refused.code, "known well" in refused.message) == ("not_allowed", True)
            assert isinstance(await far.ask(m.Accept(challenge=challenge)), m.Ok), "and the challenge is still there"
            await server.pair(one, two, m.Terms("diamond_chase", seat=0))

    asyncio.run(play())


def test_a_rated_game_that_is_given_up_before_it_is_played_does_not_count(tmp_path: Path) -> None:
    rated = m.Terms("diamond_chase", rated=True, seat=0)

    async def play(server: LocalServer) -> None:
        one = await server.come("One", address="10.0.0.1")
        two = await server.come("Two", address="10.0.0.2")
        for plies, counts in ((0, False), (7, False), (8, True)):
            code, seats = await server.pair(one, two, rated)
            await server.play(code, seats, plies)
            assert isinstance(await one.ask(m.Resign(game=code)), m.Ok)
            ended = next(event for event in reversed(two.heard) if isinstance(event, m.Ended))
            assert ended.game == code
            assert (ended.changes is not None) == counts, plies

    async def all_of_it() -> None:
        async with local_server(tmp_path) as server:
            await play(server)

    asyncio.run(all_of_it())
    found = audit(tmp_path / FILE)
    assert (found.faults, found.ratings) == ([], 2)


def test_people_who_are_gone_leave_nothing_in_memory(tmp_path: Path) -> None:
    async def come_and_go() -> None:
        async with local_server(tmp_path, people_per_address=100_000) as server:
            for number in range(12):
                one = await server.come(f"Person {number}x", address=f"10.1.0.{number}")
                two = await server.come(f"Human {number}x", address=f"10.2.0.{number}")
                code, seats = await server.pair(one, two, m.Terms("diamond_chase", rated=True, seat=0))
                await server.play(code, seats, 8)
                await one.ask(m.Resign(game=code))
                one.leave()
                two.leave()
            assert len(server.dispatcher.people) > 24, "finished games are at hand for a while"
            server.dispatcher.game_manager._over.clear()
            del one, two, seats
            gc.collect()
            assert len(server.dispatcher.people) <= 3, "the bot, and who was written last"

    asyncio.run(come_and_go())
    assert not audit(tmp_path / FILE).faults


def test_a_finished_game_is_replayed_off_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def noting(work: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **named: Any) -> Any:
            threads.append(threading.current_thread())
            return work(*given, **named)

        return noted

    monkeypatch.setattr(game_rows, "finished", noting(game_rows.finished))
    monkeypatch.setattr(board_snapshots, "scenes_of", noting(board_snapshots.scenes_of))

    async def look() -> None:
        async with local_server(tmp_path) as server:
            one, two = await server.come("One"), await server.come("Two")
            code, _ = await server.pair(one, two)
            await one.ask(m.Resign(game=code))
            server.dispatcher.game_manager._over.clear()
            guest = await server.come(scenes=True)
            await guest.ask(m.Watch(game=code))
            assert (guest.game().result, len(guest.game().scenes)) == ("second", 1)

    asyncio.run(look())
    assert len(threads) == 2
    assert threading.main_thread() not in threads


def test_only_so_many_finished_games_stay_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphadiamond.server.game_manager._KEPT", 3)

    async def finish() -> None:
        async with local_server(tmp_path) as server:
            one, two, guest = await server.come("One"), await server.come("Two"), await server.come()
            codes = []
            for number in range(8):
                code, _ = await server.pair(one, two)
                codes.append(code)
                if number == 0:
                    await guest.ask(m.Watch(game=code))
                await one.ask(m.Resign(game=code))
                for session in (one, two):
                    await session.ask(m.Unwatch(game=code))
            manager = server.dispatcher.game_manager
            assert list(manager._over) == [codes[0], *codes[-2:]], "and those that somebody looks at"
            assert manager._results.keys() == manager._over.keys()
            await guest.ask(m.Watch(game=codes[3]))
            assert guest.game().result is not None, "the others are read from disk"

    asyncio.run(finish())
