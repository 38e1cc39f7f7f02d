"""Who plays a game, and how one of them is made. No pygame here."""

from typing import Any

from alphadiamond.agents import PLAYERS, Agent, make_agent

__all__ = ["make_player", "players_of"]


def players_of(game: str) -> dict[str, Any]:
    """Everybody who plays a game, by name."""
    return dict(PLAYERS)


def make_player(spec: str, *, game: str, seed: int | None = None) -> Agent:
    return make_agent(spec, seed=seed)
