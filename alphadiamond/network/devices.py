"""Where networks run: the CPU, or a graphics card.

No card was at hand: what is said of cards here follows from how things are built and is measured nowhere. Tests put
torch's CPU in a card's place: with ALPHADIAMOND_CARD_STAND_IN set, `cuda` is a CPU that is treated as a card.
"""

import os
from typing import Final

import torch

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.devices import DEVICES

STAND_IN: Final = "ALPHADIAMOND_CARD_STAND_IN"
_STANDING_IN: Final = torch.device("cpu", 0)
"""Cards have numbers and the CPU has none: a CPU with a number is one in a card's place."""
CPU: Final = torch.device("cpu")


class DeviceError(AlphaDiamondError, ValueError):
    """A device that is not here, or that computes nonsense."""


def is_card(device: torch.device) -> bool:
    return device.type != "cpu" or device == _STANDING_IN


def cards() -> list[torch.device]:
    """The cards of this machine, one of each kind."""
    if os.environ.get(STAND_IN):
        return [_STANDING_IN]
    here = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return [torch.device(kind) for kind, found in here.items() if found]


def find_device(name: str = "auto") -> torch.device:
    """A device by its name, or an error in one line; `auto` is the CPU for whoever has no network to choose for."""
    kind = name.partition(":")[0]
    if kind not in DEVICES:
        raise DeviceError(f"no device is called {name!r}: choose among {', '.join(DEVICES)}")
    if name in ("auto", "cpu"):
        return CPU
    if os.environ.get(STAND_IN):
        return _STANDING_IN
    if kind not in [card.type for card in cards()]:
        raise DeviceError(f"device {name}: torch finds none on this machine, take device=auto or device=cpu")
    try:
        return torch.zeros(1, device=name).device
    except RuntimeError as error:
        raise DeviceError(f"device {name}: {str(error).splitlines()[0]}") from None


def halves_on(card: torch.device) -> bool:
    """Whether a card computes in bfloat16; float16 has too small a range for a trunk that is not normalised."""
    if card.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return card == _STANDING_IN


def prepare(device: torch.device) -> None:
    """Let a card multiply single precision in TF32 from now on; does nothing for the CPU."""
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")


def onto(array: torch.Tensor, device: torch.device) -> torch.Tensor:
    """A tensor on a device; to a card from memory that it can read by itself, without waiting."""
    if device.type == "cuda":
        return array.pin_memory().to(device, non_blocking=True)
    return array.to(device)
