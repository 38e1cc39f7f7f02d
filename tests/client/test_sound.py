"""Sounds are played, at the volume chosen, and their absence is no fault."""

import pygame
import pytest

from alphadiamond.client.sound import Sounds
from alphadiamond.client.synthesiser import SOUNDS


def test_every_sound_plays() -> None:
    sounds = Sounds(volume=0.5, on=True)
    assert sounds.available
    for name in SOUNDS:
        sounds.play(name)
        assert sounds._sounds[name].get_num_channels() >= 1
    sounds.close()


def test_muted_means_silent() -> None:
    sounds = Sounds(volume=0.5, on=False)
    sounds.play("move")
    assert not sounds._sounds
    sounds.close()


def test_without_an_audio_device_the_window_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    sounds = Sounds(volume=0.5, on=True)
    assert not sounds.available
    sounds.play("move")
    sounds.close()
