"""The network as the search sees it: states in, probabilities of moves and of the result out."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games.diamond_chase.board import INVERSE_SYMMETRIES, SYMMETRIES
from alphadiamond.games.diamond_chase.kernels import turn_states
from alphadiamond.network import kernels
from alphadiamond.network.cache import CacheStats, EvaluationCache
from alphadiamond.network.compiled import CompiledOrbit
from alphadiamond.network.encoding import as_states
from alphadiamond.network.kernels import Floats, States
from alphadiamond.network.model import Model
from alphadiamond.network.orbit import OrbitModel

DEVICES: Final = ("auto", "cpu", "cuda", "mps")


class DeviceError(AlphaDiamondError, ValueError):
    """A device that is not here."""


def find_device(name: str = "auto") -> torch.device:
    """`auto` is CUDA where there is a card, then Apple's, then the CPU; any other is taken at its word or refused."""
    kind = name.partition(":")[0]
    if kind not in DEVICES:
        raise DeviceError(f"no device is called {name!r}: choose among {', '.join(DEVICES)}")
    here = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if here[kind]))
    if not here[kind]:
        raise DeviceError(f"device {name}: torch finds none on this machine, take device=auto or device=cpu")
    try:
        return torch.zeros(1, device=name).device
    except RuntimeError as error:
        raise DeviceError(f"device {name}: {str(error).splitlines()[0]}") from None


class Evaluator:
    """A model laid out for play. Call it with states [B, 4] int64: own, opp, quiet, occurrences.

    One evaluator serves one thread; `threads` is set for the whole process, as torch has it.
    """

    def __init__(
        self,
        model: Model,
        *,
        device: str | torch.device = "auto",
        threads: int | None = None,
        half: bool = True,
        symmetries: bool = False,
        cache: int = 0,
        compiled: bool = True,
    ) -> None:
        """`half`: half precision on CUDA; `symmetries`: average over the board's 8; `cache`: positions to keep;
        `compiled`: the orbit network on a CPU in the symmetry's own basis, otherwise as dense matrices in torch."""
        if threads is not None:
            torch.set_num_threads(threads)
        self.device = find_device(device) if isinstance(device, str) else device
        self._dtype = torch.float16 if half and self.device.type == "cuda" else torch.float32
        self._symmetries = symmetries
        self._compiled = compiled and self.device.type == "cpu"
        self._cache = EvaluationCache(cache) if cache > 0 else None
        self._network = self._laid_out(model)

    def update(self, model: Model) -> None:
        """Play with these weights from now on; nothing said by the old ones remains."""
        self._network = self._laid_out(model)
        if self._cache is not None:
            self._cache.clear()

    @property
    def stats(self) -> CacheStats:
        """Hits and misses of the cache so far; all zero without one."""
        return self._cache.stats if self._cache is not None else CacheStats()

    def __call__(self, states: npt.ArrayLike) -> tuple[Floats, Floats]:
        """(policy [B, 72], wdl [B, 3]): chances of the legal moves, and of win, draw, loss for the side to move."""
        array = as_states(states)
        if self._cache is None:
            return self._evaluate(array)
        return self._cache(array, self._evaluate)

    def logits(self, states: npt.ArrayLike) -> tuple[Floats, Floats]:
        """(policy [B, 72], value [B, 3]) as the network says them, legal moves or not."""
        array = as_states(states)
        if not len(array):  # some devices refuse empty batches
            return np.empty((0, 72), dtype=np.float32), np.empty((0, 3), dtype=np.float32)
        if isinstance(self._network, CompiledOrbit):
            return self._network.logits(array)
        with torch.inference_mode():
            inputs = torch.from_numpy(kernels.encode_inputs(array)).to(self.device, self._dtype)
            policy, value = self._network(inputs)
            return _numpy(policy), _numpy(value)

    def _laid_out(self, model: Model) -> nn.Module | CompiledOrbit:
        if self._compiled and isinstance(model, OrbitModel):
            return CompiledOrbit(model)
        with torch.inference_mode():
            return model.frozen().eval().to(self.device, self._dtype)

    def _evaluate(self, states: States) -> tuple[Floats, Floats]:
        if not self._symmetries:
            if isinstance(self._network, CompiledOrbit):
                return self._network.evaluate(states)
            return kernels.read_outputs(states, *self.logits(states))
        count = len(SYMMETRIES)
        maps = np.repeat(np.arange(count), len(states))
        turned = turn_states(np.tile(states, (count, 1)), maps)
        policy, wdl = kernels.read_outputs(turned, *self.logits(turned))
        policy = kernels.turn_actions(policy, INVERSE_SYMMETRIES[maps])
        return (
            policy.reshape(count, len(states), policy.shape[1]).mean(axis=0),
            wdl.reshape(count, len(states), wdl.shape[1]).mean(axis=0),
        )


def _numpy(values: Tensor) -> Floats:
    return values.to("cpu", torch.float32).numpy()
