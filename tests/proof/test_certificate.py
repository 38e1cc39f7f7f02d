"""Certificates, and the program that checks them: the true is valid, and the forged is refused with the place."""

import contextlib
import hashlib
import importlib.util
import io
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.base import game_kernels
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.proof import kernels
from alphadiamond.proof.certificate import GAMES
from alphadiamond.proof.command import prove
from alphadiamond.proof.settings import ProveSettings
from tests.proof.players import HERE

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "proofs" / "check_proof.py"
RACE = ".b..../....b./....../w...../...b../..w... w"
"""White wins, by any move that is legal."""
NEARLY_FULL = "..ox.o./..xxxo./.xxooxx/oooxooo/xxxoxxo/xoooxox x"
"""Nobody loses any more, and some games end drawn."""


@pytest.fixture(scope="module")
def checker() -> Any:
    spec = importlib.util.spec_from_file_location("check_proof", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def certificate(output: Path, **settings: Any) -> Path:
    told = {"player": f"{HERE}.Ranked", "workers": 1, "exact": False, "side": "first", "output": str(output)}
    prove(ProveSettings(**{**told, "certificate": "never_loses", **settings}))
    (path,) = output.glob("*.proof")
    return path


def verdict(checker: Any, path: Path) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            checker.main(path, quiet=True)
        except checker.RefusedError as refused:
            return f"refused: {refused}"
    return out.getvalue()


class Opened:
    """A certificate taken to pieces, to be put together again with something changed and every checksum right."""

    def __init__(self, path: Path, checker: Any) -> None:
        content = path.read_bytes()
        (length,) = struct.unpack_from("<I", content, 8)
        self.header = json.loads(content[12 : 12 + length])
        self.entries = checker.read(path)[1]

    def written(self, path: Path) -> Path:
        columns = self.entries.copy()
        columns[:, 0] = np.diff(columns[:, 0], prepend=0)
        body = kernels.leb128(columns.reshape(-1).astype(np.uint64)).tobytes()
        text = json.dumps({**self.header, "entries": len(columns), "blocks": 1}).encode()
        content = b"ADPROOF\n" + struct.pack("<I", len(text)) + text
        content += struct.pack("<QII", len(columns), len(body), zlib.crc32(body)) + body
        path.write_bytes(content + hashlib.sha256(content).digest())
        return path


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Dame that white has won, whatever black replies."""
    return certificate(tmp_path_factory.mktemp("race"), game="dame", starts=[RACE], certificate="wins")


def test_a_proof_is_valid(race: Path, checker: Any) -> None:
    assert verdict(checker, race).startswith(f"valid: as white the player wins, from {RACE}\ndame, ")
    summary = json.loads(race.with_suffix(".proof.json").read_text())
    assert summary["bytes"] == race.stat().st_size
    assert summary["sha256"] == hashlib.sha256(race.read_bytes()[:-32]).hexdigest()
    assert summary["sha256"] in verdict(checker, race)


@pytest.mark.parametrize("name", GAMES)
def test_the_checker_knows_the_rules_as_the_game_does(name: str, checker: Any) -> None:
    game, rng = load(name), np.random.default_rng(3)
    moves, image, valid = checker.RULES[name]
    after, ends = np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64)
    states = np.array([game.random_start(rng) for _ in range(400)])
    board = states[0]
    numbers = game.pack_positions(game.bare(states), board).view(np.int64)
    least = game.pack_positions(game.canonical(game.bare(states))[0], board).view(np.int64)
    rows, _, reached, statuses = game_kernels.all_replies(game.rules, states)
    there = game.pack_positions(game.bare(reached), board).view(np.int64)
    words = {2: checker.ONGOING, -1: checker.WON, 0: checker.DRAWN, 1: checker.LOST}  # for who has moved
    for row in range(len(states)):
        assert valid(numbers[row])
        assert image(numbers[row]) == least[row]
        count = moves(numbers[row], after, ends)
        expected = {(int(n), words[int(s)]) for n, s in zip(there[rows == row], statuses[rows == row], strict=True)}
        assert {(int(n), int(e)) for n, e in zip(after[:count], ends[:count], strict=True)} == expected


@pytest.mark.parametrize("name", GAMES)
def test_the_checker_reads_starts_as_the_game_does(name: str, checker: Any) -> None:
    game, rng = load(name), np.random.default_rng(4)
    for _ in range(30):
        position = game.position_of(game.random_start(rng))
        for one in (position, position.play(position.moves()[0])):
            if one.outcome is None:
                number, side = checker.STARTS[name](str(one))
                states = game.bare(game.states_of([one]))
                assert number == int(game.pack_positions(states, states[0])[0])
                assert side == str(one.side)


def test_a_flipped_bit_is_found_wherever_it_is(race: Path, checker: Any, tmp_path: Path) -> None:
    content = race.read_bytes()
    (length,) = struct.unpack_from("<I", content, 8)
    forged = tmp_path / "forged"
    for place in [*range(12), *range(12, 12 + length, 37), *range(12 + length, len(content))]:
        forged.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        said = verdict(checker, forged)
        assert said.startswith("refused: "), place
    assert "SHA-256 at byte" in said
    forged.write_bytes(content[:-40])
    assert "block 0 of 1" in verdict(checker, forged)
    middle = 12 + length + 20
    forged.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    assert f"block 0 of 1, bytes {12 + length} to {len(content) - 32}: its checksum is wrong" in verdict(
        checker, forged
    )


def test_a_missing_entry_is_refused_with_the_position_that_needs_it(race: Path, checker: Any, tmp_path: Path) -> None:
    opened = Opened(race, checker)
    entries = opened.entries
    assert verdict(checker, opened.written(tmp_path / "same")).startswith("valid")
    for row in range(len(entries)):
        opened.entries = np.delete(entries, row, axis=0)
        said = verdict(checker, opened.written(tmp_path / "forged"))
        assert "a reply leads to a position that is not in the list" in said or "which is not in the list" in said


def test_a_changed_move_is_refused(race: Path, checker: Any, tmp_path: Path) -> None:
    opened = Opened(race, checker)
    entries, said = opened.entries, []
    for row in range(len(entries)):
        for other in range(4):
            if other != entries[row, 1]:
                opened.entries = entries.copy()
                opened.entries[row, 1] = other
                said.append(verdict(checker, opened.written(tmp_path / "forged")))
                assert said[-1].startswith((f"refused: entry {row} of {len(entries)}, position ", "valid"))
    for reason in ("beyond the moves that there are", "that is not in the list"):
        assert any(reason in one for one in said)
    # Another move is another proof only where all that it leads to is in the list.
    assert sum(one.startswith("valid") for one in said) < 0.2 * len(said)


def test_plies_that_do_not_get_fewer_are_refused(race: Path, checker: Any, tmp_path: Path) -> None:
    opened = Opened(race, checker)
    entries = opened.entries
    assert len(entries) > 2
    for row in range(len(entries)):
        opened.entries = entries.copy()
        opened.entries[row, 2] += 40
        longer = verdict(checker, opened.written(tmp_path / "forged"))
        opened.entries[row, 2] = 0
        none = verdict(checker, opened.written(tmp_path / "forged"))
        assert "the plies to it do not get fewer" in none
        first = entries[row, 2] == entries[:, 2].max()
        assert first or "the plies to it do not get fewer" in longer


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            {"starts": [".b..../....b./....../w...../...b../w..... w"]},
            "the game begins at .*, which is not in the list",
        ),
        ({"starts": ["nonsense w"]}, "start 'nonsense w': no position of dame"),
        ({"side": "black"}, "not in the list|ends the game"),
        ({"game": "chess"}, "game chess, .* not known here"),
        ({"format": 2}, "format 2"),
    ],
)
def test_another_header_is_refused(race: Path, checker: Any, tmp_path: Path, change: dict[str, Any], line: str) -> None:
    opened = Opened(race, checker)
    opened.header |= change
    assert re.search(line, verdict(checker, opened.written(tmp_path / "forged")))


def test_a_player_that_can_be_beaten_gets_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(AlphaDiamondError, match=r"no certificate: as white .* can be beaten"):
        certificate(tmp_path, game="dame", starts=[".b.b.b/....../.b.w.b/....../.w..../w.w.w. w"])
    assert (tmp_path / "proof.json").exists()


def test_a_draw_is_no_win(tmp_path: Path, checker: Any) -> None:
    path = certificate(tmp_path / "draws", game="connect_four", starts=[NEARLY_FULL])
    assert verdict(checker, path).startswith("valid: as x the player never loses")
    with pytest.raises(AlphaDiamondError, match="the player does not win by force"):
        certificate(tmp_path / "wins", game="connect_four", starts=[NEARLY_FULL], certificate="wins")


def test_it_runs_alone(race: Path, tmp_path: Path) -> None:
    """In a directory where nothing of the package can be imported."""
    copy = tmp_path / "check_proof.py"
    copy.write_bytes(CHECKER.read_bytes())
    assert "alphadiamond" not in CHECKER.read_text()
    command = [sys.executable, "-I", str(copy), str(race)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("valid: ")
    forged = tmp_path / "forged"
    forged.write_bytes(race.read_bytes()[:-1])
    done = subprocess.run([*command[:-1], str(forged)], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refused: ")
