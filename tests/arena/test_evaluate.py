"""scripts/evaluate.py as a person runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from alphadiamond.agents import make_agent
from alphadiamond.arena import Exam
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import read_records
from alphadiamond.games.records import parse_records
from alphadiamond.settings.players import PlayerSpec
from tests.arena.players import HERE
from tests.commands import answers, finished
from tests.runner.programs import spec_of

ROOT = Path(__file__).parents[2]


def start(*arguments: str, **settings: Any) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "scripts" / "evaluate.py"), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment, **settings
    )


def run(*arguments: str) -> tuple[int, str, str]:
    done = finished("evaluate.py", *arguments)
    return done.returncode, done.stdout, done.stderr


def test_a_round_robin_prints_tables_and_writes_files_that_can_be_read_back(tmp_path: Path) -> None:
    code, out, err = run(
        f"players=random,greedy,{HERE}.Raising:after=3", "games=6", "workers=2", "seed=4", f"output={tmp_path}"
    )
    assert code == 0, err
    for text in ("Ratings", "Matches", "greedy", "as green", "anchor", f"written to {tmp_path}"):
        assert text in out
    assert "greedy against random: 6/6; +" in err
    figures = json.loads((tmp_path / "evaluation.json").read_text())
    assert figures["settings"]["players"] == ["random", "greedy", f"{HERE}.Raising:after=3"]
    assert figures["anchor"] == "random"
    assert figures["ratings"][0]["player"] == "greedy"
    records = read_records(tmp_path / "games.txt")
    assert len(records) == 18
    for match in figures["matches"]:
        games = [r for r in records if {r.green, r.red} == {match["first"], match["second"]}]
        assert len(games) == match["games"] + match["duplicates"] == 6
        if not match["duplicates"]:
            assert match["wins"] == sum({"green": r.green, "red": r.red}.get(r.result) == match["first"] for r in games)
        assert match["score_interval"][0] <= match["score"] <= match["score_interval"][1]
    raising = next(one for one in figures["matches"] if "Raising" in one["first"] and one["second"] == "greedy")
    assert raising["wins"] == 0
    assert raising["endings"] == {f"error ({HERE}.Raising:after=3)": raising["games"]}
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")


def test_a_player_meets_baselines_under_a_sequential_test(tmp_path: Path) -> None:
    arguments = ("player=minimax:depth=2", "baselines=[random]", "games=100", "sprt=0,200", f"output={tmp_path}")
    code, out, err = run(*arguments, "workers=1")
    assert code == 0, err
    assert "minimax:depth=2 against random: H1 accepted: log-likelihood ratio" in out
    (match,) = json.loads((tmp_path / "evaluation.json").read_text())["matches"]
    assert match["sequential_test"]["accepted"] == "h1"
    assert match["games"] < match["planned"] == 100


def test_games_begin_at_random_placements_when_asked_for(tmp_path: Path) -> None:
    arguments = ("player=greedy", "baselines=[random]", "games=20", "placements=true", f"output={tmp_path}")
    code, _, err = run(*arguments, "workers=1")
    assert code == 0, err
    starts = [record.start for record in read_records(tmp_path / "games.txt")]
    assert len({str(start) for start in starts}) == 10, "each is played with both colours"
    assert any(start.own.bit_count() != start.opp.bit_count() for start in starts)


def test_games_begin_at_balanced_openings_when_asked_for(tmp_path: Path) -> None:
    game = "game=connect_four"
    code, _, err = run(game, "players=random,greedy", "openings=balanced", "games=8", "workers=1", f"output={tmp_path}")
    assert code == 0, err
    assert "even openings: 32/32; by minimax:depth=4" in err
    records = parse_records((tmp_path / "games.txt").read_text())
    judge = make_agent("minimax:depth=4", game=load("connect_four"), seed=1)
    assert all(abs(judge.analyse(record.start).value or 0.0) < 0.5 for record in records)
    code, _, err = run(game, "openings=balanced", "drawn=true")
    assert code != 0
    assert "leave out placements= and drawn=" in err


def test_ctrl_c_ends_with_the_tables_of_what_was_played(tmp_path: Path) -> None:
    announcing = f"{HERE}.Announcing:file={tmp_path / 'playing'}"
    process = start(
        f"players=random,{announcing}", "games=600", "workers=2", f"output={tmp_path}", start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "playing").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everyone in the group, the workers too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert f"{announcing} against random: interrupted after" in out
    (match,) = json.loads((tmp_path / "evaluation.json").read_text())["matches"]
    assert match["interrupted"]
    assert 0 < match["games"] < 600
    assert len(read_records(tmp_path / "games.txt")) == match["games"] + match["duplicates"]


MISTAKES = {
    "players=random,rndom": "no player is called 'rndom': did you mean random?",
    "player=random:depth=4": "player=random:depth=4: random has no parameter 'depth'",
    "players=random": "nobody to play",
    "players=random,random": "players=[random,random]: 'random' stands twice",
    "games=7": "games=7: expected an even number",
    "sprt=5": "sprt=[5]: expected two Elo differences",
    "anchor=expert": "anchor=expert: not among the players: random, greedy",
    "gams=4": "no setting is called 'gams'; did you mean 'games'?",
    "game=draughts": "game=draughts: expected one of diamond_chase, connect_four, dame",
}


def test_every_mistake_gets_one_line(tmp_path: Path) -> None:
    output = tmp_path / "nothing"
    found = answers("evaluate.py", [(mistake, f"output={output}") for mistake in MISTAKES])
    for (code, out, err), message in zip(found, MISTAKES.values(), strict=True):
        lines = [line for line in err.strip().split("\n") if not line.startswith("compiling")]
        assert (code, out) == (2, ""), message
        assert len(lines) == 1, lines
        assert lines[0].startswith("error: ")
        assert message in lines[0]
        assert not output.exists()


def test_results_are_not_lost_where_they_cannot_be_written(tmp_path: Path) -> None:
    output = tmp_path / "results"
    blocking = f"{HERE}.Blocking:path={output}"  # once games are played, a file stands where the directory is to be
    code, out, err = run(f"players=random,{blocking}", "games=2", "workers=1", f"output={output}")
    assert code == 2
    assert "Ratings" in out
    found = re.search(rf"^error: output={re.escape(str(output))}: cannot be written \(.*\); all is in (.*)$", err, re.M)
    assert found is not None
    kept = Path(found[1])
    assert json.loads((kept / "evaluation.json").read_text())["matches"][0]["games"] == 2
    assert len(read_records(kept / "games.txt")) == 2
    shutil.rmtree(kept)


def test_the_exam_ranks_players_and_writes_its_figures(tmp_path: Path) -> None:
    code, out, _ = run("exam=true", "players=greedy,random", "exam_positions=400", f"output={tmp_path}")
    assert code == 0
    assert "per cent of 400 positions" in out
    assert out.index("| random") < out.index("| greedy"), "weakest first"
    figures = json.loads((tmp_path / "exam.json").read_text())
    assert [one["player"] for one in figures["players"]] == ["random", "greedy"]
    assert all(one["kept"]["count"] == 400 for one in figures["players"])
    assert "keeps the exact value" in (tmp_path / "exam.md").read_text()


def test_another_exam_may_be_given(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    Exam.load(game=load("dame")).first(30).save(other)
    asked = ("exam=true", "players=random", f"exam_file={other}", f"output={tmp_path}")
    code, out, _ = run("game=dame", *asked)
    assert code == 0
    assert "per cent of 30 positions" in out
    code, _, err = run(*asked)
    assert code == 2
    assert err.splitlines() == [f"error: {other}: an exam of Dame, not of Diamond Chase"]


def test_a_player_who_searches_for_the_truth_is_asked_only_about_positions_of_its_games(tmp_path: Path) -> None:
    """Of the empty board of Connect Four that takes minutes."""
    later = ("opening_plies=16", "drawn=true")
    code, out, err = run(
        "game=connect_four", "players=[medium,perfect]", "games=2", *later, "workers=1", f"output={tmp_path}"
    )
    assert code == 0, err
    assert "drawn openings: 1/1" in err
    assert "perfect" in out


def test_a_program_of_the_docs_plays_a_match_and_one_that_fails_loses_it_with_the_reason(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "engine.md").read_text()
    sample = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    assert len(sample.splitlines()) <= 40
    program = tmp_path / "fewest.py"
    program.write_text(sample)
    good = f'engine:command="{sys.executable} {program} --levels 1,2"'
    bad = PlayerSpec.parse(spec_of("garbage", name="rubbish"))
    code, out, err = run(f"players=random,{good},{bad}", "games=2", "workers=1", "seed=4", f"output={tmp_path / 'out'}")
    assert code == 0, err
    figures = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert figures["settings"]["players"] == ["random", good, str(bad)]
    for match in figures["matches"]:
        sides = {match["first"], match["second"]}
        if str(bad) not in sides:
            assert match["forfeits"] == {}
            continue
        assert list(match["forfeits"]) == [str(bad)]
        assert set(match["forfeits"][str(bad)]) <= {
            "error: its program failed: it sent what is no JSON, 'bestmove e2e4'",
            "illegal move: si-cs",
        }
        assert f"lost {match['games'] + match['duplicates']} games by" in out or "lost 1 game by" in out
    records = read_records(tmp_path / "out" / "games.txt")
    assert len(records) == 6
    assert sum(record.ending.startswith(("error: ", "illegal move: ")) for record in records) == 4
