"""Settings with stated ranges: what each may be stands beside its default, and is checked before anything is written.

Nothing here imports a library of numbers, so that `--help` answers at once.
"""

from alphadiamond.settings.ranges import (
    Allowed,
    above,
    at_least,
    between,
    each,
    maybe,
    one_of,
    setting,
    some_of,
    text,
)
from alphadiamond.settings.validation import Setting, SettingError, check, settings_of

__all__ = [
    "Allowed",
    "Setting",
    "SettingError",
    "above",
    "at_least",
    "between",
    "check",
    "each",
    "maybe",
    "one_of",
    "setting",
    "settings_of",
    "some_of",
    "text",
]
