"""States for the tests of the network."""

import numpy as np
import numpy.typing as npt
import torch

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.kernels import QUIET_LIMIT
from alphadiamond.network import Model, ModelConfig, build_model
from tests.games.diamond_chase.samples import random_masks

SMALL = {
    "orbit": ModelConfig("orbit", width=4, blocks=2, value_width=8, reply=True, survival=True),
    "graph": ModelConfig("graph", width=8, blocks=2, value_width=8, reply=True, survival=True),
    "mlp": ModelConfig("mlp", width=32, blocks=2, value_width=8, reply=True, survival=True),
}
KINDS = list(SMALL)


def random_states(count: int, seed: int = 0) -> npt.NDArray[np.int64]:
    """[B, 4] positions that can occur, with every kind of history."""
    rng = np.random.default_rng(seed)
    states = np.empty((count, 4), dtype=np.int64)
    for row in states:
        row[:2] = random_masks(rng, *(int(beads) for beads in rng.integers(4, 7, size=2)))
        row[2:] = rng.integers(QUIET_LIMIT), rng.integers(1, 3)
    return states


def sharpened(kind: str, seed: int = 0) -> Model:
    """A model whose last layers say something: new ones start near zero, where tests would compare noise."""
    model = build_model(SMALL[kind], seed=seed, game=GAME)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn(parameter.shape, generator=generator)
    return model
