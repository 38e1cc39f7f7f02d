"""What to compile ahead of the players."""


def _play(*specs: str) -> None:
    """Every way to ask a player."""
    from alphadiamond.agents import make_agent
    from alphadiamond.game import Position

    for spec in specs:
        agent = make_agent(spec, seed=1)
        start = Position.start()
        agent.analyse_many([start])
        agent.reset()
        list(agent.stream(start))
        after = start.play(agent.choose(start))
        agent.analyse(after.play(after.moves()[0]))


def minimax() -> None:
    """Minimax and the levels."""
    _play("minimax:depth=3", "minimax:seconds=0.001", "beginner")


def tree_search_by_playouts() -> None:
    """MCTS and the greedy player."""
    _play("greedy", "mcts:simulations=20")


def fuzzy() -> None:
    """The fuzzy player."""
    _play("fuzzy")


def neural() -> None:
    """The network player."""
    import tempfile
    from pathlib import Path

    from alphadiamond.network import ModelConfig, build_model, save_checkpoint

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "untrained.safetensors"
        save_checkpoint(path, build_model(ModelConfig(width=4, blocks=1), seed=1), step=0)
        known = f"neural:checkpoint={path},device=cpu"
        _play(f"{known},simulations=20", f"{known},seconds=0.02", f"{known},simulations=0")
