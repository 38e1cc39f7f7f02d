"""Lay out a network as model hubs expect it: card, weights with the card as metadata, configuration."""

from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings.games import A_GAME, DEFAULT_GAME
from alphadiamond.settings.places import A_FILE, OUTPUT_DIRECTORY
from alphadiamond.settings.ranges import or_empty, setting, text


@dataclass
class HubFolderSettings:
    game: str = setting(DEFAULT_GAME, A_GAME)
    """Whose shipped network."""
    checkpoint: str = setting("", text("a checkpoint, or a run for its champion; empty for the shipped network"))
    """Another network."""
    card: str = setting("", or_empty(A_FILE, "README.md beside the checkpoint, or else the card that it carries"))
    """The model card, as Markdown."""
    embed: bool = False
    """Write the card into the metadata of the checkpoint itself, too; its weights stay as they are."""
    output: str = setting("results/hub", OUTPUT_DIRECTORY)
    """Where the folder goes."""


def main(settings: HubFolderSettings) -> None:
    from alphadiamond.console import print_written
    from alphadiamond.errors import AlphaDiamondError
    from alphadiamond.games import load
    from alphadiamond.network.headers import find_checkpoint, shipped_checkpoint
    from alphadiamond.network.model_card import lay_out, read_card, write_card

    checkpoint = (
        find_checkpoint(settings.checkpoint) if settings.checkpoint else shipped_checkpoint(load(settings.game))
    )
    page = Path(settings.card) if settings.card else checkpoint.parent / "README.md"
    card = page.read_text(encoding="utf-8") if page.is_file() else read_card(checkpoint)
    if not card:
        raise AlphaDiamondError(f"{checkpoint}: has no card: write {page}, or name another with card=FILE")
    if settings.embed:
        write_card(checkpoint, card)
        print_written(checkpoint)
    output = Path(settings.output)
    print_written(output, *lay_out(checkpoint, card, page.parent, output))


if __name__ == "__main__":
    cli.run(main, HubFolderSettings, "hub_folder")
