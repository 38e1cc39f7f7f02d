"""What to compile ahead of the players of every game; those that one game alone has are in its own list.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""


def neural(name: str) -> None:
    """The network player."""
    import tempfile
    from pathlib import Path

    from alphadiamond.agents.exercise import exercise
    from alphadiamond.agents.neural import NeuralAgent
    from alphadiamond.games import load
    from alphadiamond.network import ModelConfig, build_model, save_checkpoint

    game = load(name)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "untrained.safetensors"
        save_checkpoint(path, build_model(ModelConfig(width=4, blocks=1), game, seed=1), step=0)
        for budget in ({"simulations": 20}, {"seconds": 0.02}, {"simulations": 0}):
            exercise(NeuralAgent(game=game, checkpoint=str(path), device="cpu", **budget))  # type: ignore[arg-type]


def minimax(name: str) -> None:
    """Minimax and the levels."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.agents.levels import BeginnerAgent
    from alphadiamond.agents.minimax import MinimaxAgent
    from alphadiamond.games import load

    game = load(name)
    exercise(
        MinimaxAgent(game=game, depth=3, seed=1),
        MinimaxAgent(game=game, seconds=0.001, seed=1),
        BeginnerAgent(game=game, seed=1),
    )


def rollouts(name: str) -> None:
    """MCTS and the greedy player."""
    from alphadiamond.agents.exercise import exercise
    from alphadiamond.agents.greedy import GreedyAgent
    from alphadiamond.agents.mcts import MctsAgent
    from alphadiamond.games import load

    game = load(name)
    exercise(GreedyAgent(game=game), MctsAgent(game=game, simulations=20, seed=1))
