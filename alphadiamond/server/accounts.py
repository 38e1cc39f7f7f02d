"""Names that can be shown anywhere, and tokens that are kept nowhere."""

import hashlib
import re
import secrets
import unicodedata
from typing import Final

from alphadiamond.server.errors import RefusedError

SHORTEST: Final = 2
LONGEST: Final = 24
_BETWEEN: Final = " _-."
_TOKEN: Final = re.compile(r"ad_[A-Za-z0-9_-]{43}", re.ASCII)


def clean_name(text: str) -> str:
    """A name as it is kept; `RefusedError` says what is wrong with it.

    Letters and digits of any script, with the marks that belong to them and single signs in between: nothing that a
    page, a terminal or a record could take for anything else.
    """
    name = unicodedata.normalize("NFKC", text).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise RefusedError("name", f"a name has {SHORTEST} to {LONGEST} characters")
    for before, sign in zip(" " + name, name, strict=False):
        kind = unicodedata.category(sign)
        good = kind[0] in "LN" or (kind in ("Mn", "Mc") and before not in _BETWEEN)
        good = good or (sign in _BETWEEN and before not in _BETWEEN)
        if not good:
            raise RefusedError("name", "a name has letters and digits, with single spaces, _, - or . between them")
    if name[-1] in _BETWEEN:
        raise RefusedError("name", "a name ends with a letter or a digit")
    return name


def key_of(name: str) -> str:
    """What two names that count as the same have in common."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def new_token() -> str:
    return f"ad_{secrets.token_urlsafe(32)}"


def looks_like_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def hash_of(token: str) -> bytes:
    """What is stored. Tokens are 256 random bits, so a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).digest()


def new_code() -> str:
    """The public name of a game, a seek or a challenge: 60 bits, not to be guessed."""
    return secrets.token_urlsafe(9)[:10]
