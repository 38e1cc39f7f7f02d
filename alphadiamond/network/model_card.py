"""A network's page as its model card: kept in the checkpoint's own metadata, and laid out as model hubs expect it."""

import dataclasses
import json
import re
import shutil
from pathlib import Path
from typing import Final

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.files import replacing, write_json, write_text
from alphadiamond.games import load
from alphadiamond.network.headers import LENGTH_BYTES, find_checkpoint, read_header, read_metadata

CARD: Final = "card"
"""The key of the card in the metadata of a safetensors file."""
_FRONT: Final = """---
license: mit
library_name: alphadiamond
pipeline_tag: reinforcement-learning
tags: [alphazero, self-play, board-game, {game}]
---
"""
"""What hubs read of a card before its text."""


def read_card(checkpoint: Path) -> str:
    """The card that a checkpoint carries; empty for none."""
    card = read_header(find_checkpoint(checkpoint))["__metadata__"].get(CARD, "")
    assert isinstance(card, str)
    return card


def write_card(checkpoint: Path, card: str, target: Path | None = None) -> None:
    """Write a checkpoint, in place or elsewhere, with a card in its metadata; its weights stay as they are."""
    source = find_checkpoint(checkpoint)
    read_metadata(source)  # refuses what is none of ours
    header = read_header(source)
    weights = source.read_bytes()
    weights = weights[LENGTH_BYTES + int.from_bytes(weights[:LENGTH_BYTES], "little") :]
    header["__metadata__"][CARD] = card
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 8)  # the weights begin at a multiple of eight bytes
    with replacing(target or source) as file:
        file.write(len(written).to_bytes(LENGTH_BYTES, "little") + written + weights)


def lay_out(checkpoint: Path, card: str, pictures: Path, output: Path) -> list[str]:
    """Write the folder that model hubs expect: the card and its pictures, the weights, the model's configuration.

    Returns the names of its files. Links to other pages become their text.
    """
    metadata = read_metadata(checkpoint)
    game = load(metadata.game)
    output.mkdir(parents=True, exist_ok=True)
    shown = [pictures / place for place in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", card)]
    if missing := next((picture for picture in shown if not picture.is_file()), None):
        raise AlphaDiamondError(f"{missing}: the card shows this picture, and it is not there")
    for picture in shown:
        shutil.copy(picture, output / picture.name)
    page = re.sub(r"(!\[[^\]]*\])\((?:[^)]*/)?([^)/]+)\)", r"\1(\2)", card)
    page = re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", page)
    write_text(output / "README.md", _FRONT.format(game=game.name.replace("_", "-")) + page)
    write_card(checkpoint, card, output / "model.safetensors")
    configuration = {
        "library": "alphadiamond",
        "game": game.name,
        "rules_version": game.rules_version,
        "encoding_version": game.encoding_version,
        "step": metadata.step,
        "sha256": metadata.sha256,
        "model": dataclasses.asdict(metadata.config),
    }
    write_json(output / "config.json", configuration)
    return ["README.md", "model.safetensors", "config.json", *(picture.name for picture in shown)]
