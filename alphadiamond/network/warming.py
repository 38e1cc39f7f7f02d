"""What to compile ahead of the network."""

from alphadiamond.games import DEFAULT


def evaluator(name: str = DEFAULT) -> None:
    """The network's inputs and outputs."""
    import numpy as np

    from alphadiamond.games import load
    from alphadiamond.network import Evaluator, ModelConfig, build_model, encode, legal_actions

    game = load(name)
    states = np.repeat(game.states_of([game.start()]), 2, axis=0)
    model = build_model(ModelConfig(width=4, blocks=1), game, seed=1)
    for symmetries in (False, True):
        Evaluator(model, device="cpu", threads=1, symmetries=symmetries, cache=64)(states)
    encode(states, game)
    legal_actions(states, game)
