"""The exported graph says what the model says."""

from pathlib import Path

import numpy as np
import pytest
import torch

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import encode, export_onnx
from tests.network.states import KINDS, random_states, sharpened


@pytest.mark.parametrize("kind", KINDS)
def test_the_onnx_graph_agrees_for_every_batch_size(kind: str, tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    path, model = tmp_path / "net.onnx", sharpened(kind)
    export_onnx(model, path)
    assert [file.name for file in tmp_path.iterdir()] == ["net.onnx"]  # the weights are inside
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for size in (1, 2, 3, 64, 129):
        features = encode(random_states(size, seed=size), game=GAME)
        with torch.no_grad():
            outputs = model(torch.from_numpy(features))
        policy, value = session.run(["policy", "value"], {"features": features})
        np.testing.assert_allclose(policy, outputs.policy.numpy(), rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(value, outputs.value.numpy(), rtol=1e-3, atol=1e-3)
