"""What a file or directory of the project holds: checkpoints, runs, records, tablebases."""

from alphadiamond.inspect.description import Description, describe
from alphadiamond.inspect.main import ShowSettings, show

__all__ = ["Description", "ShowSettings", "describe", "show"]
