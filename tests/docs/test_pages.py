"""What the pages say is what happens: examples are run, and lists are complete."""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from alphadiamond import games
from alphadiamond.agents import players_of
from alphadiamond.agents.registry import PROGRAMS, parameters_of
from alphadiamond.base.compilation import BODIES
from alphadiamond.command import COMMANDS, TOOLS
from alphadiamond.engine.queries import ACTIONS, Action, Query, read_line
from alphadiamond.games.diamond_chase.game import GAME
from tests.docs.reference import PAGES, REFERENCE

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str) -> list[tuple[str, str]]:
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_python_page_print_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pettingzoo", reason="the page's last example needs PettingZoo")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    found = blocks("reference/api.md")
    assert [language for language, _ in found] == ["python", "text"] * (len(found) // 2)
    for (_, code), (_, expected) in zip(found[::2], found[1::2], strict=True):
        out = io.StringIO()
        own_file = re.match(r"# \w+\.py\n", code)
        assert own_file or "Workers" not in code, "their processes would run all that comes before"
        with contextlib.redirect_stdout(out):
            exec(compile(code, "docs/reference/api.md", "exec"), {"__name__": "__main__"} if own_file else names)
        assert out.getvalue() == expected, code
        if own_file:  # a process that imports it does nothing
            with contextlib.redirect_stdout(out):
                exec(compile(code, "docs/reference/api.md", "exec"), {"__name__": "__mp_main__"})
            assert out.getvalue() == expected, code


def test_the_readme_s_example_plays_a_game_to_its_end() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (DOCS.parent / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code.replace("simulations=200", "simulations=2"), "README.md", "exec"), {"__name__": "__main__"})
    assert re.search(r"(wins|draw) by \w+", out.getvalue())


def test_the_page_of_players_names_every_player_with_every_parameter_and_its_default() -> None:
    page = (DOCS / "reference/players.md").read_text()
    rows: dict[str, str] = {}
    for line in page.split("\n"):
        if line.startswith("| `"):
            for name in re.findall(r"`(\w+)`", line.split("|")[1]):
                rows.setdefault(name, line)  # the first table is the list
    assert set(players_of(GAME)) <= set(rows)
    assert "All take `seed`" in page
    for player in (*players_of(GAME), *PROGRAMS):
        for name, parameter in parameters_of(player, game=GAME).items():
            if name == "seed":
                continue
            assert f"`{name}`" in rows[player], f"{player}: {name}"
            if isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool):
                assert f"`{name}` ({parameter.default:g}" in rows[player], f"{player}: {name}={parameter.default}"


def test_the_map_names_every_package_and_no_other() -> None:
    page = (DOCS / "explanation/architecture.md").read_text()
    table = page.partition("## Packages")[2].partition("Beside the packages")[0]
    rows = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    package = DOCS.parent / "alphadiamond"
    assert sorted(rows) == sorted(path.parent.name for path in package.glob("*/__init__.py"))
    for module in re.findall(r"`(\w+/[\w/]+\.(?:py|js))`", page):
        places = [package / module, package.parent / module]
        assert any(place.exists() for place in places), f"{module} is not there"
    picture = (DOCS / "pictures/layers.svg").read_text().partition("\n")[0]
    assert [name for name in rows if not re.search(rf"\b{name}\b", picture)] == ["settings"]  # beside the layers
    homes = sorted(path.parent.name for path in package.glob("games/*/game.py"))
    assert [name for name in homes if name not in picture] == []


def test_pages_name_no_module_that_is_gone() -> None:
    """The lab's pages are a diary, and name what was there."""
    root = DOCS.parent
    sources = [
        path for top in ("alphadiamond", "tests", "scripts", "examples", "proofs") for path in (root / top).rglob("*")
    ]
    there = {path.name for path in sources}
    pages = [root / "CONTRIBUTING.md", root / "README.md", *DOCS.rglob("*.md")]
    gone = {
        f"{page.relative_to(root)}: {name}"
        for page in pages
        if "lab" not in page.parent.name
        for name in re.findall(r"`(?:\w+/)*(\w+\.(?:py|js))`", page.read_text(encoding="utf-8"))
        if name not in there
    }
    assert gone == set()


def test_the_engine_s_page_shows_lines_that_it_takes_and_names_every_key_and_action() -> None:
    page = (DOCS / "reference/engine.md").read_text()
    lines = [text.strip() for language, text in blocks("reference/engine.md") if language == "json"]
    query, answer, stop, error = lines
    asked = read_line(query.encode(), GAME.name)
    assert isinstance(asked, Query)
    assert isinstance(read_line(stop.encode(), GAME.name), Action)
    for key in (*Query.__dataclass_fields__, *json.loads(answer), *json.loads(error)):
        name = {"positions": "position"}.get(key, key)
        assert f"`{name}`" in page, name
    for action in ACTIONS:
        assert f"| `{action}` |" in page


def test_the_engine_s_example_in_python_runs() -> None:
    code, _ = [text for language, text in blocks("reference/engine.md") if language == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=DOCS.parent, timeout=120)
    assert done.returncode == 0, done.stderr
    assert sorted(line[0] for line in done.stdout.splitlines()) == ["2", "4", "6"]


def test_the_page_on_adding_a_game_is_the_whole_of_one_and_what_it_prints(request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: games.unregister("tic_tac_toe"))
    *game, use = [code for language, code in blocks("guides/add-a-game.md") if language == "python"]
    source = (DOCS.parent / "examples" / "tic_tac_toe.py").read_text()
    assert "".join("".join(game).split()) == "".join(source.split())
    assert len(source.splitlines()) < 150
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(use, "docs/guides/add-a-game.md", "exec"), {})
    assert [out.getvalue()] == [text for language, text in blocks("guides/add-a-game.md") if language == "text"]
    (drawing,) = [code for language, code in blocks("guides/draw-a-game.md") if language == "py"]
    assert drawing == (DOCS.parent / "tests" / "outside" / "domineering" / "drawing.py").read_text()


def test_the_page_on_adding_a_game_names_every_function_of_the_rules_and_every_way_to_a_game() -> None:
    page = (DOCS / "guides/add-a-game.md").read_text()
    for function in BODIES:
        assert f"`{function.__name__}`" in page, function.__name__
    for way in (games.VARIABLE, games.GROUP, "games.register(", "game=package.module:GAME", "check_game"):
        assert way in page, way


def test_texts_name_commands_and_not_the_scripts_behind_them() -> None:
    root = DOCS.parent
    scripts = "|".join(path.stem for path in (root / "scripts").glob("*.py"))
    texts = [
        *(root / "alphadiamond").rglob("*.py"),
        *(root / "configs").rglob("*.yaml"),
        *(root / "scripts").glob("*.py"),
    ]
    pages = [root / "README.md", root / "CONTRIBUTING.md", *DOCS.rglob("*.md"), *root.glob("checkpoints/*/README.md")]
    named = {
        str(path.relative_to(root)): found
        for path in (*texts, *pages)
        if (found := re.findall(rf"scripts/(?:{scripts})\.py", path.read_text(encoding="utf-8")))
    }
    assert named == {}


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_are_made_from_the_code_are_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", dict(games.BUILT_IN))  # without those that other tests have registered
    assert (REFERENCE / name).read_text() == PAGES[name](), "python -m tests.docs.reference writes them anew"


def test_the_made_pages_name_every_command_and_explain_every_public_name() -> None:
    settings, names = ((REFERENCE / name).read_text() for name in PAGES)
    assert re.findall(r"^## alphadiamond (.*)$", settings, re.MULTILINE) == [
        name.replace("_", "-") for name in (*COMMANDS, *TOOLS)
    ]
    assert re.findall(r"^\| `[\w.]+` \| .* \|  \|$", settings, re.MULTILINE) == []
    assert re.findall(r"^### (.*)\n+(?=#)", names, re.MULTILINE) == []
