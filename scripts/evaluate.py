"""Compare players: one against baselines, or all against all, in pairs of games from random openings.

Players are written as they are called, commas and all; for example

    alphadiamond evaluate player=minimax:depth=6 baselines=random,mcts:simulations=1000 games=100
    alphadiamond evaluate players=beginner,easy,medium,hard,expert
    alphadiamond evaluate player=mcts:seconds=0.1 baselines=minimax:depth=4 games=1000 sprt=0,50

Quote lists in brackets for the shell: 'players=[random,greedy]'. Ctrl-C ends with the tables of what was played.
"""

from alphadiamond import cli
from alphadiamond.settings.evaluation import EvaluateSettings


def main(settings: EvaluateSettings) -> None:
    from alphadiamond.arena.evaluation import evaluate

    evaluate(settings)


if __name__ == "__main__":
    cli.run(main, EvaluateSettings, "evaluate")
