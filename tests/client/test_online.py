"""The Online scene in the real window, by posted events, against a real server on loopback."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.client import online
from alphadiamond.client.app import App
from alphadiamond.client.online import Keys, address_of
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.lobby import LobbyScene
from alphadiamond.client.scenes.mode import ModeScene
from alphadiamond.client.scenes.online_game import OnlineGameScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.widgets import ItemList, Label
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.online.link import Link
from tests.client.driver import Driver
from tests.client.test_layout import faults_of
from tests.server.server_process import ServerProcess


@pytest.fixture(autouse=True)
def _unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved, and nobody is got ready, for these games."""
    monkeypatch.setattr(SolutionLookup, "load", lambda self: None)
    monkeypatch.setattr(App, "check_players", lambda self: None)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("server"), bot_processes=1).start()
    yield server
    server.stop()


class Rival:
    """Another person, over a link of their own."""

    def __init__(self, server: ServerProcess, driver: Driver, name: str) -> None:
        self.driver, self.name = driver, name
        self.link = Link(server.address, name=name)
        self.events: list[Any] = []
        self.wait(m.Welcome)

    def wait(self, kind: type[Any], **having: Any) -> Any:
        """The next event of a kind; the window goes on meanwhile."""
        found: list[Any] = []

        def come() -> bool:
            self.events += self.link.poll()
            while self.events and not found:
                event = self.events.pop(0)
                if isinstance(event, kind) and all(getattr(event, key) == value for key, value in having.items()):
                    found.append(event)
            return bool(found)

        self.driver.until(come, seconds=60)
        return found[0]

    def send(self, request: m.Request) -> None:
        self.link.send(request)


@pytest.fixture
def rival(server: ServerProcess, driver: Driver) -> Iterator[Callable[[str], Rival]]:
    made: list[Rival] = []

    def make(name: str) -> Rival:
        made.append(Rival(server, driver, name))
        return made[-1]

    yield make
    for one in made:
        one.link.close()


def write(driver: Driver, key: str, text: str) -> None:
    driver.click(key)
    driver.press(pygame.K_u, mod=pygame.KMOD_CTRL)
    driver.post(pygame.TEXTINPUT, text=text)


def lobby_of(driver: Driver) -> LobbyScene:
    return next(scene for scene in driver.app.stack if isinstance(scene, LobbyScene))


def enter(driver: Driver, server: ServerProcess, name: str, *, link: str = "") -> LobbyScene:
    """From the title into the lobby, perhaps by a link."""
    driver.click("new")
    assert isinstance(driver.app.scene, ModeScene)
    driver.click("online")
    scene = driver.app.scene
    assert isinstance(scene, LobbyScene)
    write(driver, "server", link or f"127.0.0.1:{server.port}")
    write(driver, "name", name)
    driver.click("connect")
    driver.until(lambda: driver.has("entries") and scene.online is not None and scene.online.lobby is not None)
    return scene


def shown(driver: Driver) -> OnlineGameScene:
    scene = driver.app.scene
    assert isinstance(scene, OnlineGameScene)
    return scene


def choose(driver: Driver, key: str, number: int, of: int) -> None:
    """One of a row of choices."""
    rect = driver.widget(key).rect
    driver.click_at((rect.left + rect.width * (number + 0.5) / of, rect.centery))


def show(driver: Driver, number: int) -> list[str]:
    """The rows of one of the four lists."""
    choose(driver, "lists", number, 4)
    driver.frames(2)
    entries = driver.widget("entries")
    assert isinstance(entries, ItemList)
    return [item.title for item in entries.items]


def choose_row(driver: Driver, beginning: str) -> None:
    """A row of the open games; others may come and go above it."""
    scene = lobby_of(driver)
    scene.chosen = next(entry.key for entry in scene._open_games() if entry.item.title.startswith(beginning))
    scene.refresh()
    driver.frames(2)


def click_first(driver: Driver) -> str:
    """Make the first legal move by clicks."""
    scene = shown(driver)
    move = scene.session.position.moves()[0]
    for spot in scene.drawing.spots(move):
        driver.click_at(scene.board.geometry.spot_point(spot))
    return str(move)


def my_turn(driver: Driver) -> None:
    driver.until(lambda: (shown(driver).board.playable and not shown(driver).board.busy) or shown(driver).state.over)


def test_a_bot_is_chosen_played_and_asked_for_a_move_back(driver: Driver, server: ServerProcess) -> None:
    scene = enter(driver, server, "Ada")
    assert scene.online is not None
    assert scene.online.line.startswith(f"At 127.0.0.1:{server.port} as Ada")
    bots = show(driver, 3)
    scene.chosen = "@random"
    choose(driver, "seat", 1, 3)
    assert "Random" in bots
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    assert shown(driver).state.seat == 0
    assert shown(driver).seat_name(shown(driver).session.game.sides[0]).startswith("You ")
    for count in (2, 4):
        my_turn(driver)
        click_first(driver)
        driver.until(lambda count=count: len(shown(driver).session.plies) == count)  # type: ignore[misc]
    my_turn(driver)
    driver.click("undo")
    driver.until(lambda: len(shown(driver).session.plies) == 2)
    my_turn(driver)
    driver.click("resign")
    assert isinstance(driver.app.scene, ConfirmScene)
    driver.click("choice1")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene) and shown(driver).state.over)
    driver.frames(3)
    assert shown(driver).status() == "@random wins by resignation"
    driver.click("look")
    assert isinstance(driver.app.scene, ReplayScene)
    assert driver.replay.record.players == ("Ada", "@random")
    driver.press(pygame.K_ESCAPE)
    driver.press(pygame.K_ESCAPE)
    assert driver.app.scene is scene
    kept = driver.app.keys_path
    assert kept is not None
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert Keys(kept).get(server.address, "ada") is not None
    driver.press(pygame.K_ESCAPE, pygame.K_ESCAPE)
    enter(driver, server, "Ada")  # the same person again, by the token that was kept


def test_two_people_meet_agree_on_a_draw_and_play_again(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Bob")
    other.send(m.Seek(terms=m.Terms("dame", clock=m.Clock(300, 3), rated=True, seat=0)))
    enter(driver, server, "Cleo")
    driver.until(lambda: any(title.startswith("Bob") for title in show(driver, 0)))
    choose_row(driver, "Bob")
    driver.click("act")
    game = other.wait(m.Game)
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    mine = shown(driver)
    assert mine.session.game.name == "dame"
    assert not mine.board.playable, "white begins, and is Bob"
    other.link.move(game.game, game.legal[0][0])
    my_turn(driver)
    text = click_first(driver)
    assert other.wait(m.Moved, ply=1).move == text
    assert mine.state.time_left(0, online.now()) is not None
    assert mine.bar is not None
    assert mine.graph is not None
    assert mine._silent
    assert (mine.bar.value, list(mine.graph.values)) == (0, [0, 0, 0]), "nobody is helped in a rated game"
    driver.click("draw")
    other.wait(m.Offered, what="draw", seat=1)
    driver.until(lambda: driver.has("withdraw"))
    assert mine.status() == "You offer a draw"
    other.send(m.Refuse(game=game.game, what="draw"))
    driver.until(lambda: not driver.has("withdraw"))
    other.send(m.Offer(game=game.game, what="draw"))
    driver.until(lambda: driver.has("accept"))
    assert mine.status() == "Bob offers a draw"
    driver.click("accept")
    assert other.wait(m.Ended).result == "draw"
    driver.until(lambda: driver.has("rematch"))
    assert mine.status() == "A draw by agreement", "too short a game to be rated"
    assert not mine._silent
    driver.click("rematch")
    other.wait(m.Offered, what="rematch")
    other.send(m.Offer(game=game.game, what="rematch"))
    driver.until(lambda: shown(driver).code != game.game)
    assert shown(driver).state.seat == 0, "sides are swapped"
    driver.until(lambda: driver.has("abort"))
    driver.click("abort")
    driver.until(lambda: shown(driver).state.over)
    assert shown(driver).status() == "The game was ended before it began"


def test_an_offer_of_mine_is_taken_and_a_challenge_to_me_accepted(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Dora")
    other.send(m.Lobby())
    enter(driver, server, "Emil")
    driver.click("offer")
    driver.until(lambda: "You" in show(driver, 0))
    state = other.wait(m.LobbyState)
    while not state.seeks:
        state = other.wait(m.LobbyState)
    other.send(m.Take(seek=next(seek.seek for seek in state.seeks if seek.owner.name == "Emil")))
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    driver.press(pygame.K_ESCAPE)
    assert isinstance(driver.app.scene, LobbyScene)
    assert "Dora" in show(driver, 1)[0], "it goes on, and is first in the list"
    other.send(m.Challenge(terms=m.Terms("connect_four"), to="Emil"))
    driver.until(lambda: "Dora challenges you" in show(driver, 0))
    choose_row(driver, "Dora challenges you")
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    assert shown(driver).session.game.name == "connect_four"


def test_a_link_to_a_challenge_is_opened_and_accepted(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Lena")
    other.send(m.Challenge(terms=m.Terms("dame"), id=1))
    link = other.wait(m.Challenged).link
    lobby = enter(driver, server, "Moritz", link=f"http://127.0.0.1:{server.port}{link}")
    driver.until(lambda: "Lena challenges you" in show(driver, 0))
    assert driver.app.settings.server == f"http://127.0.0.1:{server.port}/"
    choose_row(driver, "Lena challenges you")
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    assert shown(driver).session.game.name == "dame"
    assert lobby.online is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("https://play.example.org/#challenge/p9T", "p9T"),
        ("https://play.example.org/#challenge/p-9_T", "p-9_T"),
        ("play.example.org#challenge%2Fp9T", "p9T"),
        ("https://play.example.org/#game/p9T", ""),
        ("https://play.example.org/#challenge/" + "x" * 33, ""),
        ("https://play.example.org/#challenge/a b", ""),
        ("play.example.org", ""),
    ],
)
def test_a_link_names_a_challenge_or_none(text: str, code: str) -> None:
    assert online.challenge_of(text) == code


def test_a_spectator_sees_the_moves_and_can_make_none(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Fay")
    other.send(m.Bot(bot="@random", terms=m.Terms("diamond_chase", seat=0)))
    game = other.wait(m.Game)
    scene = enter(driver, server, "")
    driver.until(lambda: any(title.startswith("Fay") for title in show(driver, 1)))
    scene.chosen = game.game
    driver.frames(2)
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    assert shown(driver).watching
    click_first(driver)
    assert not shown(driver).session.plies
    other.link.move(game.game, game.legal[0][0])
    driver.until(lambda: len(shown(driver).session.plies) >= 2)
    assert not driver.has("resign")
    assert not driver.has("tabs"), "players are asked after the game"
    driver.press(pygame.K_ESCAPE)
    assert scene.online is not None
    assert game.game not in scene.online.games


def test_a_server_that_is_killed_is_waited_for_and_the_game_goes_on(driver: Driver, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "server", bot_processes=1).start()
    other = Rival(server, driver, "Ivy")
    try:
        other.send(m.Seek(terms=m.Terms("dame", seat=1)))
        scene = enter(driver, server, "Gus")
        driver.until(lambda: any(title.startswith("Ivy") for title in show(driver, 0)))
        choose_row(driver, "Ivy")
        driver.click("act")
        driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
        my_turn(driver)
        click_first(driver)
        code = other.wait(m.Moved, ply=0).game
        server.kill()
        assert scene.online is not None
        driver.until(lambda: not scene.online.connected)  # type: ignore[union-attr]
        driver.frames(2)
        assert shown(driver).status().startswith(f"The connection to 127.0.0.1:{server.port} is lost")
        server.start()
        assert other.link.client is not None
        other.link.move(code, other.link.client.games[code].legal[0][0])  # it insists
        my_turn(driver)
        click_first(driver)
        assert other.wait(m.Moved, ply=2).game == code
    finally:
        other.link.close(wait=False)
        driver.app.home()
        server.stop()


@pytest.mark.parametrize("size", [(960, 600), (1920, 1080)], ids=str)
def test_everything_has_its_place_online_too(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival], size: tuple[int, int]
) -> None:
    other = rival(f"Twenty-four letters {size[0]}")
    other.send(m.Seek(terms=m.Terms("diamond_chase", clock=m.Clock(900, 10), rated=True, seat=1)))
    driver.app.settings.text_size = "largest"
    driver.app.resized(size)
    enter(driver, server, f"Jo {size[0]}")
    for number in (3, 2, 1, 0):
        show(driver, number)
        assert list(faults_of(driver.app)) == []
    driver.until(lambda: any(title.startswith(other.name) for title in show(driver, 0)))
    choose_row(driver, other.name)
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    my_turn(driver)
    click_first(driver)
    code = other.wait(m.Moved).game
    assert list(faults_of(driver.app)) == []
    other.send(m.Offer(game=code, what="draw"))
    driver.until(lambda: driver.has("accept"))
    assert list(faults_of(driver.app)) == []
    other.send(m.Resign(game=code))
    driver.until(lambda: driver.has("rematch"))
    driver.until(lambda: not shown(driver).board.busy)
    assert list(faults_of(driver.app)) == []


def test_a_server_that_is_not_there_is_spoken_of_in_a_line(driver: Driver) -> None:
    driver.click("new")
    driver.click("online")
    write(driver, "server", "127.0.0.1:9")
    driver.press(pygame.K_RETURN)
    scene = lobby_of(driver)
    assert scene.online is not None

    def said() -> str:
        note = driver.widget("note")
        assert isinstance(note, Label)
        return note.text

    driver.until(lambda: said().startswith("There is no server at 127.0.0.1:9 yet; trying again"))
    driver.click("stop")
    assert driver.has("connect")
    write(driver, "server", "ftp://here")
    driver.click("connect")
    assert said().startswith("ftp: a server's address begins with http")


def test_a_name_that_cannot_be_had_is_said_before_the_lobby(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    rival("Hedy")
    driver.click("new")
    driver.click("online")
    write(driver, "server", f"127.0.0.1:{server.port}")
    write(driver, "name", "Hedy")
    driver.click("connect")
    scene = lobby_of(driver)
    driver.until(lambda: bool(scene.said))
    assert "Hedy" in scene.said
    assert driver.has("connect")


@pytest.mark.parametrize("by", ["recovery code", "key"])
def test_whoever_began_on_the_page_goes_on_here_by_a_code_or_a_key_which_no_settings_hold(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival], by: str
) -> None:
    grace = rival(f"Grace {by}")
    if by == "key":
        secret = grace.link.token
    else:
        grace.link.send(m.Recovery())
        secret = grace.wait(m.RecoveryCode).code
    assert secret is not None
    driver.click("new")
    driver.click("online")
    for text in ("ad_" + "x" * 43, secret):
        write(driver, "server", f"127.0.0.1:{server.port}")
        write(driver, "name", text)
        driver.click("connect")
        scene = lobby_of(driver)
        driver.until(lambda scene=scene: bool(scene.said) or (scene.online is not None and scene.online.connected))
        assert bool(scene.said) == (text != secret)
    driver.frames()
    assert scene.online is not None
    assert (scene.online.name, scene.name, driver.app.settings.online_name) == (f"Grace {by}",) * 3
    kept = Keys(driver.app.keys_path).get(scene.online.address, f"Grace {by}")
    assert kept is not None
    assert (kept == secret) == (by == "key")


def test_without_the_packages_the_scene_says_how_to_get_them(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Playing online needs websockets, which is not installed here: pip install '.[online]'"
    monkeypatch.setitem(__import__("sys").modules, "alphadiamond.online.link", None)
    monkeypatch.setattr(online, "missing", lambda: text)
    driver.click("new")
    driver.click("online")
    note = driver.widget("note")
    assert isinstance(note, Label)
    assert note.text == text
    assert not driver.widget("connect").enabled
    driver.click("connect")
    assert lobby_of(driver).online is None


def test_missing_packages_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert online.missing() == ""
    monkeypatch.setitem(__import__("sys").modules, "alphadiamond.online.link", None)
    assert "pip install '.[online]'" in online.missing()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:8765", "ws://127.0.0.1:8765/ws"),
        ("localhost", "ws://localhost:8765/ws"),
        ("[::1]:9000", "ws://[::1]:9000/ws"),
        ("play.example.org", "wss://play.example.org/ws"),
        ("http://127.0.0.1:8765/", "ws://127.0.0.1:8765/ws"),
        ("https://play.example.org", "wss://play.example.org/ws"),
        ("ws://127.0.0.1:1/socket", "ws://127.0.0.1:1/socket"),
    ],
)
def test_a_server_goes_by_its_name_its_number_or_its_page(text: str, address: str) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["", "  ", "ftp://x", "127.0.0.1:port", "http://", "a b"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AlphaDiamondError):
        address_of(text)


def begin_timed(driver: Driver, server: ServerProcess, other: Rival, name: str) -> str:
    """A game with clocks against another person in which I move first."""
    other.send(m.Seek(terms=m.Terms("connect_four", clock=m.Clock(300, 3), seat=1)))
    enter(driver, server, name)
    driver.until(lambda: any(title.startswith(other.name) for title in show(driver, 0)))
    choose_row(driver, other.name)
    driver.click("act")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene))
    my_turn(driver)
    click_first(driver)
    code = str(other.wait(m.Moved, ply=0).game)
    driver.until(lambda: driver.has("resign"))  # the other one may have heard of it first
    return code


def test_under_a_dialog_moves_come_and_the_clock_runs(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Kim")
    code = begin_timed(driver, server, other, "Lea")
    scene = shown(driver)
    driver.click("resign")
    assert isinstance(driver.app.scene, ConfirmScene)
    other.link.move(code, "7")
    driver.until(lambda: len(scene.session.plies) == 2)
    assert isinstance(driver.app.scene, ConfirmScene), "only what lies below has changed"
    driver.click_at(scene.board.rect.center)
    assert len(scene.session.plies) == 2, "the board below has no pointer"
    mine = scene.session.game.sides[0]
    assert scene.cards[mine].active
    driver.until(lambda: (scene.cards[mine].seconds or 300) < 299.5)
    assert isinstance(driver.app.scene, ConfirmScene)
    driver.press(pygame.K_ESCAPE)
    my_turn(driver)
    click_first(driver)
    other.wait(m.Moved, ply=2)


def test_a_game_that_ends_under_a_dialog_is_not_resigned_and_the_next_one_waits(
    driver: Driver, server: ServerProcess, rival: Callable[[str], Rival]
) -> None:
    other = rival("Max")
    code = begin_timed(driver, server, other, "Nina")
    scene = shown(driver)
    driver.click("resign")
    other.link.move(code, "7")
    other.wait(m.Moved, ply=1)
    other.send(m.Resign(game=code))
    driver.until(lambda: scene.over and scene._celebrated)
    assert isinstance(driver.app.scene, ConfirmScene)
    other.send(m.Challenge(terms=m.Terms("dame"), to="Nina"))
    lobby = lobby_of(driver).online
    assert lobby is not None
    driver.until(lambda: bool(lobby.challenges))
    lobby.send(m.Accept(challenge=next(iter(lobby.challenges))))
    driver.until(lambda: bool(lobby.to_open))
    driver.frames(3)
    assert isinstance(driver.app.scene, ConfirmScene), "a question is not taken away"
    driver.click("choice1")
    driver.until(lambda: isinstance(driver.app.scene, OnlineGameScene) and shown(driver).code != code)
    assert "over" not in " ".join(driver.said), "there was nothing left to resign"
