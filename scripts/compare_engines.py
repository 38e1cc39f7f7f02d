"""Run one network by several engines side by side: torch, compiled code in the symmetry's basis, ONNX Runtime."""

from alphadiamond import cli
from alphadiamond.studies.settings import CompareEnginesSettings


def main(settings: CompareEnginesSettings) -> None:
    from alphadiamond.studies.engines import compare

    compare(settings)


if __name__ == "__main__":
    cli.run(main, CompareEnginesSettings, "compare_engines")
