"""Draw how the holes of a network close in training: for snapshots of runs, the positions in which it can be beaten.

For each snapshot `prove` lists what it can be led into; see docs/explanation/proof.md.
"""

from alphadiamond import cli
from alphadiamond.studies.settings import HolesSettings


def main(settings: HolesSettings) -> None:
    from alphadiamond.studies.holes import study

    study(settings)


if __name__ == "__main__":
    cli.run(main, HolesSettings, "picture_holes")
