"""List every position that a player can be led into, whatever the opponent replies, and count where it loses.

A player that is a function of the position alone can reach only so many positions: each is asked once, up to the
symmetries of the board. If no end among them is lost, nobody can ever beat it. For example

    alphadiamond prove game=dame side=first player=neural:simulations=100,history=false
    alphadiamond prove player=neural:checkpoint=runs/mine,simulations=0,history=false side=first

It goes on where it was stopped.
"""

from alphadiamond import cli
from alphadiamond.proof.settings import ProveSettings


def main(settings: ProveSettings) -> None:
    from alphadiamond.proof.command import prove

    prove(settings)


if __name__ == "__main__":
    cli.run(main, ProveSettings, "prove")
