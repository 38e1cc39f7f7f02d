"""Export to ONNX: the network for programs that know no torch."""

import logging
import os
import warnings
from pathlib import Path

import torch

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing
from alphadiamond.games.diamond_chase.board import NODES
from alphadiamond.network.encoding import FEATURES
from alphadiamond.network.model import FromFeatures, Model


def export_onnx(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a graph from `features` [B, 21, 8] to `policy` [B, 72] and `value` [B, 3] logits, for any batch size."""
    try:
        import onnxscript  # noqa: F401  (what torch exports with)
    except ImportError:
        raise AlphaDiamondError("export to ONNX needs more packages: pip install 'alphadiamond[onnx]'") from None
    with torch.no_grad():
        frozen = FromFeatures(model.frozen()).cpu().float().eval()
    noisy = logging.getLogger("torch.onnx")
    level = noisy.level
    noisy.setLevel(logging.ERROR)  # it reports that torchvision, which nothing here needs, is not installed
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(
                frozen,
                (torch.zeros(2, NODES, FEATURES),),
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
