"""Make the page that needs no server: a folder of static files with games, networks and search for any browser."""

from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings import setting
from alphadiamond.settings.places import OUTPUT_DIRECTORY


@dataclass
class SiteSettings:
    output: str = setting("site", OUTPUT_DIRECTORY)
    """The folder to make: new, empty, or a site that was made before, which is replaced."""


def main(settings: SiteSettings) -> None:
    from alphadiamond.site.command import run

    run(Path(settings.output))


if __name__ == "__main__":
    cli.run(main, SiteSettings, "site")
