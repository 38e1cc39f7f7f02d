"""Measure and draw what more costs and what it buys: the exam's error against training time and simulations, and speed.

alphadiamond scaling 'runs=[runs/small,runs/medium,runs/large]'
alphadiamond scaling panels=simulations positions=3000
alphadiamond scaling game=labyrinth panels=boards runs=runs/16,runs/128,runs/all
"""

from alphadiamond import cli
from alphadiamond.studies.settings import ScalingSettings


def main(settings: ScalingSettings) -> None:
    from alphadiamond.studies.scaling import study

    study(settings)


if __name__ == "__main__":
    cli.run(main, ScalingSettings, "scaling")
