"""The page without a server: whole games, links, puzzles, no net, and everybody, in a real browser below some path."""

import functools
import http.server
import json
import random
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from alphadiamond.games import BUILT_IN, load
from alphadiamond.games.records import parse_records
from alphadiamond.resources import champion_of
from alphadiamond.site.builder import POLICY, build
from alphadiamond.site.players import STRENGTHS
from tests.browser.test_maze import margins_are_told
from tests.browser.visits import Visitor, serious
from tests.games.labyrinth.test_rules import FIRST
from tests.site import fixtures
from tests.site.test_engine import POSITIONS

HERE = Path(__file__).parents[1] / "site"
BELOW = "some/path/site"
FIRST_VISIT = 1_500_000
"""Bytes that may be loaded before the first move."""
Visit = Callable[..., Visitor]


class Host(http.server.ThreadingHTTPServer):
    """A static host, as plain as they come; it counts what it has sent."""

    def __init__(self, root: Path) -> None:
        host = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            extensions_map = {  # noqa: RUF012  (as its base has it)
                **http.server.SimpleHTTPRequestHandler.extensions_map,
                ".mjs": "text/javascript",
                ".js": "text/javascript",
            }

            def log_message(self, *_: Any) -> None:
                pass

            def copyfile(self, source: Any, outputfile: Any) -> None:
                content = source.read()
                host.sent[self.path] = host.sent.get(self.path, 0) + len(content)
                outputfile.write(content)

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(root)))
        self.sent: dict[str, int] = {}
        self.root = root
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, path: str = f"{BELOW}/") -> str:
        return f"http://127.0.0.1:{self.server_port}/{path}"


@pytest.fixture(scope="package")
def host(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """After the browser: without one nothing has to be made."""
    root = tmp_path_factory.mktemp("host")
    (root / BELOW).parent.mkdir(parents=True)
    build(root / BELOW)
    made = Host(root)
    yield made
    made.shutdown()


@pytest.fixture
def fresh_host(host: Host) -> Iterator[Host]:
    """The same site at an address of its own, whose count no worker of an earlier visitor can reach."""
    made = Host(host.root)
    yield made
    made.shutdown()


@pytest.fixture
def come(browser: Any, host: Host) -> Iterator[Visit]:
    """Makes people with browsers; at the end none of their pages may have had a fault."""
    made: list[Visitor] = []

    def come(at: Host = host, **options: bool) -> Visitor:
        visitor = Visitor(browser, at.address(), **options)
        made.append(visitor)
        return visitor

    yield come
    faults = [fault for visitor in made for fault in visitor.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    for visitor in made:
        visitor.close()
    assert not faults


def begin(who: Visitor, game: str, bot: str, *, side: str = "") -> None:
    who.open()
    who.page.locator(f"input[value={game}]").check(force=True)
    who.page.get_by_label("Bot", exact=True).select_option(bot)
    who.page.get_by_label(side or "Any", exact=True).check(force=True)
    who.begin()
    who.page.locator(".board").wait_for()


def kept(who: Visitor, *, parts: tuple[str, ...] = ()) -> None:
    """Wait until the service worker has kept the page, and files with these parts in their names."""
    who.page.evaluate("navigator.serviceWorker.ready")
    who.page.wait_for_function(
        """parts => caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
          .then((all) => Promise.all(all.map((one) => one.keys())))
          .then((all) => all.flat().map((request) => request.url))
          .then((kept) => parts.every((part) => kept.some((address) => address.includes(part))))""",
        arg=["js/words.js", *parts],
    )


def play_on(who: Visitor, rng: random.Random, plies: int = 10_000) -> int:
    """Random moves until the end, or for so many of one's own; how many they were."""
    for ply in range(plies):
        if not who.wait_for_turn():
            return ply
        who.play(rng)
    return plies


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_first_visit_loads_little_before_the_first_move(come: Visit, fresh_host: Host, game: str) -> None:
    """However long the visitor thinks: the service worker has kept the page by then, and asks for nothing twice."""
    vic = come(fresh_host)
    begin(vic, game, "@champion")
    vic.wait_for_turn()
    kept(vic)
    vic.page.wait_for_timeout(300)
    assert sum(fresh_host.sent.values()) <= FIRST_VISIT, fresh_host.sent
    networks = {path.rpartition("/")[2] for path in fresh_host.sent if "/networks/" in path}
    assert networks == ({f"{game}.bin"} if len(vic.moves()) else set())
    vic.play(random.Random(1))
    kept(vic, parts=("networks/dame.bin", "puzzles/labyrinth.json"))


def test_a_game_is_played_taken_back_and_resigned_and_kept_without_a_server(come: Visit) -> None:
    ann = come()
    begin(ann, "diamond_chase", "@strong", side="Green")
    assert ann.wait_for_turn()
    play_on(ann, random.Random(1), plies=2)
    assert ann.wait_for_turn()
    assert len(ann.moves()) == 4
    ann.page.get_by_text("simulations", exact=False).first.wait_for()
    ann.page.get_by_role("button", name="Hint").click()
    ann.page.get_by_text(re.compile("^Best is")).first.wait_for()
    assert ann.page.locator(".tag").count() == 1
    ann.page.get_by_role("button", name="Take back").click()
    ann.page.locator(".moves li").nth(2).wait_for(state="detached")
    assert len(ann.moves()) == 2
    ann.page.reload()
    assert ann.wait_for_turn()
    assert len(ann.moves()) == 2
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ann.page.locator(".status").get_by_text("You lose: you resigned.").wait_for()
    ann.open()
    ann.page.get_by_role("heading", name="Finished games").wait_for()
    ann.page.locator(".line").get_by_text("lost").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILT_IN)
@pytest.mark.parametrize("bot", [one.name for one in STRENGTHS])
def test_a_whole_game_in_every_game_against_every_strength(come: Visit, tmp_path: Path, game: str, bot: str) -> None:
    bob = come(phone=bot == "@beginner", dark=bot != "@strong")
    sides = load(game).drawing.side_names
    begin(bob, game, bot, side=sides[len(bot) % 2].capitalize())
    play_on(bob, random.Random(len(bot)))
    assert bob.status().partition(":")[0] in ("You win", "You lose", "Draw")
    with bob.page.expect_download() as download:
        bob.page.get_by_label("Download the record").click()
    download.value.save_as(tmp_path / "record.txt")
    (record,) = parse_records((tmp_path / "record.txt").read_text())
    assert record.game.name == game
    assert record.final.outcome is not None
    drawn = [record.game.drawing.ply(at, move).text for at, move in zip(record.positions(), record.moves, strict=False)]
    assert bob.moves() == drawn


@pytest.mark.slow
def test_after_the_first_visit_it_works_without_a_net(come: Visit, fresh_host: Host) -> None:
    """The game that was begun, the others, and puzzles; and it can be installed."""
    cat = come(fresh_host)
    begin(cat, "dame", "@intuition", side="White")
    play_on(cat, random.Random(2), plies=1)
    assert cat.wait_for_turn()
    kept(cat, parts=tuple(f"networks/{name}.bin" for name in BUILT_IN if champion_of(load(name)).exists()))
    kept(cat, parts=tuple(f"puzzles/{name}.json" for name in BUILT_IN))
    asked = cat.context.new_cdp_session(cat.page)
    faults = {one["errorId"] for one in asked.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert faults <= {"in-incognito"}  # as these windows are
    assert asked.send("Page.getAppManifest")["errors"] == []
    cat.context.set_offline(True)
    fresh_host.sent.clear()
    cat.page.reload()
    assert cat.wait_for_turn()
    play_on(cat, random.Random(4))
    assert cat.status().partition(":")[0] in ("You win", "You lose")
    for game in BUILT_IN:
        begin(cat, game, "@strong")
        play_on(cat, random.Random(5), plies=1)
        assert cat.wait_for_turn()
    cat.open("puzzle/connect_four")
    cat.page.locator(".spot.can").first.wait_for()
    assert not fresh_host.sent


@pytest.mark.slow
def test_what_cannot_be_loaded_without_a_net_is_said_and_asked_for_again(come: Visit) -> None:
    """Before the first move there is only the page: puzzles and networks wait until the net is back."""
    liz = come()
    liz.open()
    kept(liz)
    liz.context.set_offline(True)
    told = liz.page.get_by_text("It cannot be loaded just now")
    liz.open("puzzle/dame")
    told.wait_for()
    liz.context.set_offline(False)
    liz.page.locator(".spot.can").first.wait_for()
    liz.context.set_offline(True)
    begin(liz, "connect_four", "@intuition", side="Red")
    told.wait_for()
    liz.faults[:] = [fault for fault in liz.faults if "net::ERR_FAILED" not in fault]
    liz.context.set_offline(False)
    assert liz.wait_for_turn()
    assert len(liz.moves()) == 1
    assert told.count() == 0


@pytest.mark.slow
def test_a_new_version_is_begun_as_a_whole_and_the_game_goes_on(come: Visit, host: Host, tmp_path: Path) -> None:
    """Whoever comes back sees what was kept, until the service worker has the new files."""
    shutil.copytree(host.root, tmp_path / "host")
    made = Host(tmp_path / "host")
    moe = come(made)
    begin(moe, "dame", "@intuition", side="White")
    play_on(moe, random.Random(1), plies=1)
    assert moe.wait_for_turn()
    moves = moe.moves()
    kept(moe)
    site = made.root / BELOW
    for path, before, after in (
        ("js/texts/en.js", '"game.yourMove": "Your move"', '"game.yourMove": "Go on"'),
        ("service-worker.js", 'const VERSION = "', 'const VERSION = "new'),
    ):
        text = (site / path).read_text()
        assert before in text
        (site / path).write_text(text.replace(before, after))
    moe.page.reload()
    moe.page.locator(".status").get_by_text("Go on").wait_for()
    assert moe.moves() == moves
    made.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_link_holds_a_game_and_is_opened_elsewhere(come: Visit, game: str) -> None:
    dan, eve = come(), come(phone=True)
    dan.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin(dan, game, "@beginner", side=load(game).drawing.side_names[0].capitalize())
    play_on(dan, random.Random(5), plies=2)
    dan.wait_for_turn()
    moves = dan.moves()
    dan.page.get_by_role("button", name="Copy the link").click()
    dan.page.get_by_text("The link is in the clipboard.").first.wait_for()
    link = str(dan.page.evaluate("navigator.clipboard.readText()"))
    eve.page.goto(link)
    eve.page.get_by_role("button", name=re.compile("Play on from here|Go through it")).click()
    eve.page.locator(".board").wait_for()
    assert eve.moves()[: len(moves)] == moves


@pytest.mark.parametrize(
    "link",
    [
        "shared/nothing/-/-",
        "shared/dame/-/a1-a9",
        "shared/dame/%3Cimg%20src=x%20onerror=window.hurt=1%3E/-",
        "shared/connect_four/-/" + "1_" * 30 + "1",
        "shared/connect_four/" + "x" * 5000 + "/-",
        "shared/labyrinth/-/-",
        "shared/labyrinth/%23%23/-",
        "shared/diamond_chase/r%2Frr%2Fr%2Fr.r%2F.......%2Fg.g%2Fg%2Fgg%2Fg%20g%20999/-",
        "shared/%E0%A4%A/-/-",
    ],
)
def test_a_hostile_link_gets_one_line(come: Visit, link: str) -> None:
    mal = come()
    mal.open(link)
    mal.page.get_by_role("heading", name="This link holds no game").wait_for()
    line = str(mal.page.locator("p.bad").text_content())
    assert line
    assert len(line) < 200
    assert "\n" not in line
    assert mal.page.evaluate("window.hurt") is None
    mal.page.evaluate("localStorage.setItem('alphadiamond.local.games', '[{\"code\": 1}, null, 7]')")
    mal.page.evaluate("localStorage.setItem('alphadiamond.local.puzzles', '{\"dame\": 3}')")
    mal.open("play")
    mal.page.get_by_role("heading", name="Finished games").wait_for()


@pytest.mark.slow
def test_whoever_is_at_home_passes_without_a_click(come: Visit) -> None:
    pam = come()
    pam.open(f"shared/labyrinth/{quote(f'{FIRST} h9 c5 300 300 16 a', safe='')}/-")
    pam.page.get_by_role("button", name="Play on from here").click()
    pam.page.locator(".spot[data-spot='80']").click()
    pam.page.locator(".status.over").wait_for()
    moves = pam.moves()
    assert moves[0] == "e"
    assert set(moves[2::2]) == {"-"}


@pytest.mark.slow
def test_a_game_that_began_with_the_second_side_is_listed_as_waiting_for_it(come: Visit) -> None:
    position = load("dame").start()
    position = position.play(position.moves()[0])
    roy = come()
    roy.open(f"shared/dame/{quote(str(position), safe='')}/-")
    roy.page.get_by_role("button", name="Play on from here").click()
    assert roy.wait_for_turn()
    roy.open("play")
    roy.page.reload()
    roy.page.locator(".badge", has_text="Your move").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name in BUILT_IN if load(name).exam is not None])
def test_the_puzzle_of_the_day_tells_right_from_wrong_and_counts_days(come: Visit, host: Host, game: str) -> None:
    fay = come()
    puzzles = json.loads((host.root / BELOW / "puzzles" / f"{game}.json").read_text())
    fay.open(f"puzzle/{game}")
    fay.page.locator(".spot.can").first.wait_for()
    day = fay.page.evaluate("Math.floor((Date.now() - new Date().getTimezoneOffset() * 60000) / 86400000)")
    puzzle = puzzles[day % len(puzzles)]
    position = load(game).parse(puzzle["position"])
    squares = next(list(move.squares) for move in position.moves() if str(move) == puzzle["moves"][0])
    fay.page.evaluate(
        "day => localStorage.setItem('alphadiamond.local.puzzles', JSON.stringify(day))",
        {game: {"day": day - 1, "solved": True, "streak": 4}},
    )
    for square in squares:
        fay.page.locator(f".spot[data-spot='{square}']").click()
    fay.page.get_by_text(re.compile(r"^Right[:;]")).first.wait_for()
    fay.page.get_by_text("Solved 5 days in a row.").wait_for()
    fay.page.reload()
    fay.page.get_by_text("You have tried today's puzzle.").wait_for()
    assert fay.page.locator(".spot.can").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect_four", "dame", "labyrinth"])
def test_exact_values_are_shown(come: Visit, game: str) -> None:
    gus = come()
    begin(gus, game, "@beginner")
    play_on(gus, random.Random(8), plies=8 if game == "connect_four" else 2)
    gus.wait_for_turn()
    while gus.page.locator(".status.over").count() == 0 and game == "connect_four" and len(gus.moves()) < 16:
        gus.play(random.Random(9))
        gus.wait_for_turn()
    if gus.page.locator(".status.over").count():
        gus.page.get_by_role("button", name="Back", exact=True).click()
    gus.page.get_by_role("button", name="This position").click()
    gus.page.locator(".analysis table").get_by_text(re.compile("wins|loses|draws")).first.wait_for()


def test_a_maze_is_played_twice_with_seats_exchanged_and_then_there_is_a_new_one(come: Visit) -> None:
    ned = come()
    begin(ned, "labyrinth", "@beginner", side="Green")
    boards = []
    for _ in range(4):
        play_on(ned, random.Random(3), plies=1)
        kept = ned.page.evaluate("JSON.parse(localStorage.getItem('alphadiamond.local.games'))")
        boards.append((kept[0]["start"], kept[0]["seat"]))
        ned.page.get_by_role("button", name="Resign").click()
        ned.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        ned.page.get_by_role("button", name="Rematch").click()
        ned.page.locator(".status:not(.over)").wait_for()
    (one, first), (again, second), (other, _), (last, _) = boards
    assert one == again != other == last
    assert (first, second) == (0, 1)


def test_what_the_opponent_thinks_is_hidden_in_a_fog(come: Visit) -> None:
    """Its line and its arrows would tell where it is."""
    fog = come()
    begin(fog, "labyrinth", "@champion", side="Green")
    play_on(fog, random.Random(2), plies=1)
    assert fog.wait_for_turn()
    thought = fog.page.locator(".thinking .line-of-play")
    assert thought.count() == 1
    fog.page.get_by_role("button", name="Fog", exact=True).click()
    assert thought.count() == 0
    assert fog.page.locator(".value-bar:visible, .analysis:visible").count() == 0
    fog.page.get_by_role("button", name="Fog", exact=True).click()
    assert thought.count() == 1
    assert fog.page.locator(".analysis:visible").count() == 1


@pytest.mark.parametrize(("german", "phone"), [(True, False), (False, True)])
def test_the_perfect_player_tells_margins(come: Visit, german: bool, phone: bool) -> None:
    margins_are_told(come(phone=phone), german=german)


@pytest.mark.slow
def test_one_can_play_the_network_at_earlier_times_of_its_training(come: Visit, host: Host) -> None:
    kid = come(phone=True)
    kid.open()
    kid.page.locator("input[value=diamond_chase]").check(force=True)
    slider = kid.page.get_by_label("Its childhood")
    assert slider.get_attribute("aria-valuetext") == "Grown up, as chosen above"
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") == "After 100 iterations of training"
    assert not serious(kid.page)
    kid.begin()
    kid.page.get_by_role("heading", name="After 100 iterations of training").wait_for()
    play_on(kid, random.Random(6), plies=2)
    assert kid.wait_for_turn()


@pytest.mark.slow
@pytest.mark.parametrize(("phone", "dark"), [(True, True), (True, False), (False, True), (False, False)])
def test_an_accessibility_check_finds_nothing_serious(come: Visit, phone: bool, dark: bool) -> None:
    hal = come(phone=phone, dark=dark)
    found: dict[str, list[str]] = {}

    def look(place: str) -> None:
        hal.page.wait_for_timeout(300)
        if faults := serious(hal.page):
            found[place] = faults
        wide = hal.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], f"{place} is wider than the screen: {wide}"

    hal.open()
    hal.page.locator(".card-picture svg").first.wait_for()
    look("play")
    for game in BUILT_IN:
        begin(hal, game, "@strong")
        hal.wait_for_turn()
        hal.play(random.Random(1))
        hal.wait_for_turn()
        look(game)
    hal.open("puzzle/dame")
    hal.page.locator(".board").wait_for()
    look("puzzle")
    hal.open("shared/connect_four/-/4_4_3")
    hal.page.get_by_role("button", name="Play on from here").wait_for()
    look("shared")
    assert not found


@pytest.mark.slow
def test_a_game_by_keys_alone_in_german(come: Visit) -> None:
    ida = come()
    ida.open()
    ida.page.evaluate("localStorage.setItem('alphadiamond.language', 'de')")
    ida.page.reload()
    ida.page.get_by_role("heading", name="Rätsel des Tages").wait_for()
    ida.page.get_by_role("link", name="Vier gewinnt").wait_for()
    ida.open("puzzle/dame")
    ida.page.reload()
    ida.page.get_by_text("Vier gewinnt").first.wait_for()
    ida.open()
    ida.page.get_by_role("link", name="Vier gewinnt").wait_for()  # the page of puzzles has such a choice too
    ida.page.locator("input[value=connect_four]").check(force=True)
    ida.page.locator("select").first.select_option("@first-tries")
    ida.page.get_by_role("button", name="Spielen", exact=True).focus()
    ida.page.keyboard.press("Enter")
    ida.page.locator(".board").wait_for()
    rng = random.Random(3)
    while ida.wait_for_turn():
        before = len(ida.moves())
        ida.page.locator(".spot:not([tabindex='-1'])").focus()
        for _ in range(rng.randrange(1, 5)):
            ida.page.keyboard.press("n")
        ida.page.keyboard.press("Enter")
        ida.page.locator(f".moves li:nth-child({before + 1})").wait_for()
    assert ida.heard()
    assert ida.page.evaluate("document.documentElement.lang") == "de"


def test_the_policy_stands_in_the_document_and_nothing_asks_for_more(come: Visit, host: Host) -> None:
    page = (host.root / BELOW / "index.html").read_text()
    assert POLICY in page
    assert not re.search(r"https?://", page)
    for path in (host.root / BELOW).rglob("*"):
        if path.suffix in (".js", ".css", ".html", ".webmanifest"):
            text = re.sub(r"http://www\.w3\.org/\S+", "", path.read_text())
            assert not re.search(r"https?://|sendBeacon|XMLHttpRequest|WebSocket\(", text), path
    jan = come()
    asked: list[str] = []
    jan.page.on("request", lambda request: asked.append(request.url))
    begin(jan, "connect_four", "@strong", side="Yellow")
    play_on(jan, random.Random(1), plies=2)
    assert asked
    assert all(url.startswith((host.address(), "blob:")) for url in asked)
    for attempt, directive in (
        (
            "document.head.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
            "script-src-elem",
        ),
        ("fetch('http://localhost:9/').catch(() => {})", "connect-src"),
    ):
        found = jan.page.evaluate(
            f"""() => new Promise((done) => {{
              addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), {{ once: true }});
              {attempt};
              setTimeout(done, 10_000, "nothing was refused");
            }})"""
        )
        assert found == directive
    jan.faults[:] = [fault for fault in jan.faults if "Content Security Policy" not in fault]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_engine_agrees_with_python_in_this_browser_too(come: Visit, host: Host, name: str) -> None:
    game = load(name)
    directory = host.root / "parity" / name
    directory.mkdir(parents=True, exist_ok=True)
    fixtures.write_positions(game, directory, count=POSITIONS)
    fixtures.write_games(game, directory, count=2)
    fixtures.write_searches(game, directory, count=4)
    fixtures.write_followed(game, directory, count=1)
    examined = game.exam is not None and champion_of(game).exists()
    if examined:
        fixtures.write_exam(game, directory, checkpoint=champion_of(game), precisions={"f32": 200, "f16": 1_000_000})
    (host.root / "parity" / "parity.mjs").write_text((HERE / "parity.mjs").read_text())
    (host.root / "parity" / "index.html").write_text("<!doctype html><title>parity</title><link rel=icon href=data:,>")
    kim = come()
    kim.page.goto(host.address("parity/index.html"))
    files = sorted(path.name for path in directory.iterdir())
    found = kim.page.evaluate(
        """async ([engine, base, name, files]) => {
          const paths = ["games/index.js", "player.js", "position.js", "search/search.js", "network/evaluator.js"];
          const modules = Object.assign({}, ...(await Promise.all(paths.map((path) => import(engine + path)))));
          const { compare } = await import(`${base}parity.mjs`);
          const load = async (file) => (await fetch(`${base}${name}/${file}`)).arrayBuffer();
          const read = (file) => (files.includes(file) ? load(file) : null);
          return compare(name, modules, read);
        }""",
        [host.address(f"{BELOW}/js/engine/"), host.address("parity/"), name, files],
    )
    assert found["positions"] == {"count": POSITIONS, "different": 0}
    assert found["games"]["faults"] == []
    assert found["searches"]["faults"] == []
    assert found["followed"]["faults"] == []
    if examined:
        assert found["exam"]["f32"]["vectors"]
        assert found["exam"]["f32"]["worst"] < 1e-3
        assert found["exam"]["f16"]["different"] <= 0.001 * found["exam"]["f16"]["count"]
