"""Texts of a game in other languages: a table from English, exactly or by a pattern whose `{}` stand for values."""

import functools
import re
from collections.abc import Mapping

Table = Mapping[str, str]


@functools.lru_cache(maxsize=4096)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(part) for part in text.split("{}")), re.DOTALL)


def translated(table: Table, text: str) -> str:
    """A text by a table; values of a pattern are looked up too. What the table does not hold stays as it is."""
    if text in table:
        return table[text]
    for pattern, other in table.items():
        if "{}" in pattern and (found := _pattern(pattern).fullmatch(text)):
            return other.format(*(table.get(value, value) for value in found.groups()))
    return text
