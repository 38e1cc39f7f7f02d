"""The theme at the size of a window: what the design system comes to in pixels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from alphadiamond.client.motion import clamp
from alphadiamond.client.theme import FULL_MOTION, MIDNIGHT, TYPE, Motion, Theme

REFERENCE = (1280, 800)
MINIMUM = (960, 600)


@dataclass(frozen=True)
class Look:
    """Everything that decides how a thing is drawn; a change of any of it empties the caches."""

    theme: Theme = MIDNIGHT
    size: tuple[int, int] = REFERENCE
    text: float = 1.0
    """The factor of the text-size setting."""
    motion: Motion = FULL_MOTION
    marks: bool = False
    """Whether pieces carry shapes as well as colours."""
    shape: str = "bead"
    """How pieces look: bead, disc or man."""
    words: Callable[[str], str] | None = None
    """Puts a text into another language; none: it stays as it is."""

    @cached_property
    def scale(self) -> float:
        return clamp(min(self.size[0] / REFERENCE[0], self.size[1] / REFERENCE[1]), 0.75, 3.0)

    @cached_property
    def text_scale(self) -> float:
        """Text shrinks less than everything else in a small window, so that it stays readable."""
        return max(0.84, self.scale) * self.text

    def px(self, length: float) -> int:
        return max(1, round(length * self.scale))

    def line(self, style: str = "body") -> int:
        """The height of a line of text with the air around it."""
        return round(TYPE[style][0] * self.text_scale * 1.5)

    def control(self) -> int:
        """The height of a button, a row, a slider: what a finger or an eye needs, and never less than its text."""
        return max(self.px(44), self.line("strong") + self.px(12))
