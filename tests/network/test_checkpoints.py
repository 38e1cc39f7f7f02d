"""Checkpoints: what was saved comes back, and every kind of damage is named."""

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from safetensors import safe_open

from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.network import (
    CheckpointError,
    Evaluator,
    ModelConfig,
    build_model,
    load_checkpoint,
    read_metadata,
    save_checkpoint,
)
from alphadiamond.network.checkpoints import weights_digest
from tests.network.states import KINDS, SMALL, random_states, sharpened

Tensors = dict[str, torch.Tensor]
Text = dict[str, str]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, sharpened("orbit"), step=7)
    return path


def rewrite(path: Path, change: Callable[[Tensors, Text], Any], *, sign: bool = True) -> None:
    """Write the file anew after a change, with a right checksum unless told otherwise."""
    with safe_open(path, framework="pt") as file:
        text = dict(file.metadata())
    tensors = safetensors.torch.load_file(path)
    change(tensors, text)
    if sign:
        text["sha256"] = weights_digest(tensors)
    safetensors.torch.save_file(tensors, path, metadata=text)


def refused(path: Path) -> str:
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_comes_back_as_it_was(kind: str, tmp_path: Path) -> None:
    path, model, states = tmp_path / "deep" / "net.safetensors", sharpened(kind), random_states(10)
    extra = {"run": "first", "rating": 12.5, "parts": [1, 2]}
    written = save_checkpoint(path, model, step=1234, extra=extra)
    checkpoint = load_checkpoint(path)
    assert checkpoint.metadata == written == read_metadata(path)
    assert checkpoint.metadata.config == checkpoint.model.config == SMALL[kind]
    assert (checkpoint.metadata.step, checkpoint.metadata.extra) == (1234, extra)
    for name, tensor in model.state_dict().items():
        assert torch.equal(checkpoint.model.state_dict()[name], tensor)
    before, after = (Evaluator(one, device="cpu")(states) for one in (model, checkpoint.model))
    assert (before[0] == after[0]).all()
    assert [path.name for path in path.parent.iterdir()] == [path.name]


def test_the_checksum_is_of_the_weights_alone(saved: Path) -> None:
    first = read_metadata(saved).sha256
    assert save_checkpoint(saved, sharpened("orbit"), step=8, extra={"other": True}).sha256 == first
    assert save_checkpoint(saved, sharpened("orbit", seed=1), step=7).sha256 != first


def test_loading_draws_no_random_numbers(saved: Path) -> None:
    torch.manual_seed(1)
    expected = torch.rand(2)
    torch.manual_seed(1)
    load_checkpoint(saved)
    assert torch.equal(torch.rand(2), expected)


def test_weights_that_are_not_finite_are_not_written_over_good_ones(saved: Path) -> None:
    before, model = saved.read_bytes(), sharpened("orbit")
    with torch.no_grad():
        next(model.parameters()).view(-1)[0] = torch.nan
    with pytest.raises(CheckpointError, match=r"not written, .* not finite"):
        save_checkpoint(saved, model)
    assert saved.read_bytes() == before


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.safetensors") == "no such checkpoint"


def test_a_directory_stands_for_the_champion_in_it(tmp_path: Path, saved: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert "no champion.safetensors in this directory" in refused(run)
    shutil.copy(saved, run / "champion.safetensors")
    assert read_metadata(run) == read_metadata(saved)
    assert load_checkpoint(run).metadata == read_metadata(saved)


@pytest.mark.parametrize("keep", [0, 5, 8, 60, 0.5, -1])
def test_a_file_cut_short_is_called_that(saved: Path, keep: float) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    assert "cut short" in refused(saved)


@pytest.mark.parametrize("data", [b"PK\x03\x04" * 100, b"\x80\x02}q\x00." * 50, bytes(64), b"hello, world" * 9])
def test_another_kind_of_file_is_called_that(saved: Path, data: bytes) -> None:
    saved.write_bytes(data)
    assert "no safetensors file" in refused(saved)


def test_a_header_of_nonsense_is_called_that(saved: Path) -> None:
    data = saved.read_bytes()
    for text in (b"[1, 2]", b'{"a": 3}', b'{"a": {"data_offsets": "x"}}', b"{" * 5000, b'{"a":' * 5000):
        saved.write_bytes(len(text).to_bytes(8, "little") + text + data[-10:])
        assert "no safetensors file" in refused(saved)


def test_bytes_after_the_end_are_noticed(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes() + b"more")
    assert refused(saved) == "damaged, 4 bytes follow the end of the weights"


def test_a_safetensors_file_of_someone_else_is_called_that(saved: Path) -> None:
    safetensors.torch.save_file({"x": torch.zeros(3)}, saved)
    assert refused(saved).startswith("no AlphaDiamond checkpoint, its format is None")


def test_another_format_is_named(saved: Path) -> None:
    rewrite(saved, lambda _, text: text.update(format="alphadiamond-checkpoint-9"))
    assert "its format is 'alphadiamond-checkpoint-9' and not 'alphadiamond-checkpoint-1'" in refused(saved)


@pytest.mark.parametrize("what", ["rules", "encoding"])
def test_another_version_is_named(saved: Path, what: str) -> None:
    rewrite(saved, lambda _, text: text.update({what: "99"}))
    assert refused(saved) == f"made for version 99 of the {what}, and this is version 1"
    with pytest.raises(CheckpointError, match="version 99"):
        read_metadata(saved)


def with_config(**changes: Any) -> Callable[[Tensors, Text], None]:
    def change(_: Tensors, text: Text) -> None:
        text["model"] = json.dumps(json.loads(text["model"]) | changes)

    return change


def test_an_unknown_kind_of_model_is_named(saved: Path) -> None:
    rewrite(saved, with_config(kind="transformer"))
    assert refused(saved) == "model: kind=transformer: expected orbit, graph, mlp or conv"


def test_a_configuration_that_cannot_be_is_named(saved: Path) -> None:
    rewrite(saved, with_config(width=-4))
    assert "model: width=-4: expected 1 to 4,096" in refused(saved)
    rewrite(saved, with_config(width="wide"))
    assert "width=wide: expected a whole number, 1 to 4,096" in refused(saved)
    rewrite(saved, with_config(width=4, towers=3))
    assert refused(saved) == "the model's configuration has unknown keys: towers"
    rewrite(saved, lambda _, text: text.update(model="{"))
    assert refused(saved) == "damaged, the model's configuration cannot be read"


def test_a_configuration_that_asks_for_more_than_the_file_holds_is_refused_before_it_is_built(saved: Path) -> None:
    rewrite(saved, with_config(width=4096, blocks=4096))
    assert refused(saved) == "the weights are too few for the model's configuration"


def test_metadata_that_are_missing_or_damaged_are_named(saved: Path) -> None:
    before = saved.read_bytes()
    changes: list[Callable[[Tensors, Text], Any]] = [
        lambda _, text: text.pop("step"),
        lambda _, text: text.update(step="many"),
        lambda _, text: text.update(extra="[1"),
        lambda _, text: text.update(extra="[1]"),
    ]
    for change in changes:
        saved.write_bytes(before)
        rewrite(saved, change)
        assert refused(saved) == "damaged, step, sha256 or extra is missing or cannot be read"


def test_one_flipped_bit_anywhere_in_the_weights_is_noticed(saved: Path) -> None:
    data = saved.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    for place in (begin, (begin + len(data)) // 2, len(data) - 1):
        saved.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert refused(saved) == "damaged, the weights do not have the SHA-256 that was written with them"


def test_a_missing_tensor_is_named(saved: Path) -> None:
    rewrite(saved, lambda tensors, _: tensors.pop("value.bias"))
    assert refused(saved) == "tensors of the model are missing: value.bias"


def test_an_extra_tensor_is_named(saved: Path) -> None:
    rewrite(saved, lambda tensors, _: tensors.update(a=torch.zeros(1), b=torch.zeros(1)))
    assert refused(saved) == "tensors unknown to the model: a, b"


def test_a_tensor_of_another_shape_or_type_is_named(saved: Path) -> None:
    before = saved.read_bytes()
    rewrite(saved, lambda tensors, _: tensors.update({"value.bias": torch.zeros(4)}))
    assert refused(saved) == "tensor value.bias is float32 [4], and the model's is float32 [3]"
    saved.write_bytes(before)
    rewrite(saved, lambda tensors, _: tensors.update({"value.bias": torch.zeros(3).half()}))
    assert refused(saved) == "tensor value.bias is float16 [3], and the model's is float32 [3]"


def test_weights_that_are_not_finite_are_named(saved: Path) -> None:
    rewrite(saved, lambda tensors, _: tensors["value.bias"].fill_(torch.inf))
    assert refused(saved) == "tensor value.bias holds values that are not finite"


def test_the_metadata_of_a_configuration_hold_every_field_of_it(saved: Path) -> None:
    with safe_open(saved, framework="pt") as file:
        stored = json.loads(file.metadata()["model"])
    assert stored == dataclasses.asdict(SMALL["orbit"])
    assert ModelConfig(**stored) == SMALL["orbit"]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_a_checkpoint_from_a_gpu_loads_on_the_cpu_and_the_other_way_round(tmp_path: Path) -> None:
    model = build_model(SMALL["orbit"], seed=1, game=GAME).cuda()
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, model)
    assert next(load_checkpoint(path).model.parameters()).device.type == "cpu"
    assert next(load_checkpoint(path, device="cuda").model.parameters()).device.type == "cuda"
