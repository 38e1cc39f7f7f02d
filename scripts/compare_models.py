"""Compare models: each learns from the same self-play samples for the same CPU time, on one core.

The samples come from a training run (`samples/` in its directory); the newest tenth is held out and measured on. Speed
is that of the network alone at batch 128. Nothing here looks at exact solutions.
"""

from alphadiamond import cli
from alphadiamond.studies.settings import CompareModelsSettings


def main(settings: CompareModelsSettings) -> None:
    from alphadiamond.studies.models import compare

    compare(settings)


if __name__ == "__main__":
    cli.run(main, CompareModelsSettings, "compare_models")
