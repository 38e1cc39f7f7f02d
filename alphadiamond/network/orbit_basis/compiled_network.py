"""The orbit network for play on a CPU: the symmetry's own basis, one compiled call from states to probabilities."""

import numpy as np
import torch

from alphadiamond.base.rules import Rules
from alphadiamond.network.kernels import Floats, States
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.network.orbit_basis import inference_kernels
from alphadiamond.network.orbit_basis import layout as basis_layout
from alphadiamond.network.orbit_basis.basis import Bases
from alphadiamond.network.orbit_basis.inference_kernels import Network
from alphadiamond.network.orbit_basis.vector_intrinsics import LANES


class CompiledOrbit:
    """A copy of a model's weights that serves one thread, for boards that have `bases`."""

    def __init__(self, model: OrbitModel, bases: Bases, rules: Rules) -> None:
        config, self._rules = model.config, rules
        layout = basis_layout.layout(bases, config.width, config.blocks, config.value_width)
        with torch.no_grad():
            model = _double(model)
            entries = basis_layout.entries(model, bases)
            weights = np.empty_like(entries)
            weights[layout.packed] = entries
            rows, factors = basis_layout.action_table(bases, config.value_width)
            self._network = Network(
                plan=layout.plan,
                weights=_aligned(weights),
                biases=_aligned(basis_layout.biases(basis_layout.bias_weights(model), bases).reshape(-1)),
                channels=config.width,
                planes=bases.shape.planes,
                hidden=bases.actions.counts[0],
                value_bias=_aligned(model.value_bias.numpy()),
                outcome_bias=_aligned(model.value.bias.numpy()),
                action_bias=_aligned(model.policy.bias().numpy()),
                action_rows=rows,
                action_factors=factors,
                order=np.array([node for orbit in bases.node_order for node in orbit]),
            )
        size = inference_kernels.scratch_rows(config.width, config.value_width, bases.shape.actions) * 2 * LANES
        self._scratch = _aligned(np.zeros(size))
        self._zeros = _aligned(np.zeros(5 * config.width))

    def logits(self, states: States) -> tuple[Floats, Floats]:
        """(policy [B, A], value [B, 3]), legal moves or not."""
        return inference_kernels.logits(self._rules, self._network, states, self._scratch, self._zeros)

    def evaluate(self, states: States) -> tuple[Floats, Floats]:
        """(policy [B, A], wdl [B, 3]): chances of the legal moves, and of win, draw, loss."""
        return inference_kernels.evaluate(self._rules, self._network, states, self._scratch, self._zeros)


def _double(model: OrbitModel) -> OrbitModel:
    copy = OrbitModel(model.config, model.shape)
    copy.load_state_dict(model.state_dict())
    copy.config = model.config
    return copy.cpu().double()


def _aligned(values: np.ndarray) -> Floats:  # type: ignore[type-arg]
    """A copy that begins at a cache line."""
    room = np.empty(values.size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // 4
    aligned = room[start : start + values.size]
    aligned[:] = values.reshape(-1)
    return aligned
