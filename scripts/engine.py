"""The players for other programs: one JSON object a line in, one or more out. See docs/reference/engine.md."""

from alphadiamond import cli
from alphadiamond.engine.settings import EngineSettings


def engine(settings: EngineSettings) -> None:
    from alphadiamond.engine.engine import run

    run(settings)


if __name__ == "__main__":
    cli.run(engine, EngineSettings, "engine")
