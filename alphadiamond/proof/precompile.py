"""What to compile ahead of proofs."""


def replies(name: str) -> None:
    """Positions and replies of proofs."""
    import numpy as np

    from alphadiamond.games import load
    from alphadiamond.proof import certificate, kernels
    from alphadiamond.proof.tasks import ProofTask, Subject, expand

    game = load(name)
    states = game.bare(game.states_of([game.sample_start()]))
    subject = Subject(game, "", states[0], exact=False)
    numbers = subject.numbers_of(states)
    move = game.sample_start().moves()[0].action
    actions = np.array([move], dtype=np.int16)
    expand(ProofTask(subject, 0, numbers, actions))
    kernels.merged(numbers, kernels.missing_from(numbers, numbers))
    certificate.move_places(subject, numbers, actions)
    kernels.leb128(numbers)
