"""Settings by the names they had before: read wherever they stand, on a command line, in a file, in a stored run.

A field says its old name itself: `pit: PitSettings = nested(PitSettings, formerly="duel")`.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

FORMERLY: Final = "formerly"
"""Where a field's metadata holds its old name."""


def nested(make: Callable[[], T], *, formerly: str = "") -> T:
    """A field of a settings class that holds settings of its own."""
    return dataclasses.field(default_factory=make, metadata={FORMERLY: formerly} if formerly else {})


def new_name(settings: type[Any], key: str) -> str:
    """A dotted key with every part of it as it is called now."""
    head, _, rest = key.partition(".")
    field = _field(settings, head)
    if field is None:
        return key
    kind = _kind(field)
    return ".".join(filter(None, (field.name, new_name(kind, rest) if kind is not None else rest)))


def with_new_names(settings: type[Any], values: dict[Any, Any]) -> dict[Any, Any]:
    """Nested values with every key as it is called now; what is no setting stays as it is."""
    made: dict[Any, Any] = {}
    for key, value in values.items():
        field = _field(settings, key)
        kind = None if field is None else _kind(field)
        inner = with_new_names(kind, value) if kind is not None and isinstance(value, dict) else value
        made[key if field is None else field.name] = inner
    return made


def _field(settings: type[Any], name: object) -> "dataclasses.Field[Any] | None":
    fields = dataclasses.fields(settings)
    called = next((field for field in fields if field.name == name), None)
    return called or next((field for field in fields if name and field.metadata.get(FORMERLY) == name), None)


def _kind(field: "dataclasses.Field[Any]") -> type[Any] | None:
    """The settings class that a field holds, if it is one."""
    if field.default_factory is dataclasses.MISSING:
        return None
    made = field.default_factory()
    return type(made) if dataclasses.is_dataclass(made) else None
