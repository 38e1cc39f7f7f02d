"""The network as the search sees it: states in, probabilities of moves and of the result out."""

from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from alphadiamond.base import game_kernels
from alphadiamond.base.game import Game
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.network import kernels
from alphadiamond.network.cache import CacheStats, EvaluationCache
from alphadiamond.network.encoding import as_states
from alphadiamond.network.kernels import Floats, States
from alphadiamond.network.model import Model, bfloat16_pays
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.network.orbit_basis.basis import bases_of
from alphadiamond.network.orbit_basis.compiled_network import CompiledOrbit
from alphadiamond.settings.devices import DEVICES

_HALF_FROM: Final = 32
"""Batches from this size on are faster in bfloat16; smaller ones, as for a single game, are not."""


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
    """A model laid out for play. Call it with states [B, S] of its game.

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
        game: Game | None = None,
    ) -> None:
        """`half`: half precision on CUDA, and for large batches of mlp and conv on processors that are faster at it;
        `symmetries`: average over those of the board; `cache`: positions to keep; `compiled`: the orbit network on a
        CPU in the symmetry's own basis where that is known, otherwise as dense matrices in torch; `game`: if not the
        model's own."""
        if threads is not None:
            torch.set_num_threads(threads)
        self.game = game or model.game
        self.device = find_device(device) if isinstance(device, str) else device
        self._dtype = torch.float16 if half and self.device.type == "cuda" else torch.float32
        self._halves = half and bfloat16_pays(self.device)
        self._symmetries = symmetries
        self._compiled = compiled and self.device.type == "cpu"
        self._cache = EvaluationCache(cache, self.game) if cache > 0 else None
        self._lay_out(model)

    def update(self, model: Model) -> None:
        """Play with these weights from now on; nothing said by the old ones remains."""
        self._lay_out(model)
        self.clear_cache()

    def clear_cache(self) -> None:
        if self._cache is not None:
            self._cache.clear()

    @property
    def stats(self) -> CacheStats:
        """Hits and misses of the cache so far; all zero without one."""
        return self._cache.stats if self._cache is not None else CacheStats()

    def __call__(self, states: npt.ArrayLike) -> tuple[Floats, Floats]:
        """(policy [B, A], wdl [B, 3]): chances of the legal moves, and of win, draw, loss for the side to move."""
        array = as_states(states, self.game)
        if self._cache is None:
            return self._evaluate(array)
        return self._cache(array, self._evaluate)

    def logits(self, states: npt.ArrayLike) -> tuple[Floats, Floats]:
        """(policy [B, A], value [B, 3]) as the network says them, legal moves or not."""
        array = as_states(states, self.game)
        if not len(array):  # some devices refuse empty batches
            return tuple(np.empty((0, size), dtype=np.float32) for size in (self.game.actions, kernels.OUTCOMES))  # type: ignore[return-value]
        if isinstance(self._network, CompiledOrbit):
            return self._network.logits(array)
        with torch.inference_mode():
            inputs = torch.from_numpy(game_kernels.encode_states(self.game.rules, array)).to(self.device, self._dtype)
            network = self._half if self._half is not None and len(array) >= _HALF_FROM else self._network
            policy, value = network(inputs)
            return _numpy(policy), _numpy(value)

    def _lay_out(self, model: Model) -> None:
        bases = bases_of(model.shape)
        self._half: nn.Module | None = None
        self._network: nn.Module | CompiledOrbit
        if self._compiled and isinstance(model, OrbitModel) and bases is not None:
            self._network = CompiledOrbit(model, bases, self.game.rules)
            return
        with torch.inference_mode():
            self._network = model.frozen().eval().to(self.device, self._dtype)
            if self._halves and not model.equivariant:
                self._half = model.frozen().eval()
                self._half.halve()  # type: ignore[operator]

    def _evaluate(self, states: States) -> tuple[Floats, Floats]:
        if not self._symmetries:
            if isinstance(self._network, CompiledOrbit):
                return self._network.evaluate(states)
            return kernels.read_outputs(self.game.rules, states, *self.logits(states))
        images = self.game.shape.action_symmetries
        count = len(images)
        maps = np.repeat(np.arange(count), len(states))
        turned = self.game.images(np.tile(states, (count, 1)), maps)
        policy, wdl = kernels.read_outputs(self.game.rules, turned, *self.logits(turned))
        policy = kernels.turn(policy, np.argsort(images, axis=1), maps)  # back to where they came from
        return (
            policy.reshape(count, len(states), policy.shape[1]).mean(axis=0),
            wdl.reshape(count, len(states), wdl.shape[1]).mean(axis=0),
        )


def _numpy(values: Tensor) -> Floats:
    return values.to("cpu", torch.float32).numpy()
