"""Tokens and codes, which are shown once and kept nowhere."""

import hashlib
import re
import secrets
from typing import Final

_TOKEN: Final = re.compile(r"ad_[A-Za-z0-9_-]{43}", re.ASCII)
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: none that is read for another."""
_GROUPS: Final = 5
_SIGNS: Final = 5


def new_token() -> str:
    return f"ad_{secrets.token_urlsafe(32)}"


def looks_like_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def hash_of(token: str) -> bytes:
    """What is stored. Tokens and codes are long and random, so a plain hash cannot be turned back."""
    return hashlib.sha256(token.encode()).digest()


def new_recovery_code() -> str:
    """125 bits to be written down: K3QX7-..."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_SIGNS)) for _ in range(_GROUPS))


def read_recovery_code(text: str) -> str | None:
    """A code as it was made, however it was typed; None if it cannot be one."""
    signs = "".join(text.upper().replace("-", " ").split()).translate(str.maketrans("OIL", "011"))
    if len(signs) != _GROUPS * _SIGNS or not set(signs) <= set(_LETTERS):
        return None
    return "-".join(signs[at : at + _SIGNS] for at in range(0, len(signs), _SIGNS))


def new_code() -> str:
    """The public name of a game, a seek or a challenge: 60 bits, not to be guessed."""
    return secrets.token_urlsafe(9)[:10]
