"""Show what a checkpoint, a training run, a file of records or a tablebase holds: `alphadiamond show PATH`."""

from alphadiamond import cli
from alphadiamond.settings.programs import ShowSettings


def main(settings: ShowSettings) -> None:
    from alphadiamond.inspect.main import show

    show(settings)


if __name__ == "__main__":
    cli.name_first("path")
    cli.run(main, ShowSettings, "show")
