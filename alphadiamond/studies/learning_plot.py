"""What is learnt, as a picture: one position as the network sees it after more and more iterations."""

from pathlib import Path

from alphadiamond.console import count_of, print_written
from alphadiamond.games import load
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.studies.settings import PictureLearningSettings
from alphadiamond.training.plots import write_boards
from alphadiamond.training.rundir import RunDirectory


def picture_learning(settings: PictureLearningSettings) -> None:
    game = load(settings.game)
    directory = RunDirectory(Path(settings.run))
    text = settings.position or game.pictured
    position = game.parse(text) if text else game.sample_start()
    policies = {}
    for iteration in settings.iterations:
        model = load_checkpoint(directory.snapshot(iteration), game=game).model
        evaluator = Evaluator(model, device="cpu", threads=1)
        policies[f"after {count_of(iteration, 'iteration')}"] = evaluator(game.states_of([position]))[0][0]
    write_boards(Path(settings.output), game, position, policies)
    print_written(settings.output)
