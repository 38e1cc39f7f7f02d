"""Play training runs against each other: the averaged weights of each run's newest state, as they play themselves.

Pairs of games from random starts, as in the gate. This is how settings are chosen: of runs that had the same CPU time
the stronger one decides. Nothing here looks at exact solutions.
"""

from alphadiamond import cli
from alphadiamond.studies.settings import CompareRunsSettings


def main(settings: CompareRunsSettings) -> None:
    from alphadiamond.studies.runs import compare

    compare(settings)


if __name__ == "__main__":
    cli.run(main, CompareRunsSettings, "compare_runs")
