"""What `scripts/show.py` says of everything the project writes."""

import json
import shutil
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.dame.solver.solution import DameSolution
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.record import GameRecord, write_records
from alphadiamond.games.diamond_chase.solver import LAYERS
from alphadiamond.inspect import ShowSettings, describe, show
from alphadiamond.settings.composition import compose, register, with_games
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.settings import TrainSettings
from tests.commands import answers
from tests.training.damage import files_of, tiny
from tests.training.small import training

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("run")
    training(directory, tiny(3)).run()
    changed = tiny(4)
    changed.learner.learning_rate = 1e-3
    training(directory, changed).run()
    return directory


def test_a_checkpoint_tells_its_model_and_where_it_comes_from() -> None:
    described = describe(ROOT / "checkpoints" / "diamond_chase" / "champion.safetensors")
    assert described.kind == "checkpoint"
    assert described.facts["parameters"] > 10_000
    assert {"steps", "games", "hours", "sha256"} <= set(described.facts)


def test_a_directory_with_a_network_alone_shows_the_network(tmp_path: Path, run: Path) -> None:
    shutil.copy(run / "champion.safetensors", tmp_path)
    described = describe(tmp_path)
    assert described == describe(tmp_path / "champion.safetensors")
    (tmp_path / "config.json").touch()  # what is left of a run is still called that
    with pytest.raises(AlphaDiamondError, match="no readable state"):
        describe(tmp_path)


def test_a_run_tells_its_progress_gates_and_settings(run: Path) -> None:
    before = files_of(run)
    described = describe(run)
    assert described.facts["game"] == "diamond_chase"
    assert (described.facts["iterations done"], described.facts["iterations planned"]) == (4, 4)
    assert [row["iteration"] for row in described.tables["gates"]] == [3, 4]
    (title,) = [title for title in described.tables if title.startswith("settings that differ from `train game=")]
    different = {row["setting"]: row["here"] for row in described.tables[title]}
    assert different["selfplay.games"] == 8
    assert not {"seed", "run", "resume", "device", "workers"} & set(different)
    assert {"iteration": 4, "setting": "learner.learning_rate", "before": 0.002, "after": 0.001} in described.tables[
        "settings changed on the way"
    ]
    assert files_of(run) == before, "looking changes nothing"


def test_the_command_shows_a_run(run: Path) -> None:
    """Hydra runs the script, and composes what `train` would take within it."""
    (done,) = answers("show.py", [[str(run), "json=true"]])
    assert done.code == 0, done.err
    assert json.loads(done.out)["kind"] == "run"


def test_a_damaged_run_is_shown_with_what_is_wrong(tmp_path: Path, run: Path) -> None:
    shutil.copytree(run, tmp_path / "run")
    RunDirectory(tmp_path / "run").states()[0].write_bytes(b"")
    described = describe(tmp_path / "run")
    assert (described.facts["iterations done"], described.facts["iterations planned"]) == (3, 3)
    assert any("state-000004.pt damaged" in text for text in described.facts["damaged"])


def test_records_are_listed(tmp_path: Path) -> None:
    start = Position.start()
    game = GameRecord.of(start, [next(iter(start.moves()))], green="me", red="you")
    write_records(tmp_path / "games.txt", [game, game])
    described = describe(tmp_path / "games.txt")
    assert described.kind == "record"
    assert [(row["green"], row["plies"]) for row in described.tables["games"]] == [("me", 1), ("me", 1)]


def test_a_solution_is_told_by_the_game_it_is_of(tmp_path: Path) -> None:
    DameSolution.load_or_solve(tmp_path, threads=1)
    described = describe(tmp_path)
    assert described.kind == "tablebase"
    assert described.facts["game"] == "Dame"
    assert described.facts["the start is"] == "a win for the side to move"
    assert described.facts["bytes"] == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_what_is_left_of_a_tablebase_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    LAYERS[0].path(tmp_path).write_bytes(b"")
    with pytest.raises(AlphaDiamondError, match=str(tmp_path)):
        describe(tmp_path)


def test_everything_can_be_had_as_json(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(ShowSettings(path=str(run), json=True))
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert facts["games"] > 0
    assert 0 <= facts["exam, bare policy"] <= 1
    assert facts["time"] > 0


def test_what_train_takes_by_itself_is_no_difference(tmp_path: Path, run: Path) -> None:
    """A run of the plain command differs in nothing, whatever a profile and a game bring."""
    register("train", TrainSettings)
    arguments = with_games("train", ["game=dame", "profile=champion", "device=cpu", "workers=2"])
    plain = OmegaConf.to_container(compose("train", arguments))
    shutil.copytree(run, tmp_path / "run")
    directory = RunDirectory(tmp_path / "run")
    state = directory.load_state(directory.state(4))
    directory.save_state(4, {**state, "config": json.dumps(plain)}, keep=3)
    assert not any("differ" in title for title in describe(tmp_path / "run").tables)


def test_tables_fit_the_terminal(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(ShowSettings(path=str(run)))
    output = capsys.readouterr().out
    assert "settings that differ from" in output
    assert max(map(len, output.splitlines())) <= 80


def test_long_names_of_players_are_broken_and_not_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "mypackage.players.Timid:care=2,hurry=0.125"
    write_records(
        tmp_path / "games.txt", [GameRecord.of(Position.start(), [], green=name, red="neural:simulations=1600")]
    )
    show(ShowSettings(path=str(tmp_path / "games.txt")))
    output = capsys.readouterr().out
    assert "…" not in output
    cells = [line.split("│")[2].strip() for line in output.splitlines() if line.startswith("│")]
    assert "".join(cells) == name


def test_a_runs_champion_is_exported_to_onnx(tmp_path: Path, run: Path) -> None:
    onnx = pytest.importorskip("onnx")
    show(ShowSettings(path=str(run), json=True, onnx=str(tmp_path / "network.onnx")))
    onnx.checker.check_model(str(tmp_path / "network.onnx"))


def test_what_is_not_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, message in ((tmp_path / "nothing", "nothing is there"), (tmp_path / "empty", "neither a checkpoint")):
        with pytest.raises(AlphaDiamondError, match=message):
            describe(path)
