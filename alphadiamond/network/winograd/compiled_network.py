"""The convolutional network for play on a CPU: from inputs to logits in one compiled call."""

import copy
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch

from alphadiamond.network.conv import BoardConvModel, ConvModel
from alphadiamond.network.encoding import features_of
from alphadiamond.network.kernels import OUTCOMES, Floats
from alphadiamond.network.orbit_basis.vector_intrinsics import LANES, ROWS
from alphadiamond.network.winograd import kernels
from alphadiamond.network.winograd.kernels import HEAD_HEIGHT, Heads, Trunk
from alphadiamond.network.winograd.tiles import lengths, packed


def can_compile(model: ConvModel) -> bool:
    """Whether its board can be cut into tiles; one with a side of 1, 2 or 5 cells cannot."""
    return all(lengths(cells) is not None for cells in model.grid)


class CompiledConv:
    """A copy of a model's weights that serves one thread."""

    def __init__(self, model: ConvModel) -> None:
        rows, columns = model.grid
        channels = model.config.width
        self._trunk = _trunk(model)
        self._model = copy.deepcopy(model).eval().requires_grad_(False)
        self._heads = _heads(model) if isinstance(model, BoardConvModel) else None
        cells = (rows + 2) * (columns + 2)
        recalls = self._trunk.recalls
        self._boards = _aligned(np.zeros(cells * ((2 + recalls) * channels + self._trunk.features) * LANES))
        most = 36 * (2 * max(channels, self._trunk.features) + 1) * LANES
        self._points, self._products = _aligned(np.zeros(most)), _aligned(np.zeros(most))
        self._out = _aligned(np.zeros((self._heads.outputs + OUTCOMES) * LANES if self._heads else 0))

    def logits(self, inputs: Floats) -> tuple[Floats, Floats]:
        """(policy [B, A], value [B, 3]) of inputs [B, I], legal moves or not."""
        if self._heads is None:
            return self._read(inputs)
        return kernels.logits(self._trunk, self._heads, inputs, self._boards, self._points, self._products, self._out)

    def _read(self, inputs: Floats) -> tuple[Floats, Floats]:
        """The same where the heads are not dense layers over the board, which torch computes then."""
        with torch.inference_mode():
            features = features_of(torch.from_numpy(inputs), self._model.shape)
            outputs = self._model.read(torch.from_numpy(self.boards(inputs)), features)
            return outputs.policy.numpy(), outputs.value.numpy()

    def boards(self, inputs: Floats) -> Floats:
        """[B, C, rows, columns] what the convolutions make of inputs [B, I], for other heads."""
        return kernels.boards_of(self._trunk, inputs, self._boards, self._points, self._products)


def _trunk(model: ConvModel) -> Trunk:
    (rows, columns), shape = model.grid, model.shape
    channels, features = model.config.width, shape.planes + shape.globals
    down, across = lengths(rows) or [], lengths(columns) or []
    sizes = sorted({(m, n) for m in down for n in across})
    enter = np.zeros((channels, features, 3, 3))
    enter[:, model.seen] = _array(model.enter.weight)  # what the model does not look at counts for nothing
    layers = [enter, *(_array(layer.weight) for layer in model.recall)]  # type: ignore[arg-type]
    biases = [_array(model.enter.bias)]
    for block in model.blocks:
        layers += [_array(block.first.weight), _array(block.second.weight)]  # type: ignore[union-attr, arg-type]
        biases.append(_array(block.first.bias))  # type: ignore[union-attr, arg-type]
    height = next(height for height in ROWS if channels % height == 0)
    parts, places, at = [], [], 0
    for layer in layers:
        row = []
        for m, n in sizes:
            parts.append(packed(layer, m, n, height))
            row.append(at)
            at += parts[-1].size
        places.append(row)
    return Trunk(
        rows=rows,
        columns=columns,
        features=features,
        planes=shape.planes,
        channels=channels,
        tiles=np.array(list(_pairs(down, across, columns + 2, sizes)), dtype=np.int64),
        weights=_aligned(np.concatenate(parts)),
        places=np.array(places, dtype=np.int64),
        heights=np.full(len(layers), height, dtype=np.int64),
        biases=_aligned(np.concatenate(biases)),
        blocks=len(model.blocks),
        recalls=len(model.recall),
        repeats=model.config.repeats,
    )


def _pairs(down: list[int], across: list[int], line: int, sizes: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Tiles of one size two by two, so that a weight that is loaded serves both."""
    corners: dict[tuple[int, int], list[int]] = {size: [] for size in sizes}
    row = 0
    for m in down:
        column = 0
        for n in across:
            corners[m, n].append(row * line + column)
            column += n
        row += m
    for number, size in enumerate(sizes):
        places = corners[size]
        for k in range(0, len(places), 2):
            pair = places[k : k + 2]
            yield *size, len(pair), pair[0], pair[-1], number


def _heads(model: BoardConvModel) -> Heads:
    (rows, columns), channels = model.grid, model.config.width
    actions, hidden = model.shape.actions, model.config.value_width
    dense = np.concatenate([_array(model.policy.weight), _array(model.value_hidden.weight)])
    outputs = -(-len(dense) // HEAD_HEIGHT) * HEAD_HEIGHT
    full = np.zeros((outputs, rows, columns * channels))
    full[: len(dense)] = dense.reshape(len(dense), rows, columns * channels)
    blocks = full.reshape(outputs // HEAD_HEIGHT, HEAD_HEIGHT, rows, columns * channels)
    return Heads(
        weights=_aligned(blocks.transpose(2, 0, 3, 1)),
        biases=_aligned(np.concatenate([_array(model.policy.bias), _array(model.value_hidden.bias)])),
        outputs=outputs,
        actions=actions,
        hidden=hidden,
        value_weights=_aligned(_array(model.value.weight)),
        value_bias=_aligned(_array(model.value.bias)),
    )


def _array(values: torch.Tensor | None) -> npt.NDArray[np.float64]:
    assert values is not None
    array: npt.NDArray[np.float64] = values.detach().cpu().double().numpy()
    return array


def _aligned(values: npt.NDArray[np.float64]) -> Floats:
    """A copy that begins at a cache line."""
    room = np.empty(values.size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // 4
    aligned = room[start : start + values.size]
    aligned[:] = values.reshape(-1)
    return aligned
