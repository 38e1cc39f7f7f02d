"""Names that can be shown anywhere and that nobody can mistake for another's (Unicode technical standard 39).

A name is of one script, has nothing in it that cannot be seen, and looks like no other: two names that differ only in
signs that look alike, such as the Latin and the Cyrillic a, or l and 1, have the same skeleton. The tables are those of
`confusable_homoglyphs` (MIT), made from Unicode's Scripts.txt and confusables.txt.
"""

import functools
import unicodedata
from typing import Any, Final

from confusable_homoglyphs import categories
from confusable_homoglyphs.confusables import confusables_data

from alphadiamond.server.errors import RefusedError

SHORTEST: Final = 2
LONGEST: Final = 24
_BETWEEN: Final = " _-."
_MARKS: Final = 3
"""Marks that one letter may carry: a consonant of an Indian script has a nukta, a vowel and a nasal."""
_TOGETHER: Final = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that are written together: Japanese, Korean, and Chinese with its signs of pronunciation."""
_NO_SCRIPT: Final = ("COMMON", "INHERITED")
_INVISIBLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Default_Ignorable_Code_Point of Unicode 16 (DerivedCoreProperties.txt), and the blank of braille."""


def clean_name(text: str) -> str:
    """A name as it is kept; `RefusedError` says what is wrong with it.

    Letters and digits of one script, with the marks that belong to them and single signs in between: nothing that a
    page, a terminal or a record could take for anything else.
    """
    name = unicodedata.normalize("NFKC", text).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise RefusedError("name", f"a name has {SHORTEST} to {LONGEST} characters")
    if any(first <= ord(sign) <= last for sign in name + text.strip() for first, last in _INVISIBLE):
        raise RefusedError("name", "a name has nothing in it that cannot be seen")
    for before, sign in zip(" " + name, name, strict=False):
        kind = unicodedata.category(sign)
        good = kind[0] in "LN" or (kind in ("Mn", "Mc") and before not in _BETWEEN)
        good = good or (sign in _BETWEEN and before not in _BETWEEN)
        if not good:
            raise RefusedError("name", "a name has letters and digits, with single spaces, _, - or . between them")
    if name[-1] in _BETWEEN:
        raise RefusedError("name", "a name ends with a letter or a digit")
    marks = ""
    for sign in unicodedata.normalize("NFD", name):
        marks = marks + sign if unicodedata.category(sign)[0] == "M" else ""
        if len(marks) > _MARKS or len(marks) > len(set(marks)):
            raise RefusedError("name", f"a letter has at most {_MARKS} marks, and none twice")
    scripts = scripts_of(name)
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise RefusedError("name", "a name is of one script")
    return name


def key_of(name: str) -> str:
    """What two names that count as the same have in common."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton_of(name: str) -> str:
    """What two names that look alike have in common, with capitals as small letters."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFD", "".join(map(_prototype, plain))).casefold()


def scripts_of(name: str) -> frozenset[str]:
    """The scripts of its signs, without those that belong to all."""
    return frozenset(categories.alias(sign) for sign in name) - frozenset(_NO_SCRIPT)


@functools.lru_cache(maxsize=4096)
def _prototype(sign: str) -> str:
    """The one of all signs that look like this that stands for them.

    The tables list for each sign those that it can be taken for: a prototype all that look like it, any other its
    prototype alone.
    """
    alike: Any = confusables_data.get(sign, ())
    if len(alike) != 1:
        return sign
    other = str(alike[0]["c"])
    if len(other) > 1 or len(confusables_data.get(other, ())) > 1:
        return other
    return min(sign, other)
