"""The page's texts: every language has all of them, each is used, and games bring their own words."""

import json
import re
import shutil
import subprocess
from functools import cache

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra [server]")

from alphadiamond.base.translation import translated
from alphadiamond.games import GAMES, load
from alphadiamond.server.app import STATIC
from alphadiamond.site.builder import OWN as SITE

TEXTS = STATIC / "js" / "texts"
OTHERS = sorted(path.stem for path in TEXTS.glob("*.js") if path.stem != "en")
NODE = shutil.which("node")
_SHOW = """
const values = new Proxy({}, { get: (_, name) => (name === "n" ? Number(process.argv[2]) : `{${String(name)}}`) });
const { default: table } = await import(process.argv[1]);
const shown = ([key, text]) => [key, typeof text === "function" ? text(values) : text];
console.log(JSON.stringify(Object.entries(table).map(shown)));
"""


@cache
def texts(language: str, n: int = 3) -> dict[str, str]:
    """All texts with their placeholders; where words depend on a number, for this one."""
    if NODE is None:
        pytest.skip("Node is not installed: apt-get install nodejs")
    command = [NODE, "--input-type=module", "-e", _SHOW, "--", (TEXTS / f"{language}.js").as_uri(), str(n)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    pairs = json.loads(done.stdout)
    assert len(pairs) == len({key for key, _ in pairs})
    return dict(pairs)


def placeholders(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)\}", text)))


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_has_every_text_with_the_same_values(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert list(other) == list(english)
    assert {key: placeholders(text) for key, text in other.items() if key != "board.free"} == {
        key: placeholders(text) for key, text in english.items() if key != "board.free"
    }
    assert all(text.strip() for text in other.values())


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_one_of_something_is_said_otherwise_than_several(language: str) -> None:
    one, three = texts(language, 1), texts(language)
    assert one["word.moves"] != three["word.moves"].replace("3", "1")
    assert not any("undefined" in text for text in (*one.values(), *three.values()))


def test_every_text_is_used_and_every_used_one_exists() -> None:
    folders = (STATIC, SITE)
    code = "\n".join(path.read_text() for one in folders for path in one.rglob("*.js") if path.parent != TEXTS)
    known = set(texts("en"))
    used = set(re.findall(r"\"([a-z]+\.\w+)\"", code)) & known
    called = set(re.findall(r"\bt\(\"([^\"]+)\"", code))
    patterns = [re.escape(text).replace(r"\$\{\}", r"\w+") for text in _templates(code)]
    used |= {key for key in known for pattern in patterns if re.fullmatch(pattern, key)}
    assert called <= known
    assert known - used - {"language.name"} == set()


def _templates(code: str) -> list[str]:
    """Keys that are put together: `error.${code}` becomes error.${}."""
    return [re.sub(r"\$\{[^}]*\}", "${}", text) for text in re.findall(r"[(,\s]`([a-z]+\.[^`]*\$\{[^`]*)`", code)]


def test_the_page_itself_holds_no_words() -> None:
    """What is shown goes through the table: no sentence stands in a module."""
    for path in STATIC.rglob("*.js"):
        if path.parent == TEXTS:
            continue
        code = re.sub(r"/\*\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
        for text in re.findall(r"\"([A-Z][a-z]+(?: [a-z']+)+[.…:]?)\"", code):
            raise AssertionError(f"{path.name}: {text}")


@pytest.mark.parametrize("name", [name for name in GAMES if name != "tic_tac_toe"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_game_brings_its_words_in_every_language_of_the_page(name: str, language: str) -> None:
    game = load(name)
    drawing = game.drawing_for(game.sample_start())
    table = drawing.texts[language]
    for text in (*drawing.side_names, drawing.piece, drawing.plural, drawing.place, drawing.tagline):
        assert text in table, text


def test_patterns_keep_their_values_and_translate_those_they_know() -> None:
    table = {"red": "Rot", "{} has {} beads left": "{} hat noch {} Perlen"}
    assert translated(table, "red has 2 beads left") == "Rot hat noch 2 Perlen"
    assert translated(table, "nothing of this") == "nothing of this"
