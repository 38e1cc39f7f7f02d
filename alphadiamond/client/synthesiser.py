"""The window's sounds, computed from sines and envelopes; no sample comes from elsewhere."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

RATE: Final = 44_100
Wave = npt.NDArray[np.float64]
"""[samples] in [-1, 1]."""


def _time(seconds: float) -> Wave:
    return np.arange(int(RATE * seconds)) / RATE


def _envelope(count: int, attack: float, decay: float) -> Wave:
    """Up in `attack` seconds, then down by a factor of e every `decay` seconds; silent at both ends."""
    t = np.arange(count) / RATE
    rise = np.clip(t / attack, 0, 1)
    end = np.clip((count - np.arange(count)) / (0.012 * RATE), 0, 1)
    return rise * np.exp(-t / decay) * end


def bell(pitch: float, seconds: float, *, decay: float = 0.22, bright: float = 0.35) -> Wave:
    """A struck glass: partials that are not quite whole multiples, the high ones dying first."""
    t = _time(seconds)
    partials = ((1.0, 1.0, 1.0), (2.01, bright, 0.55), (3.03, bright * 0.5, 0.35), (5.4, bright * 0.25, 0.18))
    wave = np.zeros_like(t)
    for multiple, loudness, life in partials:
        wave += loudness * np.sin(2 * np.pi * pitch * multiple * t) * _envelope(len(t), 0.003, decay * life)
    return wave


def thud(pitch: float, seconds: float) -> Wave:
    """A falling low tone, like something heavy put down."""
    t = _time(seconds)
    return np.sin(2 * np.pi * pitch * (t - 0.35 * t**2 / seconds)) * _envelope(len(t), 0.004, seconds / 3)


def tick(seconds: float = 0.05, *, pitch: float = 1800.0) -> Wave:
    t = _time(seconds)
    rng = np.random.default_rng(7)
    body = np.sin(2 * np.pi * pitch * t) * 0.6 + rng.uniform(-0.4, 0.4, len(t))
    return body * _envelope(len(t), 0.001, seconds / 5)


def mixed(*parts: tuple[float, Wave]) -> Wave:
    """Waves, each from its own moment on."""
    length = max(int(RATE * start) + len(wave) for start, wave in parts)
    total = np.zeros(length)
    for start, wave in parts:
        first = int(RATE * start)
        total[first : first + len(wave)] += wave
    return total


def _select() -> Wave:
    return bell(880, 0.14, decay=0.06) * 0.35


def _move() -> Wave:
    return mixed((0.0, tick(0.04) * 0.25), (0.0, bell(523.25, 0.3, decay=0.11) * 0.5), (0.01, thud(130, 0.12) * 0.4))


def _drop() -> Wave:
    """A disc that falls onto others, and once more, softly."""
    return mixed(
        (0.0, tick(0.05, pitch=1100) * 0.4),
        (0.0, thud(190, 0.14) * 0.7),
        (0.10, tick(0.03, pitch=1300) * 0.12),
        (0.10, thud(210, 0.08) * 0.2),
    )


def _capture() -> Wave:
    return mixed(*[(0.07 * k, bell(p, 0.6, decay=0.2) * 0.5) for k, p in enumerate((659.25, 987.77, 1318.5))])


def _lost() -> Wave:
    return mixed((0.0, thud(150, 0.4) * 0.8), (0.05, bell(233, 0.5, decay=0.18) * 0.4))


def _win() -> Wave:
    notes = (523.25, 659.25, 783.99, 1046.5, 1318.5)
    chord = [(0.55, bell(p, 1.4, decay=0.6) * 0.25) for p in notes[:4]]
    return mixed(*[(0.11 * k, bell(p, 0.8, decay=0.3) * 0.45) for k, p in enumerate(notes)], *chord)


def _defeat() -> Wave:
    return mixed(*[(0.18 * k, bell(p, 0.9, decay=0.35, bright=0.15) * 0.5) for k, p in enumerate((440, 392, 329.63))])


def _draw() -> Wave:
    return mixed((0.0, bell(440, 0.7, decay=0.3) * 0.45), (0.16, bell(440, 0.9, decay=0.35) * 0.4))


def _click() -> Wave:
    return mixed((0.0, tick(0.03, pitch=2400) * 0.2), (0.0, bell(1200, 0.08, decay=0.03) * 0.18))


def _refuse() -> Wave:
    return mixed((0.0, thud(180, 0.12) * 0.5), (0.09, thud(150, 0.14) * 0.5))


def _hint() -> Wave:
    return mixed((0.0, bell(1046.5, 0.4, decay=0.15) * 0.3), (0.09, bell(1568, 0.5, decay=0.2) * 0.3))


SOUNDS: Final[dict[str, Callable[[], Wave]]] = {
    "select": _select,
    "move": _move,
    "drop": _drop,
    "capture": _capture,
    "lost": _lost,
    "win": _win,
    "defeat": _defeat,
    "draw": _draw,
    "click": _click,
    "refuse": _refuse,
    "hint": _hint,
}


def samples(name: str) -> npt.NDArray[np.int16]:
    """[n, 2] a sound as 16-bit stereo, never louder than full scale."""
    wave = SOUNDS[name]()
    wave = np.tanh(wave * 0.9)
    stereo = np.stack([wave, wave], axis=1) * 0.85 * np.iinfo(np.int16).max
    return stereo.astype(np.int16)
