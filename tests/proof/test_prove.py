"""`prove`: what is listed, counted, written and refused, and what a kill leaves behind."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alphadiamond.agents import make_agent
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.games.dame.solver import DameSolution
from alphadiamond.games.records import read_records
from alphadiamond.proof import tasks
from alphadiamond.proof.certificate import entries_of
from alphadiamond.proof.command import prove
from alphadiamond.proof.enumeration import KnownMoves, enumerate_positions, first_positions
from alphadiamond.proof.ply_files import PlyFiles
from alphadiamond.proof.settings import ProveSettings
from tests.games.dame.conftest import dame_solution, solved_directory  # noqa: F401  (fixtures)
from tests.proof.plain import least_image, listed
from tests.proof.players import HERE

ROOT = Path(__file__).parents[2]
RANKED = f"{HERE}.Ranked"
MIDDLE = ".b.b.b/....../.b.w.b/....../.w..../w.w.w. w"


def proven(output: Path, **settings: Any) -> dict[str, Any]:
    prove(ProveSettings(**{"player": RANKED, "workers": 1, "exact": False, "output": str(output), **settings}))
    sides: dict[str, Any] = json.loads((output / "proof.json").read_text())["sides"]
    return sides


@pytest.mark.parametrize(
    ("name", "start", "plies"),
    [
        ("dame", MIDDLE, None),
        ("connect_four", "......./......./......./...x.../...o.../..ox... x", 2),
        ("diamond_chase", "", 3),
        ("labyrinth", "seed", 2),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_it_lists_what_sets_of_positions_list(
    name: str, start: str, plies: int | None, side: int, tmp_path: Path
) -> None:
    game = load(name)
    position = game.sample_start() if start in ("", "seed") else game.parse(start)
    which = ("first", "second")[side]
    (found,) = proven(tmp_path, game=name, starts=[str(position)], side=which, plies=plies).values()
    agent = make_agent(RANKED, game=game)
    expected = listed(game, agent, position, game.sides[side], plies)
    assert [one["positions"] for one in found["by_own_move"]] == [len(ply) for ply in expected.plies]
    ends = Counter({kind: found[f"{kind}_ends"] for kind in ("won", "drawn", "lost") if found[f"{kind}_ends"]})
    assert ends == expected.ends
    files = PlyFiles(tmp_path / str(game.sides[side]))
    subject = tasks.Subject(game, RANKED, game.states_of([position])[0], exact=False)
    for number, ply in enumerate(expected.plies):
        states = subject.states_of(np.asarray(files.positions(number)))
        assert {least_image(game, game.position_of(state, game.sides[side])) for state in states} == ply


class Inline:
    """Answers in this process, and counts what the player had to be asked."""

    def __init__(self) -> None:
        self.asked = 0

    def run(self, given: Iterable[tasks.ProofTask]) -> Iterator[tuple[tasks.ProofTask, tasks.Expansion]]:
        for task in given:
            self.asked += len(task.unknown)
            yield task, tasks.expand(task)


def test_what_was_asked_for_one_side_is_not_asked_for_the_other(tmp_path: Path) -> None:
    """In Diamond Chase the second side soon meets the positions of the first, seen from the side to move."""
    game, found, asked = load("diamond_chase"), {}, {}
    subject = tasks.Subject(game, RANKED, game.states_of([game.start()])[0], exact=False)
    known = None
    for name, side, given in (("first", 0, None), ("alone", 1, None), ("after", 1, True)):
        files, team = PlyFiles(tmp_path / name), Inline()
        files.directory.mkdir()
        first = first_positions(subject, [game.start()], game.sides[side])
        found[name] = enumerate_positions(
            subject, first, files, team, title=name, part=50, plies=4, known=known if given else None
        )
        asked[name] = team.asked
        if name == "first":
            known = KnownMoves(*entries_of(files, 4))
    assert asked["alone"] == found["alone"].counts.positions
    assert asked["after"] < 0.9 * asked["alone"]
    assert [ply.counts for ply in found["after"].plies] == [ply.counts for ply in found["alone"].plies]
    for ply in range(4):
        moves = [PlyFiles(tmp_path / name).moves(ply).tolist() for name in ("alone", "after")]
        assert moves[0] == moves[1]


def test_moves_are_held_against_exact_values(dame_solution: DameSolution, tmp_path: Path, monkeypatch) -> None:  # noqa: F811
    game = load("dame")
    monkeypatch.setattr(type(game), "solution", lambda self: dame_solution)
    tasks._solution.cache_clear()
    (found,) = proven(tmp_path, game="dame", starts=[MIDDLE], side="first", exact=True, beyond=True).values()
    agent = make_agent(RANKED, game=game)
    lost = 0
    for ply in listed(game, agent, game.parse(MIDDLE), game.sides[0]).plies:
        for state in ply:
            position = game.position_of(np.array(state))
            after = position.play(agent.choose(position))
            value = dame_solution.values(game.states_of([position]))[0][0]
            then = -dame_solution.values(game.states_of([after]))[0][0] if after.outcome is None else 1
            lost += value == 1 and then == -1
    assert found["lost"] == lost > 0
    assert found["let_go"] == 0, "there is no draw"


def test_a_win_that_becomes_a_draw_is_counted_apart(perfect_small: Any, tmp_path: Path) -> None:
    tasks._solution.cache_clear()
    game = load("diamond_chase")
    start = "r/../r/..r/..g..../g.r/g/gg/. g"
    (found,) = proven(tmp_path, starts=[start], side="first", exact=True, beyond=True, plies=4).values()
    agent = make_agent(RANKED, game=game)
    counted = Counter()
    for ply in listed(game, agent, game.parse(start), game.sides[0], 4).plies:
        for state in ply:
            position = game.position_of(np.array(state))
            after = position.play(agent.choose(position))
            value = perfect_small.probe(position).value
            counted[value, -perfect_small.probe(after).value] += 1
    assert found["lost"] == counted[1, -1] + counted[0, -1]
    assert found["let_go"] == counted[1, 0] > 0


def test_it_goes_on_beyond_a_loss_only_if_asked(perfect_small: Any, tmp_path: Path) -> None:
    tasks._solution.cache_clear()
    told: dict[str, Any] = {"starts": ["r/../r/..r/..g..../g.r/g/gg/. g"], "side": "first", "exact": True, "plies": 4}
    (near,) = proven(tmp_path / "near", **told).values()
    (far,) = proven(tmp_path / "far", beyond=True, **told).values()
    first = next(ply for ply, one in enumerate(far["by_own_move"]) if one["lost"])
    assert [one["positions"] for one in near["by_own_move"][: first + 1]] == [
        one["positions"] for one in far["by_own_move"][: first + 1]
    ]
    assert near["by_own_move"][first]["lost"] == far["by_own_move"][first]["lost"]
    assert 0 < near["positions"] < far["positions"]
    game = load("diamond_chase")
    for record in read_records(tmp_path / "near" / "green-lost.txt"):
        values = [
            perfect_small.probe(position).value for position in record.positions() if position.side is game.sides[0]
        ]
        own_move = int(record.tags["Proof"].rpartition(" ")[2])
        assert all(value >= 0 for value in values[:own_move]), "nothing was lost before"
        assert values[own_move] == -1 if own_move < len(values) else record.result == "red"


def test_the_games_to_the_first_losses_are_as_short_as_can_be_and_end_lost(tmp_path: Path) -> None:
    game = load("dame")
    found = proven(tmp_path, game="dame", starts=[MIDDLE], lines=7)["white"]
    records = read_records(tmp_path / "white-losing.txt")
    assert len(records) == 7
    first = next(one["own_move"] for one in found["by_own_move"] if one["losing"])
    assert len(records[0].moves) == 2 * first
    for record in records:
        assert record.result == "black"
        assert record.players[1] == "anybody"
        agent = make_agent(RANKED, game=game)
        for position, move in zip(record.positions(), record.moves, strict=False):
            assert position.side is game.sides[1] or agent.choose(position) == move


def test_workers_find_what_one_process_finds(tmp_path: Path) -> None:
    alone = proven(tmp_path / "alone", game="dame", starts=[MIDDLE])
    assert proven(tmp_path / "two", game="dame", starts=[MIDDLE], workers=2, part=7) == alone


def test_nothing_is_lost_by_a_kill(tmp_path: Path) -> None:
    noted, output = tmp_path / "noted", tmp_path / "killed"
    arguments = [f"player={HERE}.Noted:file={noted}", "game=dame", f"starts=['{MIDDLE}']", "side=first"]
    command = [sys.executable, "scripts/prove.py", *arguments, "workers=1", "part=2", "exact=false", f"output={output}"]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (noted.exists() and len(noted.read_text().splitlines()) > 100):
        assert running.poll() is None
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    running.wait()
    asked = {line.partition(" ")[2] for line in noted.read_text().splitlines()}
    noted.unlink()
    arguments = {"game": "dame", "starts": [MIDDLE], "side": "first"}
    resumed = proven(output, player=f"{HERE}.Noted:file={noted}", part=2, **arguments)
    left = resumed["white"]["positions"] - len(asked)
    again = {line.partition(" ")[2] for line in noted.read_text().splitlines()[:left]}
    assert len(asked & again) <= 2, "no more than what was being asked when it was killed"
    whole = proven(tmp_path / "whole", **arguments)
    assert resumed == whole


@pytest.mark.parametrize("cut", [1, 9, 15, 16, 18])
def test_half_a_part_in_the_journal_is_left_out(tmp_path: Path, cut: int) -> None:
    files = PlyFiles(tmp_path)
    files.append(3, 0, np.array([5, 6], dtype=np.int16))
    files.append(3, 2, np.array([7, 8], dtype=np.int16))
    path = tmp_path / "ply-0003.journal"
    path.write_bytes(path.read_bytes()[:-cut])
    assert [(start, moves.tolist()) for start, moves in files.journal(3)] == [(0, [5, 6])]
    files.append(3, 2, np.array([9], dtype=np.int16))
    assert [(start, moves.tolist()) for start, moves in files.journal(3)] == [(0, [5, 6]), (2, [9])]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"player": "random"}, "player=random: not a function of the position alone"),
        ({"game": "labyrinth"}, "every game of Labyrinth begins on a board of its own: give starts="),
        ({"game": "dame", "memory": 0.001}, "positions so far: the next ply would take .* and there are 1 MB"),
        ({"game": "dame", "starts": ["w...../....../....../....../....../...... b"]}, "w"),
        ({"game": "dame", "player": f"{HERE}.Moody"}, "is no function of the position: asked again"),
    ],
)
def test_what_cannot_be_proven_is_refused_in_a_line(settings: dict[str, Any], line: str, tmp_path: Path) -> None:
    with pytest.raises(AlphaDiamondError, match=line) as refused:
        proven(tmp_path, plies=3, **settings)
    assert "\n" not in str(refused.value)


def test_a_directory_of_another_proof_is_left_alone(tmp_path: Path) -> None:
    proven(tmp_path, game="dame", starts=[MIDDLE])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(AlphaDiamondError, match=r"holds the proof of another player \(.*Ranked\); name another"):
        proven(tmp_path, game="dame", starts=[MIDDLE], player=f"{RANKED}:shuffle=2")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    proven(tmp_path, game="dame", starts=[MIDDLE], player=f"{RANKED}:shuffle=2", resume=False)
