"""What to compile ahead of the rules."""


def rules() -> None:
    """The rules of Dame."""
    from alphadiamond.games.dame import Position

    position = Position.start()
    for _ in range(2):
        move = position.moves()[0]
        position.removed_by(move)
        position = position.play(move)
    assert Position.parse(str(position)).outcome is None
    assert not position.must_capture


def arrays() -> None:
    """The rules of Dame over arrays."""
    import numpy as np

    from alphadiamond import games
    from alphadiamond.base.game_kernels import encode_states, input_keys, random_playouts
    from alphadiamond.base.random_kernels import random_stream

    game = games.load("dame")
    states = game.states_of([game.start()])
    game.expand(states, np.full(1, -1, dtype=np.int16))
    game.legal(states)
    game.perft(2)
    encode_states(game.rules, states)
    input_keys(game.rules, states)
    random_playouts(game.rules, states, random_stream(np.random.default_rng(1)), game.longest)
