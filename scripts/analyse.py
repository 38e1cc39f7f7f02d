"""Analyse a position (every player's opinion, exact values, the best line) or a record (its mistakes, a curve).

    alphadiamond analyse "r/rr/r/r.r/......./g.g/g/gg/g g 0"
    alphadiamond analyse my.game judge=minimax:depth=8

A table goes to the terminal, JSON and a picture to the directory `output`.
"""

from alphadiamond import cli
from alphadiamond.analysis.settings import AnalyseSettings


def analyse(settings: AnalyseSettings) -> None:
    from alphadiamond.analysis import task

    task.analyse(settings)


if __name__ == "__main__":
    cli.name_bare("subject")
    cli.run(analyse, AnalyseSettings, "analyse")
