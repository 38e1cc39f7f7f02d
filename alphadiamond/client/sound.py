"""Plays the synthesiser's sounds; where there is no audio device, silence."""

import pygame

from alphadiamond.client import synthesiser


class Sounds:
    def __init__(self, *, volume: float, on: bool) -> None:
        self.volume = volume
        self.on = on
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        try:
            pygame.mixer.init(synthesiser.RATE, -16, 2, 512)
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
