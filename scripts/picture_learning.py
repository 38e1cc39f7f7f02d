"""Picture one position as a run's network saw it after more and more iterations: its policy, move by move."""

from alphadiamond import cli
from alphadiamond.studies.settings import PictureLearningSettings


def main(settings: PictureLearningSettings) -> None:
    from alphadiamond.studies.learning_plot import picture_learning

    picture_learning(settings)


if __name__ == "__main__":
    cli.run(main, PictureLearningSettings, "picture_learning")
