"""Rate the snapshots of training runs against each other and the classical players, and draw their Elo curves."""

from alphadiamond import cli
from alphadiamond.training.rating import RateSettings, rate_runs

if __name__ == "__main__":
    cli.run(rate_runs, RateSettings, "rate")
