"""Play a game, go through it move by move, and say where value was given away.

    python examples/analyse_a_game.py

Without the game's solution (`alphadiamond solve`, 41 s once) the judge's opinion stands for the exact value.
"""

from pathlib import Path

from alphadiamond.agents import make_agent
from alphadiamond.analysis.opinions import Solution
from alphadiamond.analysis.plots import plot_curve
from alphadiamond.analysis.review import record_title, review
from alphadiamond.arena.play import play_game
from alphadiamond.games import load


def main(picture: Path = Path("curve.png"), judge: str = "neural:simulations=100") -> None:
    game = load("diamond_chase")
    players = [make_agent(name, game=game, seed=5) for name in ("beginner", "greedy")]
    record = play_game(*players, game.start(), game=game).record
    found = review(record, make_agent(judge, game=game), Solution.find(game))
    print(record_title(record))
    for ply in found.mistakes:
        print(f"  ply {ply.number + 1}: {ply.move} {ply.mark}")
    plot_curve(picture, found)
    print(f"picture: {picture}")


if __name__ == "__main__":
    main()
