"""What to compile ahead of the rules."""


def rules() -> None:
    """The rules."""
    from alphadiamond.games.diamond_chase import GameRecord, Position, perft

    position = Position.start()
    moves = []
    for _ in range(2):
        moves.append(position.moves()[0])
        position.removed_by(moves[-1])
        position = position.play(moves[-1])
    str(GameRecord.of(Position.start(), moves, green="human", red="human"))
    Position.parse(str(position)).image(3)
    assert position.outcome is None
    perft(position, 2)


def arrays() -> None:
    """The rules over arrays."""
    import numpy as np

    from alphadiamond.base.random_kernels import random_stream
    from alphadiamond.games.diamond_chase import Position, kernels
    from alphadiamond.games.diamond_chase.game import DiamondChase, states_of

    states = states_of([Position.start()])
    DiamondChase().expand(states, np.full(1, -1, dtype=np.int16))
    kernels.legal_masks(states[:, 0], states[:, 1])
    own, opp, quiet = (np.ascontiguousarray(states[:, column]) for column in range(3))
    kernels.legal_masks(own, opp)
    moved, other, _, _ = kernels.apply_batch(own, opp, kernels.legal_masks(own, opp).argmax(axis=1))
    kernels.status_batch(other, moved, quiet, quiet)
    kernels.random_playouts(own, opp, quiet, random_stream(np.random.default_rng(1)))
