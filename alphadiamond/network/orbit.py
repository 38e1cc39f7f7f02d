"""The orbit network: a linear map between nodes x C channels whose weights depend on the orbit of the node pair.

It is exactly equivariant under the board's symmetries, whichever they are; with the 8 of a square it has an eighth of a
dense network's parameters. Laid out as dense matrices it runs as an MLP does.
"""

import contextlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from alphadiamond.base.game import Shape
from alphadiamond.network import orbits
from alphadiamond.network.config import ModelConfig
from alphadiamond.network.encoding import inputs_of
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.model import LayeredModel, Layers, Outputs, Shared
from alphadiamond.network.orbit_basis import gradient
from alphadiamond.network.orbit_basis.basis import Bases, bases_of
from alphadiamond.network.orbits import Orbits, orbits_of


class OrbitMatrix(nn.Module):
    """A matrix [rows x inner, columns x outer] of blocks [inner, outer], one for each orbit of (row, column)."""

    index: Tensor

    def __init__(self, table: npt.NDArray[np.int64], inner: int, outer: int, *, fan_in: int, gain: float = 1.0) -> None:
        super().__init__()
        self.shape = (*table.shape, inner, outer)
        self.register_buffer("index", torch.from_numpy(table.reshape(-1).copy()), persistent=False)
        self.weight = nn.Parameter(torch.randn(orbits.count(table), inner, outer) * gain / fan_in**0.5)

    def forward(self) -> Tensor:
        rows, columns, inner, outer = self.shape
        blocks = self.weight.index_select(0, self.index).view(self.shape)
        return blocks.permute(0, 2, 1, 3).reshape(rows * inner, columns * outer)


class OrbitBias(nn.Module):
    """A vector [elements x channels] with one value for each orbit and channel."""

    index: Tensor

    def __init__(self, table: npt.NDArray[np.int64], channels: int) -> None:
        super().__init__()
        self.register_buffer("index", torch.from_numpy(table.copy()), persistent=False)
        self.weight = nn.Parameter(torch.zeros(orbits.count(table), channels))

    def forward(self) -> Tensor:
        return self.weight.index_select(0, self.index).reshape(-1)


class OrbitBlock(nn.Module):
    def __init__(self, tables: Orbits, width: int, *, gain: float) -> None:
        super().__init__()
        fan_in = len(tables.nodes) * width
        self.first = OrbitMatrix(tables.pairs, width, width, fan_in=fan_in, gain=2**0.5)
        self.bias = OrbitBias(tables.nodes, width)
        self.second = OrbitMatrix(tables.pairs, width, width, fan_in=fan_in, gain=gain)


class OrbitModel(LayeredModel):
    equivariant = True

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        tables = orbits_of(shape)
        width, units = config.width, shape.nodes * config.width
        nodes = tables.nodes[None, :]  # pairs of "the whole board" with a node
        self.add_module("beads", OrbitMatrix(tables.pairs, shape.planes, width, fan_in=shape.nodes))
        self.globals = OrbitMatrix(nodes, shape.globals, width, fan_in=max(1, shape.globals))
        self.bias = OrbitBias(tables.nodes, width)
        self.blocks = nn.ModuleList(OrbitBlock(tables, width, gain=config.blocks**-0.5) for _ in range(config.blocks))
        self.policy = OrbitHead(tables.action_nodes.T, tables.actions, width, units)
        self.value_hidden = OrbitMatrix(nodes.T, width, config.value_width, fan_in=orbits.count(nodes) * width)
        self.value_bias = nn.Parameter(torch.zeros(config.value_width))
        self.value = nn.Linear(config.value_width, OUTCOMES)
        nn.init.normal_(self.value.weight, std=0.1 / config.value_width**0.5)
        nn.init.zeros_(self.value.bias)
        self.reply = OrbitHead(tables.action_nodes.T, tables.actions, width, units) if config.reply else None
        self.survival = OrbitHead(tables.pairs, tables.nodes, width, units) if config.survival else None
        sizes = np.bincount(tables.nodes)[tables.nodes]
        share = torch.from_numpy(1.0 / sizes).float().repeat_interleave(width)[:, None]
        self.register_buffer("share", share, persistent=False)  # turns sums over a node orbit into means

    @property
    def planes(self) -> OrbitMatrix:
        """What a node is told by the features of every node; checkpoints have it under the name `beads`."""
        found = self.get_submodule("beads")
        assert isinstance(found, OrbitMatrix)
        return found

    share: Tensor
    _laid_out: "gradient.LaidOut | None" = None
    """The weights as the parts of a batch need them, while they are shared."""

    def layers(self) -> Layers:
        # Inputs come plane by plane.
        planes = self.planes().view(self.shape.nodes, self.shape.planes, -1).transpose(0, 1).flatten(0, 1)
        policy, policy_bias = self.policy.matrix()
        return Layers(
            (torch.cat([planes, self.globals()]), self.bias()),
            [(block.first(), block.bias(), block.second()) for block in self.blocks],  # type: ignore[operator]
            (torch.cat([policy, self.value_hidden() * self.share], dim=1), torch.cat([policy_bias, self.value_bias])),
            (self.value.weight.T, self.value.bias),
        )

    def forward(self, features: Tensor) -> Outputs:
        """In the symmetry's own basis where that is known and faster, otherwise as dense matrices."""
        plain = features.device.type == "cpu" and features.dtype == torch.float32 and len(features) > 0
        if not plain or (bases := self._bases()) is None:
            return super().forward(features)
        return Outputs(*gradient.outputs(self, bases, inputs_of(features, self.shape), self._laid_out))

    @contextlib.contextmanager
    def shared(self) -> Iterator[Shared]:
        bases = self._bases()
        if bases is None:
            with super().shared() as plain:
                yield plain
            return
        self._laid_out = laid_out = gradient.LaidOut(self, bases)
        try:
            yield laid_out
        finally:
            self._laid_out = None
            laid_out.give_back()

    def _bases(self) -> Bases | None:
        """The symmetry's own basis, unless it is not known, or has no place for the heads."""
        return bases_of(self.shape) if self.reply is None and self.survival is None else None

    def auxiliary(self, x: Tensor) -> dict[str, Tensor]:
        heads = {"reply": self.reply, "survival": self.survival}
        return {name: head(x) for name, head in heads.items() if head is not None}


class OrbitHead(nn.Module):
    """Logits of the actions or the nodes, by the orbit of each together with a node: `table` [nodes, logits], and by
    its own, `own` [logits]."""

    def __init__(self, table: npt.NDArray[np.int64], own: npt.NDArray[np.int64], width: int, units: int) -> None:
        super().__init__()
        self.weights = OrbitMatrix(table, width, 1, fan_in=units, gain=0.1)
        self.bias = OrbitBias(own, 1)

    def matrix(self) -> tuple[Tensor, Tensor]:
        return self.weights(), self.bias()

    def forward(self, x: Tensor) -> Tensor:
        weights, bias = self.matrix()
        return torch.addmm(bias, x, weights)
