"""What to compile ahead of the players of Diamond Chase.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""


def minimax() -> None:
    """Minimax and the levels."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.agents.levels import BeginnerAgent
    from alphadiamond.games.diamond_chase.game import GAME
    from alphadiamond.games.diamond_chase.players.minimax import MinimaxAgent

    exercise(MinimaxAgent(depth=3, seed=1), MinimaxAgent(seconds=0.001, seed=1), BeginnerAgent(game=GAME, seed=1))


def playouts() -> None:
    """MCTS, the hybrid and the greedy player."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.games.diamond_chase.game import GAME
    from alphadiamond.games.diamond_chase.players.greedy import GreedyAgent
    from alphadiamond.games.diamond_chase.players.hybrid import HybridAgent
    from alphadiamond.games.diamond_chase.players.mcts import MctsAgent

    exercise(GreedyAgent(), MctsAgent(game=GAME, simulations=20, seed=1), HybridAgent(depth=1, simulations=20, seed=1))


def fuzzy() -> None:
    """The fuzzy player."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.games.diamond_chase.players.fuzzy import FuzzyAgent

    exercise(FuzzyAgent(seed=1))
