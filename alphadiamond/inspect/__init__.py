"""What a file or directory of the project holds: checkpoints, runs, records, tablebases."""

from alphadiamond.inspect.description import Description, describe
from alphadiamond.inspect.main import show
from alphadiamond.settings.programs import ShowSettings

__all__ = ["Description", "ShowSettings", "describe", "show"]
