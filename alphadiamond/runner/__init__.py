"""Players in other processes: start one, ask it by lines of JSON, take a question back, survive its death.

The lines are those of docs/reference/engine.md, whoever is at the other end: our own engine or another program.
"""

from alphadiamond.runner.links import MAX_LINE, Link, ProcessLink
from alphadiamond.runner.runner import Answer, Runner

__all__ = ["MAX_LINE", "Answer", "Link", "ProcessLink", "Runner"]
