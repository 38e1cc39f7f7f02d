"""Players behind one protocol: `make_agent("minimax:depth=4", game=load("connect_four")).choose(position)`."""

from alphadiamond.agents.base import Agent, AgentError, Analysis, MoveAnalysis, UnavailableError
from alphadiamond.agents.registry import check_player, make_agent, players_of
from alphadiamond.settings.players import PlayerSpec

__all__ = [
    "Agent",
    "AgentError",
    "Analysis",
    "MoveAnalysis",
    "PlayerSpec",
    "UnavailableError",
    "check_player",
    "make_agent",
    "players_of",
]
