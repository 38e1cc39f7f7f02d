"""What to compile ahead of the players of every game; those that one game alone has are in its own list.

Classes are named here, not looked up by the players' names: a change to any of them is a reason to look again.
"""


def neural() -> None:
    """The network player."""
    import tempfile
    from pathlib import Path

    from alphadiamond.agents.asking import ask_everything
    from alphadiamond.agents.neural import NeuralAgent
    from alphadiamond.network import ModelConfig, build_model, save_checkpoint

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "untrained.safetensors"
        save_checkpoint(path, build_model(ModelConfig(width=4, blocks=1), seed=1), step=0)
        for budget in ({"simulations": 20}, {"seconds": 0.02}, {"simulations": 0}):
            ask_everything(NeuralAgent(checkpoint=str(path), device="cpu", **budget))  # type: ignore[arg-type]
