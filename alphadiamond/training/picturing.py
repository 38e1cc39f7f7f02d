"""What is learnt, as a picture: one position as the network sees it after more and more iterations."""

from pathlib import Path

from alphadiamond.console import count_of
from alphadiamond.games.diamond_chase import Position
from alphadiamond.games.diamond_chase.game import states_of
from alphadiamond.network import Evaluator, load_checkpoint
from alphadiamond.settings.programs import PictureLearningSettings
from alphadiamond.training.pictures import write_boards
from alphadiamond.training.rundir import RunDirectory


def picture_learning(settings: PictureLearningSettings) -> None:
    directory = RunDirectory(Path(settings.run))
    position = Position.parse(settings.position)
    policies = {}
    for iteration in settings.iterations:
        evaluator = Evaluator(load_checkpoint(directory.snapshot(iteration)).model, device="cpu", threads=1)
        policies[f"after {count_of(iteration, 'iteration')}"] = evaluator(states_of([position]))[0][0]
    write_boards(Path(settings.output), position, policies)
    print(f"written to {settings.output}")
