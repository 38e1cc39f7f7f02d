"""Rate the snapshots of training runs against each other and the classical players, and draw the curves."""

from alphadiamond import cli
from alphadiamond.studies.settings import RateSettings


def main(settings: RateSettings) -> None:
    from alphadiamond.studies.rating import rate_runs

    rate_runs(settings)


if __name__ == "__main__":
    cli.run(main, RateSettings, "rate")
