"""Matches between players, what they say about them, ratings, and the exam against perfect play."""

from alphadiamond.arena.exam import Exam, ExamError, ExamResult, Share, exam_batch, exam_table, run_exam
from alphadiamond.arena.match import MatchGame, MatchResult, play_match
from alphadiamond.arena.openings import random_openings, random_positions
from alphadiamond.arena.play import ArenaError, PlayedGame, play_game
from alphadiamond.arena.ratings import Rating, rate
from alphadiamond.arena.sequential import SequentialTest, Verdict
from alphadiamond.arena.statistics import Summary, Tally, summarise
from alphadiamond.arena.workers import Workers

__all__ = [
    "ArenaError",
    "Exam",
    "ExamError",
    "ExamResult",
    "MatchGame",
    "MatchResult",
    "PlayedGame",
    "Rating",
    "SequentialTest",
    "Share",
    "Summary",
    "Tally",
    "Verdict",
    "Workers",
    "exam_batch",
    "exam_table",
    "play_game",
    "play_match",
    "random_openings",
    "random_positions",
    "rate",
    "run_exam",
    "summarise",
]
