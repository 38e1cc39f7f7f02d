"""The shipped network with the side that wins: not only against the perfect player, but against every reply."""

from typing import Any

from alphadiamond.agents import make_agent
from alphadiamond.games import load


def test_the_network_wins_from_the_start_whatever_the_other_side_plays() -> None:
    """It has one answer to a position, the other side all of its moves: every game that can come of it is won."""
    game = load("dame")
    network = make_agent("neural:simulations=100", game=load("dame"))
    seen: set[str] = set()
    positions: list[Any] = [game.start()]
    lost, won = 0, 0
    while positions:
        after: dict[str, Any] = {}
        for position, move in zip(positions, network.choose_many(positions), strict=True):
            reply = position.play(move)
            if reply.outcome is not None:
                won += 1
                continue
            for answer in reply.moves():
                again = reply.play(answer)
                lost += again.outcome is not None
                if again.outcome is None and str(again) not in seen:
                    after[str(again)] = again
        seen |= after.keys()
        positions = list(after.values())
    print(f"{len(seen) + 1:,} positions in which the network moved, {won:,} of them its last, {lost} losses")
    assert lost == 0
    assert won > 100
