"""Hold a run's samples against the exact solution: how often does the move that the search recommends keep the value?

By value and by phase (beads on the board). This only measures; nothing is learnt from it.
"""

from alphadiamond import cli
from alphadiamond.studies.settings import SampleQualitySettings


def main(settings: SampleQualitySettings) -> None:
    from alphadiamond.studies.samples import study

    study(settings)


if __name__ == "__main__":
    cli.run(main, SampleQualitySettings, "sample_quality")
