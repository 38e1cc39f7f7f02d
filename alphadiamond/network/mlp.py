"""The yardstick: a residual MLP that knows nothing of the board."""

import torch
from torch import Tensor, nn

from alphadiamond.base.game import Shape
from alphadiamond.network.config import ModelConfig
from alphadiamond.network.kernels import OUTCOMES
from alphadiamond.network.model import LayeredModel, Layers


def linear(inner: int, outer: int, *, gain: float, bias: bool = True) -> nn.Linear:
    layer = nn.Linear(inner, outer, bias=bias)
    nn.init.normal_(layer.weight, std=gain / inner**0.5)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


class MlpBlock(nn.Module):
    def __init__(self, width: int, *, gain: float) -> None:
        super().__init__()
        self.first = linear(width, width, gain=2**0.5)
        self.second = linear(width, width, gain=gain, bias=False)


class MlpModel(LayeredModel):
    def __init__(self, config: ModelConfig, shape: Shape) -> None:
        super().__init__(config, shape)
        width = config.width
        self.enter = linear(shape.inputs, width, gain=1.0)
        self.blocks = nn.ModuleList(MlpBlock(width, gain=config.blocks**-0.5) for _ in range(config.blocks))
        self.policy = linear(width, shape.actions, gain=0.1)
        self.value_hidden = linear(width, config.value_width, gain=2**0.5)
        self.value = linear(config.value_width, OUTCOMES, gain=0.1)
        self.reply = linear(width, shape.actions, gain=0.1) if config.reply else None
        self.survival = linear(width, shape.nodes, gain=0.1) if config.survival else None

    def layers(self) -> Layers:
        return Layers(
            (self.enter.weight.T, self.enter.bias),
            [(block.first.weight.T, block.first.bias, block.second.weight.T) for block in self.blocks],  # type: ignore[union-attr,misc]
            (
                torch.cat([self.policy.weight, self.value_hidden.weight]).T,
                torch.cat([self.policy.bias, self.value_hidden.bias]),
            ),
            (self.value.weight.T, self.value.bias),
        )

    def auxiliary(self, x: Tensor) -> dict[str, Tensor]:
        heads = {"reply": self.reply, "survival": self.survival}
        return {name: head(x) for name, head in heads.items() if head is not None}
