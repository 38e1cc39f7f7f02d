"""Whole games in real browsers: people against each other, spectators, bots, and connections that are lost."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alphadiamond.games import load
from alphadiamond.games.records import parse_records
from alphadiamond.precompile import game_names
from tests.browser.visits import Visitor, play_out
from tests.server.server_process import ServerProcess

Visit = Callable[..., Visitor]


def test_two_people_begin_a_game_by_a_link_and_one_resigns(visit: Visit) -> None:
    ann, ben = visit(), visit(phone=True, dark=False)
    ann.introduce("Ann")
    ben.page.goto(ann.invite("connect_four", side="Yellow"))
    ben.page.get_by_role("button", name="Accept").click()
    ben.be("Ben")
    assert ann.code() == ben.code()
    play_out(ann, ben, seed=3, plies=3)
    ben.page.locator(".moves li").nth(2).wait_for()
    assert ann.moves() == ben.moves()
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ben.page.locator(".status").get_by_text("You win: Ann resigned.").wait_for()
    ann.page.locator(".status").get_by_text("You lose: you resigned.").wait_for()


@pytest.mark.parametrize("game", game_names())
def test_two_people_play_a_whole_game_by_a_link_and_a_third_watches(
    visit: Visit, server: ServerProcess, game: str, tmp_path: Path
) -> None:
    ada, bob, eve = visit(phone=True), visit(dark=False), visit()
    name = game.replace("_", " ")
    ada.introduce(f"Ada {name}")
    link = ada.invite(game, side=load(game).drawing.side_names[1].capitalize())
    assert link.startswith(ada.address + "#challenge/")
    bob.page.goto(link)
    bob.page.get_by_role("heading", name=f"Ada {name} challenges you to {load(game).title}").wait_for()
    bob.page.get_by_role("button", name="Accept").click()
    bob.be(f"Bob {name}")
    code = bob.code()
    assert ada.code() == code
    eve.open(f"game/{code}")
    eve.page.locator(".board").wait_for()
    plies = play_out(ada, bob, seed=7, plies=60)
    if plies == 60:  # it goes on, and in a maze for hundreds of moves by lot
        ada.page.get_by_role("button", name="Resign").click()
        ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    eve.page.locator(".status.over").wait_for()
    assert ada.moves() == bob.moves() == eve.moves()
    assert len(eve.moves()) == plies
    assert eve.page.locator(".spot.can").count() == 0
    words = {ada.status().partition(":")[0], bob.status().partition(":")[0]}
    assert words in ({"You win", "You lose"}, {"Draw"})
    with eve.page.expect_download() as download:
        eve.page.get_by_label("Download the record").click()
    download.value.save_as(tmp_path / "record.txt")
    (record,) = parse_records((tmp_path / "record.txt").read_text())
    assert (record.game.name, len(record.moves)) == (game, plies)
    drawn = [record.game.drawing.ply(at, move).text for at, move in zip(record.positions(), record.moves, strict=False)]
    assert eve.moves() == drawn


def test_lost_connections_and_killed_servers_bring_both_back_to_the_same_position(visit: Visit, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, back_in=2.0, bot_processes=1).start()
    ada, bob = visit(server), visit(server)
    ada.introduce("Ada")
    bob.page.goto(ada.invite("dame", side="White"))
    bob.page.get_by_role("button", name="Accept").click()
    bob.be("Bob")
    play_out(ada, bob, seed=1, plies=4)
    before = bob.moves()
    server.kill()
    for who in (ada, bob):
        who.page.get_by_text("The connection is lost; trying again").wait_for()
    server.start()
    for who in (ada, bob):
        who.page.locator("#connection").wait_for(state="hidden")
        assert who.moves() == before
    play_out(ada, bob, seed=2, plies=2)
    server.stop()
    for who in (ada, bob):
        who.page.get_by_text("The server restarts; it said it will be back").wait_for()
    server.start()
    for who in (ada, bob):
        who.page.locator("#connection").wait_for(state="hidden")
    play_out(ada, bob, seed=3, plies=2)
    assert ada.moves() == bob.moves()
    assert len(ada.moves()) == 8
    assert server.stop() == 0


def test_two_windows_of_one_person_stay_in_step_and_a_move_without_a_connection_goes_later(visit: Visit) -> None:
    ada = visit()
    ada.introduce("Cleo")
    ada.choose("connect_four", bot="@random", side="Yellow")
    ada.begin()
    code = ada.code()
    other = ada.window()
    ada.open(f"game/{code}", other)
    other.locator(".board").wait_for()
    rng = random.Random(4)
    for page in (ada.page, other, ada.page, other):
        assert ada.wait_for_turn(page)
        ada.play(rng, page)
        page.locator(".moves li").nth(0).wait_for()
    ada.wait_for_turn(ada.page)
    ada.wait_for_turn(other)
    assert ada.moves(ada.page) == ada.moves(other)
    # A move made when the connection is gone and nobody has noticed yet.
    before = len(ada.moves(other))
    other.evaluate(
        """async () => {
            const { app } = await import("/js/app.js");
            app.connection.drop();
            document.querySelector(".spot.can").click();
        }"""
    )
    other.locator(f".moves li:nth-child({before + 2})").wait_for()
    ada.page.locator(f".moves li:nth-child({before + 2})").wait_for()
    assert ada.moves(ada.page) == ada.moves(other)


def test_a_move_that_a_stopping_server_refuses_goes_again_when_it_is_back(visit: Visit) -> None:
    """The server is a real one; that it stops is said by hand."""
    dan = visit()
    moves: list[str] = []

    def relay(socket: Any) -> None:
        server = socket.connect_to_server()

        def from_page(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "move":
                moves.append(message["move"])
            if message["type"] != "move" or len(moves) > 1:
                server.send(text)
                return
            error = {"type": "error", "code": "stopping", "message": "the server is stopping", "id": message["id"]}
            socket.send(json.dumps(error))
            socket.send(json.dumps({"type": "stopping", "back_in": 200}))
            server.close()
            socket.close(code=1012)

        socket.on_message(from_page)
        server.on_message(socket.send)

    dan.page.route_web_socket("**/ws", relay)
    dan.introduce("Dan")
    dan.choose("connect_four", bot="@random", side="Yellow")
    dan.begin()
    assert dan.wait_for_turn()
    dan.page.locator(".spot.can").first.click()
    dan.page.locator(".moves li:nth-child(2)").wait_for()  # the bot's answer
    assert len(moves) == 2
    assert moves[0] == moves[1]
    assert not dan.page.locator(".toast").count()


def test_a_browser_plays_the_network_takes_a_move_back_and_asks_what_it_thinks(visit: Visit) -> None:
    gus = visit(moving=True)  # with every animation
    gus.introduce("Gus")
    gus.choose("diamond_chase", bot="@network-quick", side="Green")
    gus.begin()
    rng = random.Random(11)
    for _ in range(3):
        assert gus.wait_for_turn()
        gus.play(rng)
    gus.wait_for_turn()
    before = gus.moves()
    gus.page.get_by_role("button", name="Take back").click()
    gus.page.locator(f".moves li:nth-child({len(before)})").wait_for(state="detached")
    assert gus.moves() == before[:4]
    gus.page.get_by_label("Ask", exact=True).select_option("@network-quick")
    gus.page.get_by_role("button", name="This position").click()
    gus.page.locator(".analysis tbody tr").first.wait_for()
    assert re.fullmatch(r"Best is \S+: \d+ %\.", gus.heard())
    assert gus.page.locator(".arrow").count() >= 1
    while gus.wait_for_turn():
        gus.play(rng)
    assert gus.status().startswith(("You lose: green has 2 beads left", "You lose", "You win", "Draw"))
    gus.page.get_by_role("button", name="Rematch").click()
    gus.page.locator(".status:not(.over)").wait_for()


def test_what_a_bot_thinks_of_a_position_is_not_shown_at_another_after_a_move_is_taken_back(visit: Visit) -> None:
    tom = visit()
    tom.introduce("Tom")
    tom.choose("connect_four", bot="@random", side="Yellow")
    tom.begin()
    tom.page.locator(".spot.can").nth(0).click()
    tom.page.locator(".moves li").nth(1).wait_for()
    tom.page.get_by_label("Ask", exact=True).select_option("@minimax-4")
    tom.page.get_by_role("button", name="This position").click()
    tom.page.locator(".analysis tbody tr").first.wait_for()
    tom.page.get_by_role("button", name="Take back").click()
    tom.page.locator(".moves li").first.wait_for(state="detached")
    tom.page.locator(".spot.can").nth(6).click()
    tom.page.locator(".moves li").nth(1).wait_for()
    assert tom.page.locator(".analysis tbody tr").count() == 0
    assert tom.page.locator(".arrow, .ring.advice").count() == 0


def test_a_finished_game_is_replayed_with_exact_values_and_a_rated_one_shows_none_while_it_goes_on(
    visit: Visit,
) -> None:
    ida = visit(phone=True)
    ida.introduce("Ida")
    ida.choose("dame", bot="@random", side="White")
    ida.page.get_by_label("Rated", exact=True).check(force=True)
    ida.begin()
    rng = random.Random(5)
    assert ida.wait_for_turn()
    assert not ida.page.locator(".analysis").is_visible()
    while ida.wait_for_turn():
        ida.play(rng)
    plies = len(ida.moves())
    ida.page.get_by_label("Ask", exact=True).select_option("@perfect")
    ida.page.get_by_role("button", name="Whole game").click()
    ida.page.locator(".analysis .chart").wait_for()
    ida.page.locator("button[aria-disabled=false]", has_text="Whole game").wait_for()
    ida.page.get_by_role("button", name="To the beginning").click()
    assert ida.status() == f"After move 0 of {plies}"
    worth = ida.page.locator(".analysis tbody td:nth-child(2)").all_text_contents()
    assert worth
    assert all(re.fullmatch(r"(wins|loses) in \d+|draws", text) for text in worth)
    ida.page.get_by_role("button", name="On", exact=True).click()
    assert ida.status() == f"After move 1 of {plies}"
    ida.open("person/Ida")
    ida.page.get_by_text("1 game", exact=False).first.wait_for()
    ida.page.locator(".rating").wait_for()


def test_an_offer_in_the_lobby_is_taken_draws_are_agreed_and_people_are_compared(visit: Visit) -> None:
    jim, kim = visit(), visit(phone=True)
    jim.introduce("Jim")
    kim.introduce("Kim")
    jim.choose("dame", way="Anybody", side="White", clock="5 min + 3 s")
    jim.begin("Offer a game")
    kim.page.get_by_role("button", name="Play Jim").click()
    assert jim.code() == kim.code()
    play_out(jim, kim, seed=9, plies=3)
    assert re.fullmatch(r"\d:\d\d", str(jim.page.locator(".clock").first.text_content()))
    kim.page.get_by_role("button", name="Offer a draw").click()
    jim.page.get_by_text("Kim offers a draw.").wait_for()
    jim.page.get_by_role("button", name="Accept").click()
    for who in (jim, kim):
        who.page.locator(".status.over").wait_for()
        assert who.status() == "Draw: by agreement."
    kim.page.get_by_role("button", name="Rematch").click()
    jim.page.get_by_role("button", name="Accept").click()
    kim.page.locator(".status.mine").wait_for()  # seats are swapped
    assert jim.code() == kim.code()
    kim.page.get_by_role("button", name="Abort").click()
    jim.page.locator(".status").get_by_text("The game was aborted.").wait_for()
    kim.open("person/Jim")
    kim.page.get_by_text("Dame: Kim 0 won, 1 drawn, 0 lost").wait_for()


def test_a_piece_is_dragged_with_the_mouse_and_goes_back_from_where_it_cannot_go(visit: Visit) -> None:
    ola = visit()
    ola.introduce("Ola")
    ola.choose("dame", bot="@random", side="White")
    ola.begin()
    ola.wait_for_turn()

    def drag(start: str, end: str) -> None:
        boxes = [ola.page.locator(f".spot[aria-label^='{name}, ']").bounding_box() for name in (start, end)]
        (x1, y1), (x2, y2) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
        ola.page.mouse.move(x1, y1)
        ola.page.mouse.down()
        ola.page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2)
        ola.page.mouse.move(x2, y2)
        ola.page.mouse.up()

    drag("d2", "d4")
    assert ola.heard() == "Nothing is picked now."
    assert ola.moves() == []
    drag("d2", "e3")
    ola.page.locator(".moves li").first.wait_for()
    assert ola.moves()[0] == "d2-e3"


@pytest.mark.parametrize("game", game_names())
def test_clicks_mean_in_the_page_what_they_mean_in_the_window(visit: Visit, game: str) -> None:
    rng = random.Random(6)
    drawing = load(game).drawing
    cases = []
    position = load(game).start()
    for _ in range(120):
        moves = list(position.moves())
        clicks = drawing.clicks(position)
        steps = []
        picked: tuple[int, ...] = ()
        for _ in range(6):
            useful = [*clicks.next(picked), *clicks.ends(picked)]
            spot = rng.choice(useful) if useful and rng.random() < 0.7 else rng.randrange(len(drawing.names))
            if drawing.columns:
                spot %= len(drawing.columns)
            taken = clicks.take(picked, spot)
            picked, move = taken if taken is not None else ((), None)
            steps.append([spot, None if taken is None else [list(picked), None if move is None else str(move)]])
        cases.append([[[str(move), list(drawing.spots(move))] for move in moves], steps])
        position = position.play(rng.choice(moves))
        if position.outcome is not None:
            position = load(game).start()
    nina = visit()
    nina.open()
    found = nina.page.evaluate(
        """async (cases) => {
            const { Clicks } = await import("/js/board/clicks.js");
            return cases.map(([legal, steps]) => {
                const clicks = new Clicks(legal);
                let picked = [];
                return [legal, steps.map(([spot]) => {
                    const taken = clicks.take(picked, spot);
                    picked = taken ? taken.picked : [];
                    return [spot, taken && [taken.picked, taken.move]];
                })];
            });
        }""",
        cases,
    )
    assert found == cases
