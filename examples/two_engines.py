"""Two programs play each other by the engine's protocol: here two copies of our own engine, in processes of their own.

    python examples/two_engines.py

Any program that reads and writes these lines of JSON will do: docs/reference/engine.md has one of 40 lines.
"""

import sys

from alphadiamond.agents import make_agent
from alphadiamond.arena.play import play_game
from alphadiamond.games import load
from alphadiamond.settings.players import player


def main(strengths: tuple[str, str] = ("minimax:depth=4", "greedy")) -> None:
    game = load("connect_four")
    command = f'"{sys.executable}" -m alphadiamond.engine'
    specs = [player("engine", command=command, player=strength, name=strength) for strength in strengths]
    one, two = (make_agent(spec, game=game) for spec in specs)
    record = play_game(one, two, game.start(), game=game).record
    print(f"{strengths[0]} (x) against {strengths[1]} (o): {record.result} after {len(record.moves)} moves")
    print(" ".join(map(str, record.moves)))


if __name__ == "__main__":  # the engines' processes are started anew
    main()
