"""Matches between players, what they say about them, and ratings."""

from alphadiamond.arena.match import MatchGame, MatchResult, play_match
from alphadiamond.arena.openings import random_openings, random_positions
from alphadiamond.arena.play import ArenaError, PlayedGame, play_game
from alphadiamond.arena.ratings import Rating, rate
from alphadiamond.arena.sequential import SequentialTest, Verdict
from alphadiamond.arena.statistics import Summary, Tally, summarise
from alphadiamond.arena.workers import Workers

__all__ = [
    "ArenaError",
    "MatchGame",
    "MatchResult",
    "PlayedGame",
    "Rating",
    "SequentialTest",
    "Summary",
    "Tally",
    "Verdict",
    "Workers",
    "play_game",
    "play_match",
    "random_openings",
    "random_positions",
    "rate",
    "summarise",
]
