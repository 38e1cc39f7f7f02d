"""The window's texts in other languages, by a table from English that is looked up where text is drawn.

A text stands in the table as it is, or as a pattern whose `{}` stand for values; parts that ` · ` joins are looked up
one by one. A game brings a table of its own words. What no table holds stays English.
"""

import functools
import locale
import re
from collections.abc import Mapping
from typing import Final

from alphadiamond.base.game import Game
from alphadiamond.client.german import GERMAN
from alphadiamond.games import all_games

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""What can be chosen, by the languages' own names."""
_TABLES: Final[Mapping[str, Mapping[str, str]]] = {"de": GERMAN}
_NAMED: Final = {"german": "de", "english": "en"}
"""Languages as Windows calls them."""
_JOINED: Final = re.compile(r"( +· +)")
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_KEPT: Final = 4000


def system_language() -> str:
    """That of the person's system where there is a table for it, or else English."""
    name = (locale.getlocale()[0] or "").casefold()
    code = name.partition("_")[0]
    code = _NAMED.get(code, code)
    return code if code in LANGUAGES else "en"


class Words:
    """One language's texts, the words of the games included."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = {text: other for text, other in table.items() if "{}" not in text}
        patterns = sorted((text for text in table if "{}" in text), key=_literal, reverse=True)
        self._patterns = [(_pattern(text), table[text]) for text in patterns]
        self._others = frozenset(self._table.values())
        self._found: dict[str, str] = {}
        self.missed: set[str] = set()
        """What no table holds, for the tests."""

    def __call__(self, text: str) -> str:
        if text not in self._found:
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[text] = self._look_up(text)
        return self._found[text]

    def _look_up(self, text: str) -> str:
        if text in self._others:  # it comes from here
            return text
        found = self._match(text)
        if found is None:  # words of a game begin a sentence now and then
            found = self._match(text[:1].lower() + text[1:])
            found = found and found[:1].upper() + found[1:]
        if found is not None:
            return found
        parts = _JOINED.split(text)
        if len(parts) > 1:
            return "".join(part if _JOINED.fullmatch(part) else self(part) for part in parts)
        if _WORD.search(text) and len(self.missed) < _KEPT:
            self.missed.add(text)
        return text

    def _match(self, text: str) -> str | None:
        """By the table: as it stands, or where nothing is joined by a pattern."""
        if text in self._table:
            return self._table[text]
        if _JOINED.search(text):
            return None
        for pattern, other in self._patterns:
            if found := pattern.fullmatch(text):
                return other.format(*(self(value) for value in found.groups()))
        return None


def _literal(text: str) -> int:
    """How much of a pattern is no value: the more, the better it fits."""
    return len(text.replace("{}", ""))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(re.escape(part) for part in text.split("{}")), re.DOTALL)


@functools.cache
def words_for(language: str, game: Game) -> Words | None:
    """The texts of a language with the words of all games, this one's first; none for English."""
    if language not in _TABLES:
        return None
    table = dict(_TABLES[language])
    for one in (*all_games(), game):
        drawing = one.drawing
        table |= drawing.lesson_texts.get(language, {})
        table |= drawing.texts.get(language, {})
    return Words(table)
