"""The files in configs/: Hydra composes them; here is what it does not do.

It wants a file for every game, of which there may be any number, and has no words about an option for `--help`.
"""

from typing import TYPE_CHECKING, Any, Final

import yaml

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.resources import CONFIGS
from alphadiamond.settings.ranges import near

if TYPE_CHECKING:
    from omegaconf import DictConfig

GAME: Final = "game"
"""The group of what suits a game; one that has no file takes nothing but its name."""
GAME_PROFILE: Final = "game_profile"
"""The group of what suits a game with one profile, by the names of both."""
SUITED: Final = "suited"
"""What these two were called when they were one, and did not name the game."""

_GLOBAL: Final = "# @package _global_"
_registered: Final[dict[str, type[Any]]] = {}


class ConfigurationError(AlphaDiamondError):
    """Files in configs/ that are missing, or an option that none of them is."""


def register(name: str, settings: type[Any]) -> None:
    """Let Hydra type configs/NAME.yaml by a dataclass, and read its settings by their old names in any file."""
    _registered[name] = settings
    _prepare(name)


def compose(name: str, overrides: list[str]) -> "DictConfig":
    """What configs/NAME.yaml and a command line make together; also within a script, which Hydra runs already."""
    import hydra
    from hydra.core.global_hydra import GlobalHydra

    _prepare(name)
    only = GlobalHydra.instance()
    running, only.hydra = only.hydra, None
    try:
        with hydra.initialize_config_dir(str(CONFIGS), version_base="1.3"):
            return hydra.compose(name, overrides=overrides)
    finally:
        only.hydra = running


def _prepare(name: str) -> None:
    from alphadiamond.settings.hydra_plugins import forget_options, prepare

    prepare(name, _registered[name], CONFIGS / name)
    if GAME not in groups_of(name):
        forget_options(GAME)


def with_games(name: str, arguments: list[str]) -> list[str]:
    """The arguments of a script, with `suited=` read as it was meant; a game among them that has no file is made an
    option of its group."""
    from alphadiamond.settings.hydra_plugins import store_option

    if GAME not in groups_of(name):
        return arguments
    given = {key: value for key, _, value in (argument.partition("=") for argument in arguments)}
    if SUITED in given:
        usual = dict(_choices(name))[GAME]
        option, node = _as_suited(given.get(GAME, usual), given[SUITED])
        store_option(GAME, option, node)
        others = [one for one in arguments if one.partition("=")[0] != GAME]
        return [f"{GAME}={option}" if one.partition("=")[0] == SUITED else one for one in others]
    for game in given.get(GAME, "").split(","):
        if game and game not in options_of(GAME):
            store_option(GAME, game, {GAME: game})
    return arguments


def _as_suited(game: str, suited: str) -> tuple[str, dict[str, Any]]:
    """(a name, an option) for a game with what suits it or another, with or without a profile, or with nothing."""
    profiles = options_of(GAME_PROFILE)
    options = [*options_of(GAME), *profiles, "other"]
    if suited not in options:
        raise ConfigurationError(f"{SUITED}={suited}: expected one of {', '.join(options)}{near(suited, options)}")
    whose = next((one for one in options_of(GAME) if suited.startswith(one)), "")
    made = _read(f"{place_of(GAME)}/{whose}") if whose else {}
    for part, values in (_read(f"{place_of(GAME_PROFILE)}/{suited}") if suited in profiles else {}).items():
        made[part] = {**made.get(part, {}), **values}
    return f"{game}-as-{suited}", {**made, GAME: game}


def groups_of(name: str) -> list[str]:
    """The groups that a script chooses from."""
    return [group for group, _ in _choices(name)]


def options_of(group: str) -> list[str]:
    """Those that have a file."""
    return sorted(path.stem for path in (CONFIGS / place_of(group)).glob("*.yaml"))


def remark(group: str, option: str) -> str:
    """What an option's file says of itself in its first comment."""
    lines = _text(f"{place_of(group)}/{option}").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#") and line != _GLOBAL), "")


def place_of(group: str) -> str:
    """Where in configs/ a group's files are: beside the scripts' own, or in the directory of one script alone."""
    return group if (CONFIGS / group).is_dir() else f"train/{group}"


def _choices(name: str) -> list[tuple[str, str]]:
    """(group, the option that is taken if none is named) in the order of the defaults list."""
    pairs = [pair for one in _read(name).get("defaults", []) if isinstance(one, dict) for pair in one.items()]
    return [(group.removeprefix("optional "), option) for group, option in pairs if "hydra/" not in group]


def _read(name: str) -> dict[str, Any]:
    return yaml.safe_load(_text(name)) or {}


def _text(name: str) -> str:
    path = CONFIGS / f"{name}.yaml"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from None
