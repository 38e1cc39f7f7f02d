"""What a setting may be, said in words and checked.

A range stands beside the default of a field: `batch: int = setting(512, between(1, 1 << 20))`. Numbers that are not
finite are in no range.
"""

import abc
import dataclasses
import difflib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from alphadiamond.settings.renames import FORMERLY

T = TypeVar("T")

ALLOWED: Final = "allowed"
"""Where a field's metadata holds its range."""

MOST: Final = 1_000_000_000
"""For counts that only time limits."""


class Allowed(abc.ABC):
    """A range: `str` says it in words, `fault` says what is wrong with a value, or nothing."""

    @abc.abstractmethod
    def __str__(self) -> str: ...

    @abc.abstractmethod
    def fault(self, value: Any) -> str: ...


def setting(default: T, allowed: Allowed, *, formerly: str = "") -> T:
    """A field of a settings class with its range, and with the name it had before if it had another; a list is copied
    for each object."""
    metadata: dict[str, Any] = {ALLOWED: allowed, FORMERLY: formerly}
    if isinstance(default, list):
        made: Any = dataclasses.field(default_factory=default.copy, metadata=metadata)
        return made  # type: ignore[no-any-return]
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Number(Allowed):
    low: float
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    even: bool = False
    note: str = ""
    """What a special value means, such as `0 for one a core`."""

    def __str__(self) -> str:
        kind = "an even number, " if self.even else ""
        low, high = _number(self.low), _number(self.high)
        if self.high == math.inf:
            words = f"more than {low}" if self.open_low else f"{low} or more"
        elif self.open_low:
            words = f"more than {low}, {'less than' if self.open_high else 'up to'} {high}"
        else:
            words = f"{low} {'up to, but not' if self.open_high else 'to'} {high}"
        return kind + words + (f" ({self.note})" if self.note else "")

    def fault(self, value: Any) -> str:
        good = type(value) in (int, float) and math.isfinite(value)
        good = good and (self.low < value if self.open_low else self.low <= value)
        good = good and (value < self.high if self.open_high else value <= self.high)
        good = good and not (self.even and value % 2)
        return "" if good else f"expected {self}"


def at_least(low: float, *, note: str = "") -> Number:
    """Up to a thousand million, which stands for as many as one has time for."""
    return Number(low, MOST, note=note)


def above(low: float, *, up_to: float = math.inf) -> Number:
    return Number(low, up_to, open_low=True)


def between(low: float, high: float, *, even: bool = False, note: str = "") -> Number:
    return Number(low, high, even=even, note=note)


SEED_END: Final = 2**63 - 1
SEED: Final = between(0, SEED_END)
SECONDS: Final = above(0, up_to=86_400)


@dataclass(frozen=True)
class Choice(Allowed):
    options: tuple[str, ...]

    def __str__(self) -> str:
        *most, last = self.options
        return f"{', '.join(most)} or {last}" if most else last

    def fault(self, value: Any) -> str:
        return "" if value in self.options else f"expected {self}{near(str(value), self.options)}"


def one_of(*options: str) -> Choice:
    return Choice(options)


def near(value: str, options: Sequence[str]) -> str:
    """`; did you mean orbit_large?` where one of the options is like the value."""
    found = difflib.get_close_matches(value, options, n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""


@dataclass(frozen=True)
class Flag(Allowed):
    """The range of every setting that is a bool; it need not be stated."""

    def __str__(self) -> str:
        return "true or false"

    def fault(self, value: Any) -> str:
        return "" if isinstance(value, bool) else f"expected {self}"


@dataclass(frozen=True)
class Text(Allowed):
    words: str
    pattern: str = ".*"

    def __str__(self) -> str:
        return self.words

    def fault(self, value: Any) -> str:
        good = isinstance(value, str) and "\0" not in value and re.fullmatch(self.pattern, value) is not None
        return "" if good else f"expected {self}"


def text(words: str, pattern: str = ".*") -> Text:
    """Text of some form, which the words say."""
    return Text(words, pattern)


@dataclass(frozen=True)
class Size(Allowed):
    """The width and height of a window."""

    low: tuple[int, int] = (960, 600)
    high: tuple[int, int] = (7680, 4320)

    def __str__(self) -> str:
        return f"a width and a height, such as 1280x800, from {_size(self.low)} to {_size(self.high)}"

    def fault(self, value: Any) -> str:
        found = re.fullmatch(r"(\d{1,6})x(\d{1,6})", value) if isinstance(value, str) else None
        sides = [int(part) for part in found.groups()] if found else []
        good = sides and all(low <= side <= high for low, side, high in zip(self.low, sides, self.high, strict=True))
        return "" if good else f"expected {self}"


def size_of(value: str) -> tuple[int, int]:
    """(width, height) of a text that `Size` admits."""
    width, _, height = value.partition("x")
    return int(width), int(height)


@dataclass(frozen=True)
class Maybe(Allowed):
    inner: Allowed
    meaning: str = ""
    empty: bool = False
    """Whether empty text stands for nothing, and not null."""

    def __str__(self) -> str:
        nothing = "empty" if self.empty else "null"
        return f"{self.inner}; {nothing}{f' for {self.meaning}' if self.meaning else ''}"

    def fault(self, value: Any) -> str:
        return "" if value == ("" if self.empty else None) else self.inner.fault(value)


def maybe(inner: Allowed, meaning: str = "") -> Maybe:
    """null, or what is within."""
    return Maybe(inner, meaning)


def or_empty(inner: Allowed, meaning: str = "") -> Maybe:
    """Empty text, or what is within."""
    return Maybe(inner, meaning, empty=True)


@dataclass(frozen=True)
class Each(Allowed):
    inner: Allowed
    least: int = 0
    most: int = 1000
    distinct: bool = True

    def __str__(self) -> str:
        count = f"{self.least} or more" if self.least else "a list"
        return f"{count}, separated by commas, each {self.inner}"

    def fault(self, value: Any) -> str:
        if not isinstance(value, list | tuple):
            return f"expected {self}"
        if len(value) < self.least:
            return f"expected {self.least} or more, separated by commas"
        if len(value) > self.most:
            return f"expected {self.most} at most"
        if self.distinct and (twice := [one for i, one in enumerate(value) if one in value[:i]]):
            return f"{twice[0]!r} stands twice"
        return next((f"{one}: {fault}" for one in value if (fault := self.inner.fault(one))), "")


def each(inner: Allowed, *, least: int = 0, distinct: bool = True) -> Each:
    """A list whose members are in a range."""
    return Each(inner, least, distinct=distinct)


def some_of(*options: str) -> Each:
    return Each(Choice(options), least=1)


def _number(value: float) -> str:
    if value == SEED_END:
        return "2^63 - 1"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _size(sides: tuple[int, int]) -> str:
    return f"{sides[0]}x{sides[1]}"
