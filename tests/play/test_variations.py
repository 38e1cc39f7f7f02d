"""Moves as a tree: tried, written, read back, and in the same words as the page writes them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from alphadiamond.base.notation import NotationError
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import GAMES, load
from alphadiamond.play import variations
from alphadiamond.play.variations import Variations, read_variations

GAME = load("connect_four")
TEXT = "4 4 (3 5 (2) 1) 3 (5 4) (6) 7"
PAGE = Path(__file__).parents[2] / "alphadiamond" / "server" / "static" / "js" / "variations.js"


def moves(tree: Variations) -> list[str]:
    return [str(ply.move) for ply in tree.plies()]


def test_a_tree_is_written_and_read_back() -> None:
    tree = Variations.parse(GAME, GAME.start(), TEXT)
    assert str(tree) == TEXT
    assert len(tree) == 11
    assert moves(tree) == ["4", "4", "3", "7"]
    assert tree.at.depth == 4
    assert tree.position == tree.plies()[-1].after


def test_a_move_goes_along_a_line_that_is_there_or_begins_another() -> None:
    tree = Variations.of_moves(GAME, GAME.start(), [GAME.parse_move("4"), GAME.parse_move("4")])
    assert tree.at is tree.root
    tree.play(GAME.parse_move("4"))
    assert len(tree) == 2
    tree.play(GAME.parse_move("2"))
    assert (str(tree), tree.is_main, moves(tree)) == ("4 4 (2)", False, ["4", "2"])
    tree.promote()
    assert (str(tree), tree.is_main) == ("4 2 (4)", True)
    tree.remove(tree.at)
    assert (str(tree), tree.at.depth) == ("4 4", 1)
    tree.remove(tree.root)  # nothing to take out
    assert len(tree) == 2


def test_what_is_looked_at_stays_when_another_line_is_taken_out() -> None:
    tree = Variations.parse(GAME, GAME.start(), "4 4 (3 5) 3")
    here = tree.at
    tree.remove(tree.root.children[0].children[1])
    assert tree.at is here
    assert str(tree) == "4 4 3"


@pytest.mark.parametrize("text", ["(4)", "4 (", "4 ()", "4 )", "4 ((3))", "4 (3", "9", "zz", "4 " * 43, "4 (3) " * 41])
def test_a_text_that_is_no_tree_gets_one_line(text: str) -> None:
    with pytest.raises(AlphaDiamondError) as caught:
        Variations.parse(GAME, GAME.start(), text)
    assert "\n" not in str(caught.value)


def test_a_line_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variations, "LONGEST_LINE", 3)
    tree = Variations.parse(GAME, GAME.start(), "4 4 4")
    with pytest.raises(NotationError, match="at most 3 plies"):
        tree.play(GAME.parse_move("4"))
    assert tree.at.depth == 3


@pytest.mark.parametrize("name", [name for name in GAMES if name != "tic_tac_toe"])
def test_a_link_holds_a_position_and_its_lines_in_every_game(name: str) -> None:
    game = load(name)
    position = game.sample_start()
    position = position.play(position.moves()[0])
    tree = Variations(game, position)
    for move in position.moves()[:2]:
        tree.at = tree.root
        tree.play(move)
        tree.play(tree.position.moves()[0])
    link = tree.link("http://127.0.0.1:8765/")
    assert link.startswith(f"http://127.0.0.1:8765/#analysis/{name}/")
    assert " " not in link
    for other in ("connect_four", name):  # whatever is on the board when it comes
        found = read_variations(link, load(other))
        assert (found.game, str(found.start), str(found)) == (game, str(position), str(tree))
        assert str(read_variations(f" {position}\n", load(other)).start) == str(position)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#analysis/chess/x", "not here"),
        ("#analysis/dame/nonsense", "position"),
        ("#analysis/connect_four//9", "9"),
        ("what is this", "position"),
    ],
)
def test_a_link_or_position_that_is_none_gets_one_line(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_variations(text, GAME)
    assert "\n" not in str(caught.value)


def test_the_page_writes_and_reads_the_same_lines() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: apt-get install nodejs")
    texts = [TEXT, "4", "4 4 (2)", "1 2 (3 4 (5) 6) (7) 1"]
    script = f"""
        import {{ Variations, parseVariations }} from {json.dumps(PAGE.as_uri())};
        const written = (text) => {{
          const tree = new Variations(null, [], 0);
          for (const {{ after, moves }} of parseVariations(text)) {{
            let node = after.reduce((one, move) => tree.child(move, one), tree.root);
            for (const move of moves) node = tree.child(move, node) ?? tree.add(node, move, null, [], 0);
          }}
          return String(tree);
        }};
        console.log(JSON.stringify({json.dumps(texts)}.map(written)));
    """
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    assert there == [str(Variations.parse(GAME, GAME.start(), text)) for text in texts] == texts
