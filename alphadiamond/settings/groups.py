"""The configuration files as they are: the groups of a script, their options, and what a plain run takes from them."""

import functools
from typing import Any, Final

import yaml

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.resources import CONFIGS

SUITED: Final = "suited"
"""The group of what suits a game: its option is GAME_PROFILE if there is one, or else GAME, or else `other`."""

_GLOBAL: Final = "# @package _global_"


class ConfigurationError(AlphaDiamondError):
    """A file in configs/ that is missing or cannot be read."""


def groups_of(name: str) -> list[str]:
    """The groups that a script chooses from."""
    return [group for group, _ in _choices(name)]


def options_of(group: str) -> list[str]:
    return sorted(path.stem for path in (CONFIGS / group).glob("*.yaml"))


def with_suited(name: str, arguments: list[str]) -> list[str]:
    """The arguments of a script, and which of configs/suited goes with its game and profile if they do not say."""
    usual = dict(_choices(name))
    given = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    if SUITED not in usual or SUITED in given:
        return arguments
    games, profiles = given.get("game", usual[SUITED]), given.get("profile", usual["profile"])
    fitting = {_option(game, profile) for game in games.split(",") for profile in profiles.split(",")}
    if len(fitting) > 1:
        several = f"game={games}" if "," in games else f"profile={profiles}"
        raise ConfigurationError(f"{several}: one at a time, since each has settings that suit it")
    return arguments if fitting == {usual[SUITED]} else [*arguments, f"{SUITED}={fitting.pop()}"]


def _option(game: str, profile: str) -> str:
    options = options_of(SUITED)
    return next((one for one in (f"{game}_{profile}", game) if one in options), "other")


def remark(group: str, option: str) -> str:
    """What an option's file says of itself in its first comment."""
    lines = _text(f"{group}/{option}").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#") and line != _GLOBAL), "")


def composed(name: str, chosen: dict[str, str]) -> dict[str, Any]:
    """What configs/NAME.yaml and the chosen options of its groups set, by dotted key; a test holds it against Hydra."""
    values: dict[str, Any] = {}
    options = {group: chosen.get(group, usual) for group, usual in _choices(name)}
    for group, option in tuple(options.items()):
        options |= {other: wanted for other, wanted in _suited(group, option).items() if other not in chosen}
    for group, option in options.items():
        prefix = "" if _text(f"{group}/{option}").startswith(_GLOBAL) else f"{group}."
        values |= _flat(_own(f"{group}/{option}"), prefix)
    return values | _flat(_own(name), "")


def _suited(group: str, option: str) -> dict[str, str]:
    """What an option takes from other groups if nobody says otherwise: `override /GROUP: OPTION` in its defaults."""
    pairs = [pair for one in _read(f"{group}/{option}").get("defaults", []) for pair in one.items()]
    return {other.removeprefix("override /"): wanted for other, wanted in pairs}


def _own(name: str) -> dict[str, Any]:
    """What a file sets itself."""
    return {key: value for key, value in _read(name).items() if key not in ("defaults", "hydra")}


def _read(name: str) -> dict[str, Any]:
    return yaml.safe_load(_text(name)) or {}


def _choices(name: str) -> list[tuple[str, str]]:
    """(group, the option that is taken if none is named) in the order of the defaults list."""
    defaults = _read(name).get("defaults", [])
    pairs = [pair for one in defaults if isinstance(one, dict) for pair in one.items()]
    return [(group, option) for group, option in pairs if "hydra/" not in group]


def _flat(values: dict[str, Any], prefix: str) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


@functools.cache
def _text(name: str) -> str:
    path = CONFIGS / f"{name}.yaml"
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from None
