"""Players behind one protocol: `make_agent("minimax:depth=4").choose(position)`."""

from alphadiamond.agents.base import Agent, AgentError, Analysis, MoveAnalysis
from alphadiamond.agents.registry import PLAYERS, make_agent

__all__ = ["PLAYERS", "Agent", "AgentError", "Analysis", "MoveAnalysis", "make_agent"]
