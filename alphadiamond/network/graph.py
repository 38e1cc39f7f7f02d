"""The message-passing network: each block mixes a node with its neighbours and with the mean of the board."""

import copy

import numpy as np
import torch
from torch import Tensor, nn

from alphadiamond.games.diamond_chase.board import ADJACENT, NODES, SOURCES, TARGETS
from alphadiamond.network import orbits
from alphadiamond.network.config import ModelConfig
from alphadiamond.network.encoding import FEATURES
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.model import FromInputs, Model, Outputs


def _mixing() -> Tensor:
    """[21, 21] each row takes the mean over a node's neighbours."""
    neighbours = (ADJACENT[:, None] >> np.arange(NODES) & 1).astype(np.float32)
    return torch.from_numpy(neighbours / neighbours.sum(axis=1, keepdims=True))


class GraphBlock(nn.Module):
    def __init__(self, width: int, *, gain: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(2 * width, width)
        self.pooled = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, width)
        nn.init.normal_(self.second.weight, std=gain / width**0.5)

    def forward(self, x: Tensor, mixing: Tensor) -> Tensor:
        """[B, 21, C] to the same."""
        h = self.norm(x)
        near = self.first(torch.cat([h, mixing @ h], dim=2))
        change: Tensor = self.second((near + self.pooled(h.mean(dim=1, keepdim=True))).relu())
        return x + change


class EdgeReader(nn.Module):
    """Logits of the 72 directed edges from the states of their ends."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.source = nn.Linear(width, width)
        self.target = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, 1)
        nn.init.normal_(self.out.weight, std=0.1 / width**0.5)
        self.register_buffer("sources", torch.from_numpy(SOURCES.copy()), persistent=False)
        self.register_buffer("targets", torch.from_numpy(TARGETS.copy()), persistent=False)

    sources: Tensor
    targets: Tensor

    def forward(self, x: Tensor) -> Tensor:
        ends = self.source(x).index_select(1, self.sources) + self.target(x).index_select(1, self.targets)
        logits: Tensor = self.out(ends.relu())
        return logits.squeeze(2)


class GraphModel(Model):
    equivariant = True

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        width = config.width
        self.enter = nn.Linear(FEATURES, width)
        self.place = nn.Parameter(torch.randn(orbits.count(orbits.NODE_ORBITS), width) * 0.1)
        self.blocks = nn.ModuleList(GraphBlock(width, gain=config.blocks**-0.5) for _ in range(config.blocks))
        self.norm = nn.LayerNorm(width)
        self.policy = EdgeReader(width)
        self.value_hidden = nn.Linear(2 * width, config.value_width)
        self.value = nn.Linear(config.value_width, OUTCOMES)
        nn.init.normal_(self.value.weight, std=0.1 / config.value_width**0.5)
        self.reply = EdgeReader(width) if config.reply else None
        self.survival = nn.Linear(width, 1) if config.survival else None
        self.register_buffer("mixing", _mixing(), persistent=False)
        self.register_buffer("orbit", torch.from_numpy(orbits.NODE_ORBITS.copy()), persistent=False)

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
