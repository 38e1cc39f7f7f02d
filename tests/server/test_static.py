"""The page's files: nothing that a policy would block, no game by name, the window's colours."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from starlette.responses import PlainTextResponse

from alphadiamond.client.theme import DAYLIGHT, MIDNIGHT, Theme
from alphadiamond.games import GAMES, load
from alphadiamond.server.app import STATIC
from alphadiamond.server.metrics import Metrics
from alphadiamond.server.web_guard import Guard

ENGINE = STATIC / "js" / "engine"
"""Rules and search in the browser itself: no part of the server's page, but of a page without a server."""
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file() and not path.is_relative_to(ENGINE))
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
SHARED = (
    *("text", "muted", "faint", "on_accent", "accent", "accent_2", "gold", "danger", "good", "glass", "edge"),
    *("line", "line_2", "node", "red", "green", "yellow", "ivory", "ebony", "plate", "pale", "deep"),
)


def name_of(path: Path) -> str:
    return str(path.relative_to(STATIC))


def test_the_page_has_no_script_or_style_within_itself() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert re.findall(r"<script[^>]*>", page) == [
        '<script src="js/initial-theme.js">',
        '<script type="module" src="js/main.js">',
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_scripts_make_text_and_never_markup(path: Path) -> None:
    code = path.read_text()
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert word not in code, word
    assert not re.search(r"setAttribute\(\s*[\"']style", code)


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix in (".js", ".css", ".html")], ids=name_of)
def test_no_file_of_the_page_names_a_game(path: Path) -> None:
    text = path.read_text().lower()
    for game in GAMES:
        for word in (game, load(game).title.lower()):
            assert word not in text


def test_every_import_of_the_page_leads_to_a_file_and_every_file_is_used() -> None:
    found = {STATIC / "js" / "initial-theme.js", STATIC / "js" / "main.js"}
    for path in SCRIPTS:
        for target in re.findall(r"(?:from|import\()\s*\"(\.[^\"]+)\"", path.read_text()):
            there = (path.parent / target).resolve()
            assert there.is_file(), f"{name_of(path)}: {target}"
            found.add(there)
    assert found == set(SCRIPTS)


@pytest.mark.parametrize("theme", [MIDNIGHT, DAYLIGHT], ids=lambda theme: theme.name)
def test_the_page_has_the_window_s_colours(theme: Theme) -> None:
    dark, light = (STATIC / "css" / "theme.css").read_text().split(":root[data-theme", 1)
    style = dark if theme.dark else light
    wanted = {name.replace("_", "-"): getattr(theme, name) for name in SHARED}
    wanted |= {f"sky-{number}": colour for number, colour in enumerate(theme.sky, start=1)}
    for name, colour in wanted.items():
        assert f"--{name}: rgb({' '.join(map(str, colour))})" in style, name


def test_many_people_may_open_the_page_at_once_and_questions_are_still_limited() -> None:
    guarded = Guard(PlainTextResponse("here"), names=frozenset({"localhost"}), proxies=frozenset(), metrics=Metrics())

    def statuses(path: str, times: int) -> set[int]:
        found: set[int] = set()
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "headers": [(b"host", b"localhost")],
            "client": ("1", 2),
        }

        async def send(message: Any) -> None:
            found.update({message["status"]} if "status" in message else ())

        async def receive() -> Any:
            return {"type": "http.request"}

        async def ask() -> None:
            for _ in range(times):
                await guarded(scope, receive, send)

        asyncio.run(ask())
        return found

    assert statuses("/js/main.js", 30 * len(FILES)) == {200}
    assert statuses("/api/games", 300) == {200, 429}
    assert statuses("/js/main.js", 1) == {200}


def test_lines_of_javascript_are_no_longer_than_elsewhere() -> None:
    root = Path(__file__).parents[2]
    scripts = [*(root / "alphadiamond").rglob("*.js"), *(root / "tests").rglob("*.mjs")]
    assert scripts
    for path in scripts:
        for number, line in enumerate(path.read_text().split("\n"), start=1):
            assert len(line) <= 120, f"{path.name}:{number}"
