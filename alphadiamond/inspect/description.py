"""A description of whatever lies at a path, as plain values that a table or JSON can show."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alphadiamond.errors import AlphaDiamondError

if TYPE_CHECKING:
    from alphadiamond.base.game import Game
    from alphadiamond.base.record import GameRecord


class ShowError(AlphaDiamondError):
    """A path that holds nothing that can be shown."""


class Percent(float):
    """A share of one, which people read in percent and programs as it is."""


class Seconds(float):
    """A length of time, which people read in minutes and hours."""


@dataclass(frozen=True)
class Description:
    kind: str
    """checkpoint, run, record or tablebase."""
    path: str
    facts: dict[str, Any]
    """Name: value."""
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Longer lists, such as the gates of a run."""

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=2)


def describe(path: Path) -> Description:
    """Look at what is there and say what it holds; a damaged file is named in one line."""
    if not path.exists():
        raise ShowError(f"{path}: nothing is there")
    for kind, fits in _KINDS.items():
        if fits(path):
            return _DESCRIBERS[kind](path)
    raise ShowError(f"{path}: neither a checkpoint (*.safetensors), nor a run directory, a record or a tablebase")


def _checkpoint(path: Path) -> Description:
    from alphadiamond.network import load_checkpoint

    path = path / "champion.safetensors" if path.is_dir() else path
    checkpoint = load_checkpoint(path)
    metadata, config = checkpoint.metadata, checkpoint.metadata.config
    extra = dict(metadata.extra)
    facts: dict[str, Any] = {
        "game": metadata.game,
        "model": f"{config.kind}, width {config.width}, {config.blocks} blocks",
        "parameters": checkpoint.model.parameter_count(),
        "steps": metadata.step,
    }
    facts |= {name: extra.pop(name) for name in ("iteration", "games", "hours", "profile", "seed") if name in extra}
    extra.pop("step", None)
    facts |= extra | {"bytes": path.stat().st_size, "sha256": metadata.sha256, "settings": asdict(config)}
    return Description("checkpoint", str(path), facts)


def _run(path: Path) -> Description:
    from alphadiamond.games import UNNAMED, load
    from alphadiamond.training.recovery import examine
    from alphadiamond.training.rundir import RunDirectory, good_lines
    from alphadiamond.training.settings import changes

    directory = RunDirectory(path)
    found = examine(directory)
    assert found is not None
    progress = found.state["progress"]
    config = found.config or {}
    load(config.get("game", UNNAMED))  # or a game that is not known here would look like a damaged champion
    lines = good_lines(directory.metrics)[0]
    last = {name: value for line in lines for name, value in line.items() if value is not None}
    snapshots = sorted(directory.snapshots.glob("iteration-*.safetensors"))
    facts: dict[str, Any] = {
        "game": config.get("game", UNNAMED),
        "profile": config.get("profile"),
        "iterations done": progress["iteration"],
        "iterations planned": config.get("iterations"),
        "games": progress["games"],
        "time": Seconds(progress["seconds"]),
        "gates held": progress["gates"],
        "candidates that passed": progress["promotions"],
        "champion": {name: value for name, value in found.state.get("crowned", {}).items() if name != "profile"},
        "samples in the window": len(found.replay),
        "snapshots": len(snapshots),
    }
    if "exam/kept" in last:
        facts["exam, bare policy"] = Percent(last["exam/kept"])
    for name, value in last.items():
        if name.startswith("score/"):
            facts[f"score against {name.removeprefix('score/')}"] = value
    if "elo/earlier" in last:
        facts["rating among its own snapshots"] = last["elo/earlier"]
    if found.lost:
        facts["damaged"] = found.lost
    usual, title = _usual_settings(config)
    different = {key: pair for key, pair in changes(usual, config).items() if key not in _OF_THE_MACHINE}
    tables = {
        title: [{"setting": key, "here": new, "there": old} for key, (old, new) in different.items()],
        "settings changed on the way": [
            {"iteration": line["iteration"], "setting": key, "before": old, "after": new}
            for line in lines
            for key, (old, new) in line.get("changed", {}).items()
        ],
        "gates": [
            {
                "iteration": line["iteration"],
                "score": line["gate/score"],
                "pairs": int(line["gate/pairs"]),
                "passed": bool(line["gate/passed"]),
            }
            for line in lines
            if line.get("gate/score") is not None
        ],
    }
    return Description("run", str(path), facts, {name: rows for name, rows in tables.items() if rows})


_OF_THE_MACHINE = ("run", "resume", "device", "workers")
"""Settings that say where a run lives and on what, and nothing of what it learns."""


def _usual_settings(config: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What `train` would take for the game and the profile of a run, and what to call what differs from that."""
    from omegaconf import OmegaConf

    from alphadiamond.games import UNNAMED
    from alphadiamond.settings.composition import compose, options_of, register, with_games
    from alphadiamond.training.settings import TrainSettings

    register("train", TrainSettings)
    chosen = [f"game={config.get('game', UNNAMED)}"]
    if config.get("profile") in options_of("profile"):
        chosen.append(f"profile={config['profile']}")
    usual = OmegaConf.to_container(compose("train", with_games("train", chosen)))
    assert isinstance(usual, dict)
    return {str(key): value for key, value in usual.items()}, f"settings that differ from `train {' '.join(chosen)}`"


def _record(path: Path) -> Description:
    from alphadiamond.games.records import read_records

    found = read_records(path)
    one_game = len({record.game.name for record in found}) == 1
    rows = [
        {
            "game": number,
            **({} if one_game else {"of": record.game.name}),
            **dict(zip(_seats(record) if one_game else ("first", "second"), record.players, strict=True)),
            "plies": len(record.moves),
            "result": record.result,
            "ending": record.ending,
            "date": record.date,
        }
        for number, record in enumerate(found, start=1)
    ]
    return Description("record", str(path), {"games": len(rows)}, {"games": rows})


def _seats(record: "GameRecord") -> tuple[str, str]:
    first, second = (str(side) for side in record.game.sides)
    return first, second


def _tablebase(path: Path) -> Description:
    game = _solved_game(path)
    assert game is not None
    found = game.solution_in(path)
    facts, tables = game.solution_facts(path)
    said = {"game": game.title}
    if not game.seeded:  # else it is another start each time
        value = int(found.values(game.states_of([game.start()]))[0][0])
        said["the start is"] = {1: "a win", 0: "a draw", -1: "a loss"}[value] + " for the side to move"
    return Description("tablebase", str(path), said | facts, tables)


def _holds_network_alone(path: Path) -> bool:
    """Whether a directory is like those in `checkpoints/`: a network, and nothing else of a run."""
    from alphadiamond.training.rundir import RunDirectory

    if not path.is_dir():
        return False
    directory = RunDirectory(path)
    return directory.signs() == [directory.champion]


def _holds_run(path: Path) -> bool:
    from alphadiamond.training.rundir import RunDirectory

    return path.is_dir() and RunDirectory(path).holds_a_run()


def _solved_game(path: Path) -> "Game | None":
    """The game whose solution a directory holds."""
    from alphadiamond.games import all_games

    if not path.is_dir():
        return None
    return next((game for game in all_games() if game.has_solution_in(path)), None)


_KINDS: dict[str, Callable[[Path], bool]] = {
    "checkpoint": lambda path: path.suffix == ".safetensors" or _holds_network_alone(path),
    "run": _holds_run,
    "tablebase": lambda path: _solved_game(path) is not None,
    "record": lambda path: path.is_file(),
}
_DESCRIBERS: dict[str, Callable[[Path], Description]] = {
    "checkpoint": _checkpoint,
    "run": _run,
    "tablebase": _tablebase,
    "record": _record,
}
