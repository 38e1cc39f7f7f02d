"""Make the page that needs no server: a folder of static files with games, networks and search for any browser."""

from alphadiamond import cli
from alphadiamond.settings.programs import SiteSettings


def main(settings: SiteSettings) -> None:
    from alphadiamond.site.command import run

    run(settings)


if __name__ == "__main__":
    cli.run(main, SiteSettings, "site")
