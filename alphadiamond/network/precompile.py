"""What to compile ahead of the network."""


def evaluator(name: str) -> None:
    """The network's inputs and outputs."""
    import numpy as np

    from alphadiamond.games import load
    from alphadiamond.network import Evaluator, ModelConfig, build_model, encode, legal_actions
    from alphadiamond.network.config import KINDS

    game = load(name)
    states = np.repeat(game.states_of([game.sample_start()]), 2, axis=0)
    model = build_model(ModelConfig(width=4, blocks=1), game, seed=1)
    for symmetries in (False, True):
        Evaluator(model, device="cpu", threads=1, symmetries=symmetries, cache=64)(states)
    for kind in KINDS:  # in torch, whose results lie in memory otherwise
        if kind == "conv" and game.shape.grid is None:
            continue
        other = build_model(ModelConfig(kind=kind, width=4, blocks=1), game, seed=1)
        for compiled in (False, True):
            Evaluator(other, device="cpu", threads=1, compiled=compiled)(states)
    encode(states, game)
    legal_actions(states, game)
