"""What to compile ahead of the players.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""

from alphadiamond.agents.base import Agent


def _play(*agents: Agent) -> None:
    """Every way to ask a player."""
    from alphadiamond.games.diamond_chase import Position

    for agent in agents:
        start = Position.start()
        agent.analyse_many([start])
        agent.reset()
        list(agent.stream(start))
        after = start.play(agent.choose(start))
        agent.analyse(after.play(after.moves()[0]))


def minimax() -> None:
    """Minimax and the levels."""
    from alphadiamond.agents.levels import BeginnerAgent
    from alphadiamond.agents.minimax import MinimaxAgent

    _play(MinimaxAgent(depth=3, seed=1), MinimaxAgent(seconds=0.001, seed=1), BeginnerAgent(seed=1))


def playouts() -> None:
    """MCTS, the hybrid and the greedy player."""
    from alphadiamond.agents.greedy import GreedyAgent
    from alphadiamond.agents.hybrid import HybridAgent
    from alphadiamond.agents.mcts import MctsAgent

    _play(GreedyAgent(), MctsAgent(simulations=20, seed=1), HybridAgent(depth=1, simulations=20, seed=1))


def fuzzy() -> None:
    """The fuzzy player."""
    from alphadiamond.agents.fuzzy import FuzzyAgent

    _play(FuzzyAgent(seed=1))


def neural() -> None:
    """The network player."""
    import tempfile
    from pathlib import Path

    from alphadiamond.agents.neural import NeuralAgent
    from alphadiamond.network import ModelConfig, build_model, save_checkpoint

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "untrained.safetensors"
        save_checkpoint(path, build_model(ModelConfig(width=4, blocks=1), seed=1), step=0)
        for budget in ({"simulations": 20}, {"seconds": 0.02}, {"simulations": 0}):
            _play(NeuralAgent(checkpoint=str(path), device="cpu", **budget))  # type: ignore[arg-type]
