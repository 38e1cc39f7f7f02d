"""Text from and to the system's clipboard. Which name pygame gives to text depends on the system."""

import contextlib
from typing import Final

import pygame

_TYPES: Final = ("text/plain;charset=utf-8", pygame.SCRAP_TEXT)


def read() -> str:
    """What was copied last; empty if it is no text, or cannot be had."""
    with contextlib.suppress(pygame.error, AttributeError, NotImplementedError):
        if hasattr(pygame.scrap, "get_text"):  # pygame-ce
            return str(pygame.scrap.get_text())
        pygame.scrap.init()
        found = next((found for kind in _TYPES if (found := pygame.scrap.get(kind))), b"")
        return found.decode("utf-8", "ignore").rstrip("\0")
    return ""


def write(text: str) -> bool:
    """Copy a text; False where there is no clipboard."""
    with contextlib.suppress(pygame.error, AttributeError, NotImplementedError):
        if hasattr(pygame.scrap, "put_text"):
            pygame.scrap.put_text(text)
            return True
        pygame.scrap.init()
    for kind in _TYPES:
        with contextlib.suppress(pygame.error, AttributeError, NotImplementedError):
            pygame.scrap.put(kind, text.encode())
            return True
    return False
