"""What a file or directory of the project holds: checkpoints, runs, records, tablebases."""

from alphadiamond.settings.programs import ShowSettings
from alphadiamond.showing.describing import Description, describe
from alphadiamond.showing.main import show

__all__ = ["Description", "ShowSettings", "describe", "show"]
