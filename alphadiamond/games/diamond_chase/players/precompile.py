"""What to compile ahead of the players of Diamond Chase.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""


def hybrid() -> None:
    """The hybrid and the greedy player."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.games.diamond_chase.players.greedy import GreedyAgent
    from alphadiamond.games.diamond_chase.players.hybrid import HybridAgent

    exercise(GreedyAgent(), HybridAgent(depth=1, simulations=20, seed=1))


def fuzzy() -> None:
    """The fuzzy player."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.games.diamond_chase.players.fuzzy import FuzzyAgent

    exercise(FuzzyAgent(seed=1))
