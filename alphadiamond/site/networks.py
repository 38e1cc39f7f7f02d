"""Networks as flat arrays for the browser: `site/static/js/engine/network/file.js` reads them.

A file is the length of its header (four bytes, the lowest first), the header as JSON, and the arrays that it lists one
after the other; of floats of 16 bits all lower bytes come first, then all upper ones, which gzip makes more of. Weights
are of the form that runs there: the orbit network as the blocks of the symmetry's own basis where there is one,
otherwise as dense layers; convolutions by tap. What lies in the site is packed: most static hosts send it as it is.
"""

import gzip
import json
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.network.conv import BoardConvModel, ConvModel, PieceConvModel
from alphadiamond.network.model import LayeredModel, Model
from alphadiamond.network.orbit import OrbitModel
from alphadiamond.network.orbit_basis import layout as basis_layout
from alphadiamond.network.orbit_basis.basis import Bases, Basis, bases_of
from alphadiamond.network.orbit_basis.kernels import KINDS, PAIRS

FORMAT: Final = 2
PRECISIONS: Final = ("f32", "f16", "i8")
"""Floats of 32 or 16 bits, or bytes with a scale for each column."""

Floats: TypeAlias = npt.NDArray[np.float32]
Arrays: TypeAlias = dict[str, Floats]
Parts: TypeAlias = tuple[str, dict[str, Any], Arrays]
"""The kind of network, what its header says beside the rest, and its arrays."""


class UnknownNetworkError(AlphaDiamondError, ValueError):
    """A network for which the browser has no code."""


def network_bytes(model: Model, *, precision: str, origin: dict[str, Any]) -> bytes:
    """A network's file; `origin` says where it comes from, for people."""
    shape, config = model.shape, model.config
    with torch.no_grad():
        kind, more, arrays = _parts(model)
    listed = [(name, _type_of(array, precision), array) for name, array in arrays.items()]
    header = {
        "format": FORMAT,
        "game": model.game.name,
        "kind": kind,
        "width": config.width,
        "blocks": config.blocks,
        "planes": shape.planes,
        "globals": shape.globals,
        "inputs": shape.inputs,
        "actions": shape.actions,
        "grid": shape.grid,
        "origin": origin,
        "arrays": [[name, type_, list(array.shape)] for name, type_, array in listed],
        **more,
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + b"".join(_encoded(array, type_) for _, type_, array in listed)


def packed(file: bytes) -> bytes:
    """The same bytes each time."""
    return gzip.compress(file, 9, mtime=0)


def _type_of(array: Floats, precision: str) -> str:
    """Biases are few, and stay as they are where bytes would be too coarse for them."""
    return "f16" if precision == "i8" and array.ndim < 2 else precision


def _encoded(array: Floats, type_: str) -> bytes:
    if type_ == "f32":
        return bytes(array.astype("<f4").tobytes())
    if type_ == "f16":
        return bytes(array.reshape(-1, 1).astype("<f2").view(np.uint8).T.tobytes())
    columns = array.reshape(-1, array.shape[-1])
    scales = np.maximum(np.abs(columns).max(axis=0), 1e-12) / 127
    return bytes(scales.astype("<f4").tobytes() + np.rint(columns / scales).astype(np.int8).tobytes())


def _parts(model: Model) -> Parts:
    bases = bases_of(model.shape)
    if isinstance(model, OrbitModel) and bases is not None:
        return _basis_parts(model, bases)
    if isinstance(model, LayeredModel):
        return _layered_parts(model)
    if isinstance(model, ConvModel) and (model.config.repeats > 1 or not model.config.worked_out):
        raise UnknownNetworkError("the browser knows no convolution that is repeated or does not see all inputs")
    if isinstance(model, BoardConvModel):
        return _conv_parts(model)
    if isinstance(model, PieceConvModel):
        return _piece_parts(model)
    raise UnknownNetworkError(f"the browser knows no network of the kind {model.config.kind}")


def _numpy(tensor: Any) -> Floats:
    found: Floats = tensor.detach().float().numpy()
    return found


def _basis_parts(model: OrbitModel, bases: Bases) -> Parts:
    config = model.config
    layout = basis_layout.layout(bases, config.width, config.blocks, config.value_width)
    entries = basis_layout.entries(model, bases)
    plain = np.empty_like(entries)
    plain[layout.places] = entries
    arrays: Arrays = {}
    for number, (begin, lines) in enumerate(zip(layout.begins, layout.plan, strict=True)):
        at = begin
        for kind, (_, depth, columns, *_) in enumerate(lines):
            size = int(depth * columns)
            if size:
                arrays[f"layer{number}.{kind}"] = plain[at : at + size].reshape(int(depth), int(columns))
            at += size
    last = f"layer{len(layout.begins) - 1}.0"
    arrays["value"] = arrays.pop(last)
    arrays["biases"] = basis_layout.biases(basis_layout.bias_weights(model), bases).reshape(-1)
    arrays["value_bias"] = _numpy(model.value_bias)
    arrays["outcome_bias"] = _numpy(model.value.bias)
    arrays["action_bias"] = _numpy(model.policy.bias())
    order = [node for orbit in bases.node_order for node in orbit]
    return "basis", {"order": order, "action_terms": list(_action_terms(bases.actions))}, arrays


def _action_terms(actions: Basis) -> Iterator[list[tuple[int, int, float]]]:
    """Of each action which functions make up its logit: part (the pairs' second functions are a part of their own),
    number within it, factor."""
    parts = [*actions.vectors, actions.partners]
    assert len(parts) == KINDS + 1
    assert PAIRS == KINDS - 1
    for action in range(actions.partners.shape[1]):
        yield [
            (part, number, round(float(vectors[number, action]), 9))
            for part, vectors in enumerate(parts)
            for number in np.flatnonzero(np.abs(vectors[:, action]) > 1e-9).tolist()
        ]


def _layered_parts(model: LayeredModel) -> Parts:
    layers = model.layers()
    arrays = {"enter": layers.enter[0], "enter_bias": layers.enter[1]}
    for number, (first, bias, second) in enumerate(layers.blocks):
        arrays |= {f"block{number}.first": first, f"block{number}.bias": bias, f"block{number}.second": second}
    arrays |= {"heads": layers.heads[0], "heads_bias": layers.heads[1]}
    arrays |= {"value": layers.value[0], "outcome_bias": layers.value[1]}
    return "layers", {}, {name: _numpy(tensor) for name, tensor in arrays.items()}


def _taps(layer: nn.Conv2d) -> Floats:
    """[9, inner, outer] from torch's [outer, inner, 3, 3]."""
    weight = _numpy(layer.weight)
    return np.ascontiguousarray(weight.transpose(2, 3, 1, 0).reshape(9, weight.shape[1], weight.shape[0]))


def _conv_trunk(model: ConvModel) -> Arrays:
    arrays = {"enter": _taps(model.enter), "enter_bias": _numpy(model.enter.bias)}
    for number, block in enumerate(model.blocks):
        arrays[f"block{number}.first"] = _taps(block.first)  # type: ignore[arg-type]
        arrays[f"block{number}.bias"] = _numpy(block.first.bias)  # type: ignore[union-attr]
        arrays[f"block{number}.second"] = _taps(block.second)  # type: ignore[arg-type]
    return arrays


def _conv_parts(model: BoardConvModel) -> Parts:
    arrays = _conv_trunk(model)
    arrays["heads"] = _numpy(torch.cat([model.policy.weight, model.value_hidden.weight]).T.contiguous())
    arrays["heads_bias"] = _numpy(torch.cat([model.policy.bias, model.value_hidden.bias]))
    arrays["value"] = _numpy(model.value.weight.T.contiguous())
    arrays["outcome_bias"] = _numpy(model.value.bias)
    return "conv", {}, arrays


def _piece_parts(model: PieceConvModel) -> Parts:
    """`near` [9, width, actions] by tap; `heads` [pieces + 2, width, actions + hidden]: pieces, then mean, greatest."""
    arrays = _conv_trunk(model)
    width, pieces = model.config.width, len(model.shape.pieces)
    near = model.near.weight
    arrays["near"] = _numpy(near.view(len(near), width, 9).permute(2, 1, 0).contiguous())
    heads = torch.cat([model.policy.weight, model.value_hidden.weight])
    here, board = heads[:, : pieces * width], heads[:, pieces * width :]
    parts = [here.view(len(heads), width, pieces).permute(2, 1, 0), board.view(len(heads), 2, width).permute(1, 2, 0)]
    arrays["heads"] = _numpy(torch.cat(parts).contiguous())
    arrays["heads_bias"] = _numpy(torch.cat([model.policy.bias + model.near.bias, model.value_hidden.bias]))
    arrays["value"] = _numpy(model.value.weight.T.contiguous())
    arrays["outcome_bias"] = _numpy(model.value.bias)
    return "conv_pieces", {"pieces": list(model.shape.pieces)}, arrays
