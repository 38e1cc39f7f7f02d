"""What to compile ahead of the players of Connect Four.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""


def levels() -> None:
    """Medium and hard of Connect Four."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.games.connect_four.players.levels import HardAgent, MediumAgent

    exercise(MediumAgent(seed=1), HardAgent(seed=1))
