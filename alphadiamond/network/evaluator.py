"""The network as the search sees it: states in, probabilities of moves and of the result out."""

import statistics
import time
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from alphadiamond.base import game_kernels
from alphadiamond.base.game import Game
from alphadiamond.network import kernels
from alphadiamond.network.cache import CacheStats, EvaluationCache
from alphadiamond.network.conv import ConvModel
from alphadiamond.network.devices import CPU, DeviceError, cards, find_device, halves_on, is_card, onto, prepare
from alphadiamond.network.encoding import as_states
from alphadiamond.network.kernels import Floats, States
from alphadiamond.network.model import Model, bfloat16_pays
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.network.orbit_basis.basis import bases_of
from alphadiamond.network.orbit_basis.compiled_network import CompiledOrbit
from alphadiamond.network.winograd.compiled_network import CompiledConv, can_compile

_HALF_FROM: Final = 32
"""Batches from this size on are faster in bfloat16; smaller ones, as for a single game, are not."""
_STEADY_BATCH: Final = 32


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
        steady: bool = False,
        game: Game | None = None,
    ) -> None:
        """`device`: auto for what answers one position sooner; `half`: bfloat16 on cards that have it, and for large
        batches in torch on processors that are faster at it; `symmetries`: average over those of the board; `cache`:
        positions to keep; `compiled`: on a CPU the orbit network in the symmetry's own basis and the convolution by
        tiles, where the board allows it, instead of in torch; `steady`: to the last bit the same answer whatever else
        is asked with it; `game`: if not the model's own."""
        if threads is not None:
            torch.set_num_threads(threads)
        self.game = game or model.game
        if device == "auto":
            device = sooner(model, half=half) if compiled and not steady else CPU
        self.device = find_device(device) if isinstance(device, str) else device
        self._on_card = is_card(self.device)
        prepare(self.device)
        half = half and not steady
        self._halves = half and (halves_on(self.device) if self._on_card else bfloat16_pays(self.device))
        self._steady = steady
        self._symmetries = symmetries
        self._compiled = compiled and not self._on_card
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
        if self._steady and len(array) != _STEADY_BATCH:
            return self._in_steady_batches(array)
        encoded = game_kernels.encode_states(self.game.rules, array)
        if isinstance(self._network, CompiledConv):
            return self._network.logits(encoded)
        with torch.inference_mode():
            inputs = onto(torch.from_numpy(encoded), self.device)
            network = self._half if self._half is not None and len(array) >= _HALF_FROM else self._network
            outputs = [_numpy(one) for one in network(inputs)]
        if self._on_card and not all(np.isfinite(one).all() for one in outputs):
            raise DeviceError(f"the network's outputs on {self.device} are not finite numbers: take device=cpu")
        policy, value = outputs
        return policy, value

    def _in_steady_batches(self, states: States) -> tuple[Floats, Floats]:
        """Libraries choose how to multiply by the size of a batch, which shows in the last bits: so it is always the
        same, filled up with whatever position."""
        missing = -len(states) % _STEADY_BATCH
        padded = np.concatenate([states, np.repeat(states[:1], missing, axis=0)])
        batches = [self.logits(padded[i : i + _STEADY_BATCH]) for i in range(0, len(padded), _STEADY_BATCH)]
        policy, value = (np.concatenate(parts)[: len(states)] for parts in zip(*batches, strict=True))
        return policy, value

    def _lay_out(self, model: Model) -> None:
        bases = bases_of(model.shape)
        self._half: nn.Module | None = None
        self._network: nn.Module | CompiledOrbit | CompiledConv
        if self._compiled and isinstance(model, OrbitModel) and bases is not None:
            self._network = CompiledOrbit(model, bases, self.game.rules)
            return
        if self._compiled and isinstance(model, ConvModel) and can_compile(model):
            self._network = CompiledConv(model)
            return
        with torch.inference_mode():
            self._network = model.frozen().eval().to(self.device)
            if self._on_card:
                if self._halves:
                    self._network.halve()  # type: ignore[operator]
            elif self._halves and not model.equivariant:
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


def has_compiled_form(model: Model) -> bool:
    """Whether the CPU plays this network by compiled code, which is meant to be asked on the CPU."""
    if isinstance(model, ConvModel):
        return can_compile(model)
    return isinstance(model, OrbitModel) and bases_of(model.shape) is not None


def sooner(model: Model, *, half: bool = True) -> torch.device:
    """What answers one position sooner: without a card, and with a compiled form, the CPU; otherwise both are tried."""
    if not cards() or has_compiled_form(model):
        return CPU
    states = model.game.states_of([model.game.sample_start()])
    seconds = {}
    for device in (CPU, *cards()):
        evaluator = Evaluator(model, device=device, half=half)
        seconds[device] = seconds_of(lambda evaluator=evaluator: evaluator.logits(states))  # type: ignore[misc]
    return min(seconds, key=lambda device: seconds[device])


def seconds_of(work: Callable[[], object], *, times: int = 5) -> float:
    """How long some work takes: the median of a few times, after two that are not counted."""
    found = []
    for number in range(times + 2):
        started = time.perf_counter()
        work()
        if number >= 2:
            found.append(time.perf_counter() - started)
    return statistics.median(found)


def _numpy(values: Tensor) -> Floats:
    return values.to("cpu", torch.float32).numpy()
