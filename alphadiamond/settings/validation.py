"""Going through all settings of a script: to check them, and to tell about them."""

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.ranges import ALLOWED, Allowed, Flag


class SettingError(AlphaDiamondError, ValueError):
    """A setting that cannot be meant: its name, its value and what is allowed."""

    def __init__(self, key: str, value: Any, fault: str) -> None:
        super().__init__(f"{key}={shown(value)}: {fault}")
        self.key = key
        self.value = value
        self.fault = fault


@dataclass(frozen=True)
class Setting:
    """One setting of a settings class, nested ones by their dotted key."""

    key: str
    owner: type[Any]
    """The class whose field it is."""
    name: str
    """The field's."""
    kind: Any
    """Its type."""
    default: Any
    allowed: Allowed | None
    """Its range; None where nobody has stated one, which a test forbids."""

    @property
    def whole(self) -> bool:
        return self.kind in (int, int | None)


@runtime_checkable
class Related(Protocol):
    """Settings of which some depend on others."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """(the name of a field, dotted if it is a nested one; what is wrong), once every field is in its range."""


def settings_of(kind: type[Any], prefix: str = "") -> Iterator[Setting]:
    """Every setting of a settings class, in the order of their fields."""
    yield from _walk(kind, None, prefix)


def check(settings: Any, prefix: str = "") -> None:
    """Raise a `SettingError` for the first setting that is out of its range, or that does not go with another."""
    for one in settings_of(type(settings), prefix):
        value = value_of(settings, one.key[len(prefix) :])
        if fault := fault_of(one, value):
            raise SettingError(one.key, value, fault)
    _check_related(settings, prefix)


def fault_of(one: Setting, value: Any) -> str:
    """What is wrong with a value of a setting, or nothing."""
    if one.whole and value is not None and type(value) is not int:
        return f"expected a whole number, {one.allowed}"
    return one.allowed.fault(value) if one.allowed is not None else ""


def _check_related(settings: Any, prefix: str) -> None:
    for field in dataclasses.fields(settings):
        if dataclasses.is_dataclass(value := getattr(settings, field.name)):
            _check_related(value, f"{prefix}{field.name}.")
    if isinstance(settings, Related):
        for name, fault in settings.faults():
            raise SettingError(prefix + name, value_of(settings, name), fault)


def value_of(settings: Any, key: str) -> Any:
    """A setting by its dotted key."""
    for name in key.split("."):
        settings = settings[name] if isinstance(settings, Mapping) else getattr(settings, name)
    return settings


def shown(value: Any) -> str:
    """A value as it is written on a command line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ",".join(shown(one) for one in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _walk(kind: type[Any], made: Any, prefix: str) -> Iterator[Setting]:
    hints = typing.get_type_hints(kind)
    made = kind() if made is None else made
    for field in dataclasses.fields(kind):
        key, default = prefix + field.name, getattr(made, field.name)
        if dataclasses.is_dataclass(default):
            yield from _walk(type(default), default, f"{key}.")
        else:
            allowed = field.metadata.get(ALLOWED) or (Flag() if hints[field.name] is bool else None)
            yield Setting(key, kind, field.name, hints[field.name], default, allowed)
