"""Cards within checkpoints, and the folder that hubs expect."""

import json
import re
from pathlib import Path

import pytest
import yaml

from alphadiamond.network import CheckpointError, load_checkpoint
from alphadiamond.network.model_card import lay_out, read_card, write_card
from alphadiamond.resources import CHECKPOINTS
from tests.commands import answers

SHIPPED = sorted(path.parent.name for path in CHECKPOINTS.glob("*/champion.safetensors"))
DAME = CHECKPOINTS / "dame" / "champion.safetensors"


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shipped_network_carries_its_page(game: str) -> None:
    page = (CHECKPOINTS / game / "README.md").read_text(encoding="utf-8")
    carried = read_card(CHECKPOINTS / game / "champion.safetensors")
    assert carried == page, f"`alphadiamond hub-folder game={game} embed=true` writes the page into the network's file"


@pytest.mark.parametrize("game", SHIPPED)
def test_a_page_says_what_a_model_card_has_to(game: str) -> None:
    page = (CHECKPOINTS / game / "README.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert {"Use", "Data", "Results", "Limits", "Licence"} <= set(headings)
    assert "from seed 1" in page


def test_a_card_leaves_the_weights_as_they_are(tmp_path: Path) -> None:
    target = tmp_path / "network.safetensors"
    write_card(DAME, "# A card\n\nwith ümlauts", target)
    assert read_card(target) == "# A card\n\nwith ümlauts"
    before, after = load_checkpoint(DAME), load_checkpoint(target)  # checks the SHA-256 of the weights
    assert after.metadata == before.metadata
    write_card(target, "")
    assert read_card(target) == ""


def test_what_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.safetensors"
    other.write_bytes(b"nothing of the kind")
    with pytest.raises(CheckpointError, match="no safetensors file"):
        write_card(other, "a card")
    assert other.read_bytes() == b"nothing of the kind"


def test_the_folder_has_what_hubs_read_and_shows_no_broken_link(tmp_path: Path) -> None:
    card = (DAME.parent / "README.md").read_text(encoding="utf-8")
    names = lay_out(DAME, card, DAME.parent, tmp_path)
    assert sorted(names) == sorted(path.name for path in tmp_path.iterdir())
    _, front, text = (tmp_path / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    assert yaml.safe_load(front)["license"] == "mit"
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links == ["dame-curves.png"]
    assert all((tmp_path / link).is_file() for link in links)
    network = load_checkpoint(tmp_path / "model.safetensors")
    assert json.loads((tmp_path / "config.json").read_text())["sha256"] == network.metadata.sha256
    assert read_card(tmp_path / "model.safetensors") == card


def test_the_command_names_what_is_missing(tmp_path: Path) -> None:
    bare = tmp_path / "bare.safetensors"
    write_card(DAME, "", bare)
    one, other = answers(
        "hub_folder.py",
        [[f"checkpoint={bare}", f"output={tmp_path / 'hub'}"], [f"checkpoint={DAME}", f"output={tmp_path / 'hub'}"]],
    )
    assert (one.code, one.err) == (
        2,
        f"error: {bare}: has no card: write {tmp_path}/README.md, or name another with card=FILE\n",
    )
    assert other.code == 0, other.err
    assert (tmp_path / "hub" / "model.safetensors").is_file()
