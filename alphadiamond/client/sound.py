"""Plays the synthesiser's sounds; where there is no audio device, silence."""

import contextlib
import os
from collections.abc import Iterator

import pygame

from alphadiamond.client import synthesiser

_CHANNELS = 16  # sounds at the same time; with the usual 8 a busy moment would lose some


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Keep the system's libraries from printing about what is missing; we say it ourselves, in one line."""
    try:
        kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class Sounds:
    def __init__(self, *, volume: float, on: bool) -> None:
        self.volume = volume
        self.on = on
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        try:
            with quiet_stderr():
                pygame.mixer.init(synthesiser.RATE, -16, 2, 512)
            pygame.mixer.set_num_channels(_CHANNELS)
            self.available = True
        except pygame.error:
            self.available = False

    def play(self, name: str) -> None:
        if not self.available or not self.on or self.volume <= 0:
            return
        if name not in self._sounds:
            self._sounds[name] = pygame.mixer.Sound(buffer=synthesiser.samples(name).tobytes())
        self._sounds[name].set_volume(self.volume**1.6)  # loudness is heard on a curve
        self._sounds[name].play()

    def close(self) -> None:
        if self.available:
            pygame.mixer.quit()
