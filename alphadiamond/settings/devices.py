"""Where networks run."""

from typing import Final

from alphadiamond.settings.ranges import text

DEVICES: Final = ("auto", "cpu", "cuda", "mps")
DEVICE: Final = text("auto, cpu, cuda (or cuda:1 for the second card) or mps", r"auto|cpu|mps|cuda(:\d{1,3})?")
