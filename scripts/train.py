"""Learn Diamond Chase from self-play: games, learning, the gate and evaluation, until the last iteration.

Run it again and it goes on where it stopped. Profiles: smoke, laptop (the default), champion, overnight, gpu, cluster.
"""

from alphadiamond import cli
from alphadiamond.training.settings import TrainSettings


def main(settings: TrainSettings) -> None:
    import torch  # noqa: F401  (first, so that its thread pools are set up before numba's)

    from alphadiamond.training.run import train

    train(settings)


if __name__ == "__main__":
    cli.run(main, TrainSettings, "train")
