"""The state of a numpy generator as an array, so that a run goes on with the very numbers it would have drawn."""

from typing import Any

import numpy as np
import numpy.typing as npt

_WORD = (1 << 64) - 1


def generator_state(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """[6] the state of a PCG64 generator."""
    whole: dict[str, Any] = dict(rng.bit_generator.state)
    inner = whole["state"]
    words = [word for name in ("state", "inc") for word in (inner[name] >> 64, inner[name] & _WORD)]
    words += [whole["has_uint32"], whole["uinteger"]]
    return np.array(words, dtype=np.uint64).view(np.int64)


def restore_generator(rng: np.random.Generator, state: npt.NDArray[np.int64]) -> None:
    high, low, inc_high, inc_low, has, buffered = (int(word) for word in state.view(np.uint64))
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low},
        "has_uint32": has,
        "uinteger": buffered,
    }
