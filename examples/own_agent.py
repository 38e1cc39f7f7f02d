"""A player of your own takes the exam and plays a match.

    python examples/own_agent.py

By its import path it also plays in every command, from the directory it lies in:

    alphadiamond evaluate 'players=[own_agent.Cautious,random]' games=20
"""

from typing import Any

from alphadiamond.agents import Agent, Analysis, MoveAnalysis, make_agent
from alphadiamond.agents.base import Stop, never, require_moves
from alphadiamond.arena import Exam, run_exam
from alphadiamond.arena.play import play_game
from alphadiamond.games import load

GAME = load("diamond_chase")


class Cautious(Agent):
    """Leaves the opponent as few moves as it can."""

    def __init__(self, *, weight: float = 1.0) -> None:
        self.weight = weight

    def analyse(self, position: Any, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position)
        scores = {move: -self.weight * len(list(position.play(move).moves())) for move in moves}
        ranked = sorted(moves, key=lambda move: -scores[move])
        return Analysis(position, ranked[0], tuple(MoveAnalysis(move, score=scores[move]) for move in ranked))


def main() -> None:
    result = run_exam(Cautious(), positions=500, exam=Exam.load(game=GAME))
    low, high = result.kept.interval
    print(f"keeps the exact value in {100 * result.kept.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})")
    played = play_game(Cautious(), make_agent("random", game=GAME, seed=1), GAME.start(), game=GAME)
    print(f"against random: {played.record.result} after {len(played.record.moves)} moves")


if __name__ == "__main__":
    main()
