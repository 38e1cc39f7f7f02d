"""Show what a checkpoint, a training run, a file of records or a tablebase holds: `python scripts/show.py PATH`."""

from alphadiamond import cli
from alphadiamond.showing.main import ShowSettings, show

if __name__ == "__main__":
    cli.name_first("path")
    cli.run(show, ShowSettings, "show")
