"""Play two ways of searching, Gumbel and PUCT, against each other with the same network, by pairs of games.

alphadiamond compare-searches simulations=32,100 pairs=500
alphadiamond compare-searches one.method=puct one.c_puct=2 other.method=puct      # any two searches
"""

from alphadiamond import cli
from alphadiamond.studies.settings import CompareSearchesSettings


def main(settings: CompareSearchesSettings) -> None:
    from alphadiamond.studies.searches import compare

    compare(settings)


if __name__ == "__main__":
    cli.run(main, CompareSearchesSettings, "compare_searches")
