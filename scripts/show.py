"""Show what a checkpoint, a training run, a file of records or a tablebase holds: `alphadiamond show PATH`."""

from alphadiamond import cli
from alphadiamond.inspect import ShowSettings, show

if __name__ == "__main__":
    cli.name_bare("path")
    cli.run(show, ShowSettings, "show")
