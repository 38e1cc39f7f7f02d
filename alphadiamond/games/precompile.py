"""What to compile ahead of the rules of every game; what one game alone has is in its own list."""


def arrays(name: str) -> None:
    """The rules over arrays."""
    import numpy as np

    from alphadiamond.base.game_kernels import encode_states, input_keys
    from alphadiamond.games import load

    game, rng = load(name), np.random.default_rng(1)
    game.perft(2, game.sample_start())
    position = game.sample_start()
    while position.outcome is None:
        position = position.play(position.moves()[0])
    game.ending(game.state_of(position))
    game.random_start(rng)
    game.opening(rng, 2)
    states = game.states_of([game.sample_start()])
    game.expand(states, np.full(1, -1, dtype=np.int16))
    game.legal(states)
    game.images(states, np.zeros(1, dtype=np.int64))
    encode_states(game.rules, states)
    input_keys(game.rules, states)


def checks(name: str) -> None:
    """The check for authors of games."""
    from alphadiamond.games import load
    from alphadiamond.games.check.main import check

    check(load(name))
