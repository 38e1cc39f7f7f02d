"""Every setting has a stated range, and a wrong one is refused in one line before anything is written."""

import dataclasses
import functools
import itertools
import math
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_origin

import pytest

from alphadiamond import cli
from alphadiamond.agents.base import ranges_of
from alphadiamond.agents.registry import agent_class, parameters_of, players_of
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.resources import CONFIGS
from alphadiamond.server.settings import ServeSettings
from alphadiamond.settings import SettingError, check, memory, settings_of
from alphadiamond.settings.composition import (
    ConfigurationError,
    compose,
    groups_of,
    options_of,
    register,
    with_games,
)
from alphadiamond.settings.help import help_text
from alphadiamond.settings.overrides import checked_arguments, typed
from alphadiamond.settings.players import PlayerSpec, split_players
from alphadiamond.settings.ranges import Each, Number
from alphadiamond.settings.validation import fault_of, shown, value_of
from alphadiamond.training.settings import TrainSettings
from tests import settings_table as table
from tests.commands import scripts

ROOT = Path(__file__).parents[1]


SCRIPTS = {name: script.settings for name, script in scripts().items()}
ALL = [(name, one) for name, kind in SCRIPTS.items() for one in settings_of(kind)]


@pytest.fixture(autouse=True, scope="module")
def _stored() -> None:
    for name, kind in SCRIPTS.items():
        register(name, kind)


def test_every_script_is_walked() -> None:
    assert set(SCRIPTS) == {path.stem for path in (ROOT / "scripts").glob("*.py")}
    assert len(ALL) > 150


@functools.cache
def help_of(name: str) -> str:
    return help_text("", SCRIPTS[name], name, [])


@pytest.mark.parametrize(("name", "one"), ALL, ids=[f"{name} {one.key}" for name, one in ALL])
def test_every_setting_states_its_range_and_a_word_on_what_it_is_for(name: str, one: Any) -> None:
    assert one.allowed is not None, f"{name}: nobody says what {one.key} may be"
    assert not fault_of(one, one.default) or isinstance(one.default, str), "what is set without asking is allowed"
    lines = help_of(name).splitlines()
    part, _, last = one.key.rpartition(".")
    like = re.search(rf"^{re.escape(part)}: as ([\w.]+)", help_of(name), re.MULTILINE) if part else None
    key = f"{like[1]}.{last}" if like else one.key  # a part that is like one before is explained there
    *_, at = (i for i, line in enumerate(lines) if line.startswith(f"  {key}="))  # a group may be called the same
    text = " ".join(itertools.takewhile(lambda line: line.startswith("      "), lines[at + 1 :]))
    assert f"[{one.allowed}]" in " ".join(text.split())
    assert not text.strip().startswith("["), f"{name}: nobody says what {one.key} is for"


@pytest.mark.parametrize(("name", "one"), ALL, ids=[f"{name} {one.key}" for name, one in ALL])
def test_what_no_setting_can_be_is_refused(name: str, one: Any) -> None:
    for value in wrong_values(one):
        assert fault_of(one, value), f"{one.key} may be {value!r}"


def wrong_values(one: Any) -> Iterator[Any]:
    """Values beyond the ends of a range, and of other kinds."""
    yield object()
    allowed = getattr(one.allowed, "inner", one.allowed)
    if get_origin(one.kind) is list:
        assert isinstance(one.allowed, Each)
        yield "text"
        return
    if one.kind is bool:
        yield from ("true", 1, None)
    elif isinstance(allowed, Number):
        yield from (math.nan, math.inf, -math.inf, "1", True)
        yield allowed.low if allowed.open_low else allowed.low - 1
        yield allowed.high if allowed.open_high else allowed.high + 1 if allowed.high < math.inf else math.inf
    else:
        yield from (3, "\0")


def refused(script: str, arguments: str) -> str:
    """What a script says of its arguments, without being run."""
    with pytest.raises(AlphaDiamondError) as error:
        checked_arguments(SCRIPTS[script], script, arguments.split())
    return str(error.value)


CLASSES = {
    "reported": table.REPORTED,
    "related": table.RELATED,
    "memory": table.MEMORY,
    "players": table.PLAYERS,
    "places": table.PLACES,
    "written": table.WRITTEN,
}


@pytest.mark.parametrize(
    ("script", "arguments", "says"),
    [case for cases in CLASSES.values() for case in cases],
    ids=[f"{kind}: {script} {arguments}" for kind, cases in CLASSES.items() for script, arguments, _ in cases],
)
def test_a_wrong_setting_is_refused_in_one_line(
    script: str, arguments: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(memory, "machine", lambda: 64 * 10**9)
    before = set(ROOT.iterdir())
    line = refused(script, arguments)
    assert "\n" not in line
    assert says in line
    assert set(ROOT.iterdir()) == before


def test_what_is_right_is_accepted() -> None:
    for script, arguments in (
        ("train", "evaluation.baselines=minimax:depth=4,mcts:simulations=100,seed=2"),
        ("train", "evaluation.baselines=[minimax:depth=4,random]"),
        ("train", "--multirun seed=1,2 profile=smoke,laptop run=runs/seed-${seed}"),
        ("train", "run=runs/a,b (c)"),
        ("evaluate", "player=minimax:depth=6 baselines=random,mcts:simulations=1000 sprt=0,50"),
        ("evaluate", "player='mcts:simulations=9' anchor=null baselines=[random]"),
        ("play", "green=human red=minimax:depth=2 size=960x600"),
        ("screenshots", "scenes=title,game sizes=[960x600]"),
    ):
        parts = [arguments] if "(" in arguments else arguments.split()
        checked_arguments(SCRIPTS[script], script, parts)


def test_a_setting_is_known_by_its_former_name_too() -> None:
    given = ["selfplay.search.foresee=false"]
    assert checked_arguments(SCRIPTS["train"], "train", given) == ["selfplay.search.two_ply_lookahead=false"]


def test_lists_and_texts_are_quoted_for_hydra_and_the_rest_is_left_alone() -> None:
    players = "baselines=random:seed=1,mcts:simulations=9,seed=4"
    given = [players, "sprt=0,50", "games=4", "player='random'", "--cfg", "job"]
    assert checked_arguments(SCRIPTS["evaluate"], "evaluate", given) == [
        "baselines=['random:seed=1','mcts:simulations=9,seed=4']",
        "sprt=[0,50]",
        "games=4",
        "player='random'",
        "--cfg",
        "job",
    ]


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("random", ["random"]),
        ("random,mcts:simulations=100,c=2,minimax:depth=4", ["random", "mcts:simulations=100,c=2", "minimax:depth=4"]),
        ("a:b=1, c=2 , d", ["a:b=1,c=2", "d"]),
        ("", []),
    ],
)
def test_a_list_of_players_is_split_where_a_player_begins(text: str, specs: list[str]) -> None:
    assert split_players(text) == specs


def test_a_player_is_read_once_and_written_as_it_was() -> None:
    spec = PlayerSpec.parse(" mcts: simulations=100, fast=true ", source="red")
    assert (spec.name, spec.source, spec.get("simulations")) == ("mcts", "red", "100")
    assert str(spec) == "mcts:simulations=100,fast=true"
    assert PlayerSpec.parse(str(spec)) == spec
    assert str(spec.without(["fast"]).having(seed=3)) == "mcts:simulations=100,seed=3"


@pytest.mark.parametrize(
    ("checkpoint", "name"),
    [
        ("", ""),
        ("runs/first", "first"),
        ("runs/first/champion.safetensors", "first"),
        ("runs/first/checkpoints/iteration-000010.safetensors", "first iteration-000010"),
        ("nets/mine.safetensors", "mine"),
    ],
)
def test_a_network_is_named_by_its_run_or_file(checkpoint: str, name: str) -> None:
    assert PlayerSpec("neural", (("checkpoint", checkpoint),)).network == name


@pytest.mark.parametrize("name", players_of(GAME))
def test_every_parameter_of_every_player_states_its_range(name: str) -> None:
    ranges = ranges_of(agent_class(name, game=GAME))
    for key, parameter in parameters_of(name, game=GAME).items():
        if parameter.annotation not in (bool, bool | None):
            assert key in ranges, f"{name}: nobody says what {key} may be"


def printed(name: str, *arguments: str) -> dict[str, str]:
    """What --help says that settings are if they are not given."""
    text = help_text("", SCRIPTS[name], name, ["--help", *arguments])
    lines = text[text.index("if they are not given:") :].splitlines()
    found = dict(line.strip().split("=", 1) for line in lines if re.match(r"  \w[\w.]*=", line))
    for part, like in re.findall(r"^([\w.]+): as ([\w.]+)", text, re.MULTILINE):
        same = {key: value for key, value in found.items() if key.rpartition(".")[0] == like}
        found = {f"{part}.{key.rpartition('.')[2]}": value for key, value in same.items()} | found
    return found


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_shows_what_a_run_takes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = functools.cache(lambda *given: compose(name, list(given)))  # the help composes the same once more
    monkeypatch.setattr("alphadiamond.settings.help.compose", lambda _, given: once(*given))
    groups = {group: options_of(group) for group in groups_of(name)}
    most = max(map(len, groups.values()), default=1)
    chosen = [[f"{group}={options[i % len(options)]}" for group, options in groups.items()] for i in range(most)]
    for choice in [*chosen, *([f"{group}={option}"] for group, options in groups.items() for option in options)]:
        settings = typed(once(*with_games(name, choice)), SCRIPTS[name])
        taken = {one.key: shown(value_of(settings, one.key)) for one in settings_of(SCRIPTS[name])}
        assert printed(name, *choice) == taken, choice


def test_help_follows_the_profile_that_is_chosen() -> None:
    assert "  iterations=100\n" in help_text("", TrainSettings, "train", ["--help"])
    shown = help_text("", TrainSettings, "train", ["--help", "profile=smoke", "model=mlp_small"])
    assert "  iterations=2\n" in shown
    assert "  model.width=128\n" in shown
    for group in ("profile", "model"):
        assert all(f"{group}={option} " in shown for option in options_of(group))


def made(line: str) -> TrainSettings:
    """The settings of a run that this command line begins."""
    arguments = checked_arguments(TrainSettings, "train", line.split())
    return typed(compose("train", arguments), TrainSettings)


def test_a_game_brings_what_suits_it_and_the_command_line_has_the_last_word() -> None:
    usual, grid, other = made("seed=1"), made("game=connect_four"), made("game=dame profile=champion")
    assert (usual.game, usual.model.kind, usual.selfplay.leave) == ("diamond_chase", "orbit", 0.08)
    assert (grid.game, grid.model.kind, grid.selfplay.leave) == ("connect_four", "conv", 0)
    assert (other.game, other.model.kind, other.selfplay.leave) == ("dame", "orbit", 0)
    assert made("game=connect_four model=mlp_small").model.kind == "mlp"
    assert made("game=connect_four selfplay.leave=0.1").selfplay.leave == 0.1
    assert printed("train", "game=connect_four")["model.kind"] == "conv"
    assert printed("train", "game=dame")["game"] == "dame"
    assert "game=chess: expected one of diamond_chase" in refused("train", "game=chess")


def test_a_profile_brings_what_suits_the_game_in_a_run_so_long() -> None:
    long = made("profile=champion")
    assert (long.selfplay.leave, long.selfplay.sure, long.selfplay.opening_plies, long.model.width) == (
        0.3,
        0.9,
        16,
        24,
    )
    assert made("profile=champion game=diamond_chase") == long
    assert made("profile=overnight").selfplay.sure == made("game=dame profile=champion").selfplay.sure == 0
    assert made("profile=champion selfplay.sure=0.5").selfplay.sure == 0.5
    assert made("profile=champion ~game_profile").selfplay.leave == 0.08
    assert printed("train", "profile=champion")["selfplay.sure"] == "0.9"


def test_a_sweep_takes_for_each_game_and_profile_what_suits_it() -> None:
    arguments = with_games("train", ["--multirun", "game=dame,connect_four", "profile=smoke,champion"])
    assert checked_arguments(TrainSettings, "train", arguments) == arguments


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("profile=champion suited=diamond_chase", "profile=champion ~game_profile"),
        ("profile=laptop suited=diamond_chase_champion", "game_profile=diamond_chase_champion"),
        ("game=dame suited=connect_four", "game=dame model=conv_medium"),
        ("suited=other", "selfplay.random_starts=0.5 selfplay.opening_plies=12 selfplay.leave=0 model=orbit_medium"),
    ],
)
def test_what_suits_a_game_is_still_known_as_suited(old: str, new: str) -> None:
    assert made(old) == made(new)


def test_suited_may_stand_anywhere() -> None:
    given = ["suited=other", "game=dame", "--cfg", "job"]
    assert checked_arguments(TrainSettings, "train", given) == ["game=dame-as-other", "--cfg", "job"]


def test_what_suits_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="suited=chess: expected one of connect_four, diamond_chase"):
        made("suited=chess")


OLD = {
    "gate.duel": "gate.pit",
    "evaluation.duel": "evaluation.pit",
    "evaluation.earlier_duel": "evaluation.earlier_pit",
}


@pytest.mark.parametrize(("old", "new"), OLD.items())
def test_a_setting_is_read_by_its_old_name_on_a_command_line(old: str, new: str) -> None:
    assert checked_arguments(TrainSettings, "train", [f"{old}.simulations=7"]) == [f"{new}.simulations=7"]
    assert checked_arguments(TrainSettings, "train", [f"++{old}.search.prove=false"]) == [f"++{new}.search.prove=false"]
    assert f"{new}.simulations=-1: expected 0 to" in refused("train", f"{old}.simulations=-1")
    assert value_of(made(f"{old}.simulations=7"), f"{new}.simulations") == 7


def test_the_server_reads_the_old_name_of_its_bots_processes() -> None:
    assert checked_arguments(ServeSettings, "serve", ["thinkers=1"]) == ["bot_processes=1"]
    assert "bot_processes=0: expected 1 to 64" in refused("serve", "thinkers=0")


def test_a_setting_is_read_by_its_old_name_in_a_file_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(CONFIGS, tmp_path / "configs")
    text = (
        "# @package _global_\n# Mine.\ngate: {duel: {simulations: 5}}\nevaluation: {earlier_duel: {simulations: 6}}\n"
    )
    (tmp_path / "configs" / "profile" / "mine.yaml").write_text(text)
    monkeypatch.setattr("alphadiamond.settings.composition.CONFIGS", tmp_path / "configs")
    mine = made("profile=mine")
    assert (mine.gate.pit.simulations, mine.evaluation.earlier_pit.simulations) == (5, 6)
    assert printed("train", "profile=mine")["gate.pit.simulations"] == "5"


def test_memory_is_counted_as_the_arrays_take_it() -> None:
    from alphadiamond.games.diamond_chase.game import DiamondChase
    from alphadiamond.network import EvaluationCache
    from alphadiamond.search import SearchSettings, TreeSearch
    from alphadiamond.training import memory as training_memory
    from alphadiamond.training.selfplay import SelfPlay
    from alphadiamond.training.settings import SelfPlaySettings, sizes_of
    from tests.search.evaluators import uniform

    game = DiamondChase()
    sizes = sizes_of(game)
    search = TreeSearch(game, SearchSettings(), games=8, nodes=102)
    assert training_memory.trees(8, 100, sizes) == pytest.approx(8 * search.bytes_per_game, rel=0.05)
    assert training_memory.cache(1000, sizes) == EvaluationCache(1000, game).bytes
    played, _ = SelfPlay(SelfPlaySettings(games=4, rounds=60, simulations=2), seed=1, game=GAME).play(
        uniform, iteration=0
    )
    assert played is not None
    assert sum(array.nbytes for array in played.arrays().values()) == len(played) * sizes.sample


def test_every_profile_and_model_fits_a_machine_with_eight_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "machine", lambda: 8 * 10**9)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    pairs = [("champion", model) for model in options_of("model")]
    pairs += [(profile, "orbit_large") for profile in options_of("profile")]
    for profile, model in pairs:
        check(typed(compose("train", [f"profile={profile}", f"model={model}"]), TrainSettings))


def test_settings_of_a_nested_class_are_named_by_their_whole_key() -> None:
    settings = TrainSettings()
    settings.selfplay.search.leaves = 0
    with pytest.raises(SettingError, match=r"^selfplay\.search\.leaves=0: expected 1 to 1,024$"):
        check(settings)
    assert all(dataclasses.is_dataclass(kind) for kind in SCRIPTS.values())


def test_a_script_takes_what_suits_its_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", "game=connect_four", "--help"])
    cli.run(lambda settings: None, TrainSettings, "train")
    assert "  model.kind=conv\n" in capsys.readouterr().out
