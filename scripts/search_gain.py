"""Ask how far a network is behind its own search: in games of its own, and in positions from anywhere in the game.

Where it is far behind it has more to learn, and self-play should go there more often. Nothing here looks at exact
solutions.

alphadiamond search-gain simulations=200
alphadiamond search-gain checkpoints=runs/one,runs/other
"""

from alphadiamond import cli
from alphadiamond.studies.settings import SearchGainSettings


def main(settings: SearchGainSettings) -> None:
    from alphadiamond.studies.gain import study

    study(settings)


if __name__ == "__main__":
    cli.run(main, SearchGainSettings, "search_gain")
