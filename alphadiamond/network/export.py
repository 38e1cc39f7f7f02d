"""Export to ONNX: the network for programs that know no torch."""

import logging
import os
import warnings
from pathlib import Path

import torch

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.network.model import FromFeatures, Model


def export_onnx(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a graph from `features` [B, nodes, features] to `policy` [B, A] and `value` [B, 3] logits, for any B."""
    try:
        import onnxscript  # noqa: F401  (what torch exports with)
    except ImportError:
        raise AlphaDiamondError("export to ONNX needs more packages: pip install '.[onnx]'") from None
    with torch.no_grad():
        frozen = FromFeatures(model.frozen(), model.shape).cpu().float().eval()
    noisy = logging.getLogger("torch.onnx")
    level = noisy.level
    noisy.setLevel(logging.ERROR)  # it reports that torchvision, which nothing here needs, is not installed
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                frozen,
                (torch.zeros(2, model.shape.nodes, model.shape.planes + model.shape.globals),),
                dynamo=True,
                input_names=["features"],
                output_names=["policy", "value"],
                dynamic_shapes={"features": {0: torch.export.Dim("batch")}},
                verbose=False,
            )
    finally:
        noisy.setLevel(level)
    assert program is not None
    with replacing(Path(path)) as file:
        file.write(program.model_proto.SerializeToString())
