"""What to compile ahead of Connect Four."""


def rules() -> None:
    """The rules of Connect Four."""
    from typing import Any

    import numpy as np

    from alphadiamond.base.game_kernels import encode_states, input_keys, random_playouts
    from alphadiamond.base.random_kernels import random_stream
    from alphadiamond.games.connect_four import Position, winning_line
    from alphadiamond.games.connect_four.game import ConnectFour

    game = ConnectFour()
    position = Position.start()
    position = position.play(position.moves()[0]).image(1)
    winning_line(Position.parse(str(position)))
    game.perft(2)
    game.ending(game.state_of(position))
    states = game.states_of([position])
    game.expand(states, np.full(1, -1, dtype=np.int16))
    game.legal(states)
    game.images(states, np.ones(1, dtype=np.int64))
    game.random_start(np.random.default_rng(1))
    game.opening(np.random.default_rng(1), 2)
    compiled: Any = game.rules
    encode_states(compiled, states)
    input_keys(compiled, states)
    random_playouts(compiled, states, random_stream(np.random.default_rng(1)), game.longest)
