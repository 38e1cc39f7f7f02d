"""The configuration files as they are: the groups of a script, their options, and what a plain run takes from them."""

import functools
from typing import Any, Final

import yaml

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.resources import CONFIGS

_GLOBAL: Final = "# @package _global_"


class ConfigurationError(AlphaDiamondError):
    """A file in configs/ that is missing or cannot be read."""


def groups_of(name: str) -> list[str]:
    """The groups that a script chooses from."""
    return [group for group, _ in _choices(name)]


def options_of(group: str) -> list[str]:
    return sorted(path.stem for path in (CONFIGS / group).glob("*.yaml"))


def remark(group: str, option: str) -> str:
    """What an option's file says of itself in its first comment."""
    lines = _text(f"{group}/{option}").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#") and line != _GLOBAL), "")


def composed(name: str, chosen: dict[str, str]) -> dict[str, Any]:
    """What configs/NAME.yaml and the chosen options of its groups set, by dotted key; a test holds it against Hydra."""
    values: dict[str, Any] = {}
    for group, usual in _choices(name):
        option = f"{group}/{chosen.get(group, usual)}"
        prefix = "" if _text(option).startswith(_GLOBAL) else f"{group}."
        values |= _flat(yaml.safe_load(_text(option)) or {}, prefix)
    own = yaml.safe_load(_text(name)) or {}
    return values | _flat({key: value for key, value in own.items() if key not in ("defaults", "hydra")}, "")


def _choices(name: str) -> list[tuple[str, str]]:
    """(group, the option that is taken if none is named) in the order of the defaults list."""
    defaults = (yaml.safe_load(_text(name)) or {}).get("defaults", [])
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
