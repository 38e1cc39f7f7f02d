"""The message-passing network: each block mixes a node with its neighbours and with the mean of the board."""

import copy

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from alphadiamond.base.game import Shape
from alphadiamond.network import orbits
from alphadiamond.network.config import ModelConfig
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.model import FromInputs, Model, Outputs
from alphadiamond.network.orbit import OrbitHead
from alphadiamond.network.orbits import orbits_of


def _mixing(shape: Shape) -> Tensor:
    """[nodes, nodes] each row takes the mean over a node's neighbours."""
    neighbours = np.zeros((shape.nodes, shape.nodes), dtype=np.float32)
    first, second = shape.edges.T
    neighbours[first, second] = neighbours[second, first] = 1.0
    return torch.from_numpy(neighbours / np.maximum(neighbours.sum(axis=1, keepdims=True), 1))


class GraphBlock(nn.Module):
    def __init__(self, width: int, *, gain: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(2 * width, width)
        self.pooled = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, width)
        nn.init.normal_(self.second.weight, std=gain / width**0.5)

    def forward(self, x: Tensor, mixing: Tensor) -> Tensor:
        """[B, nodes, C] to the same."""
        h = self.norm(x)
        near = self.first(torch.cat([h, mixing @ h], dim=2))
        change: Tensor = self.second((near + self.pooled(h.mean(dim=1, keepdim=True))).relu())
        return x + change


class EdgeReader(nn.Module):
    """Logits of actions that lead from one node to another, from the states of both."""

    def __init__(self, width: int, ends: npt.NDArray[np.int64]) -> None:
        super().__init__()
        self.source = nn.Linear(width, width)
        self.target = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, 1)
        nn.init.normal_(self.out.weight, std=0.1 / width**0.5)
        self.register_buffer("sources", torch.from_numpy(ends[:, 0].copy()), persistent=False)
        self.register_buffer("targets", torch.from_numpy(ends[:, 1].copy()), persistent=False)

    sources: Tensor
    targets: Tensor

    def forward(self, x: Tensor) -> Tensor:
        ends = self.source(x).index_select(1, self.sources) + self.target(x).index_select(1, self.targets)
        logits: Tensor = self.out(ends.relu())
        return logits.squeeze(2)


class BoardReader(OrbitHead):
    """Logits of other actions from the states of all nodes, by the orbit of an action and a node."""

    def __init__(self, width: int, shape: Shape) -> None:
        tables = orbits_of(shape)
        super().__init__(tables.action_nodes.T, tables.actions, width, shape.nodes * width)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x.flatten(1))


def _reader(width: int, shape: Shape) -> nn.Module:
    return BoardReader(width, shape) if shape.action_nodes is None else EdgeReader(width, shape.action_nodes)


class GraphModel(Model):
    equivariant = True

    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        width, nodes = config.width, orbits_of(shape).nodes
        self.enter = nn.Linear(shape.planes + shape.globals, width)
        self.place = nn.Parameter(torch.randn(orbits.count(nodes), width) * 0.1)
        self.blocks = nn.ModuleList(GraphBlock(width, gain=config.blocks**-0.5) for _ in range(config.blocks))
        self.norm = nn.LayerNorm(width)
        self.policy = _reader(width, shape)
        self.value_hidden = nn.Linear(2 * width, config.value_width)
        self.value = nn.Linear(config.value_width, OUTCOMES)
        nn.init.normal_(self.value.weight, std=0.1 / config.value_width**0.5)
        self.reply = _reader(width, shape) if config.reply else None
        self.survival = nn.Linear(width, 1) if config.survival else None
        self.register_buffer("mixing", _mixing(shape), persistent=False)
        self.register_buffer("orbit", torch.from_numpy(nodes.copy()), persistent=False)

    mixing: Tensor
    orbit: Tensor

    def forward(self, features: Tensor) -> Outputs:
        x = self.enter(features) + self.place.index_select(0, self.orbit)
        for block in self.blocks:
            x = block(x, self.mixing)
        x = self.norm(x)
        pooled = torch.cat([x.mean(dim=1), x.amax(dim=1)], dim=1)
        auxiliary = {}
        if self.reply is not None:
            auxiliary["reply"] = self.reply(x)
        if self.survival is not None:
            auxiliary["survival"] = self.survival(x).squeeze(2)
        return Outputs(self.policy(x), self.value(self.value_hidden(pooled).relu()), auxiliary)

    def frozen(self) -> nn.Module:
        return FromInputs(copy.deepcopy(self)).eval().requires_grad_(False)
