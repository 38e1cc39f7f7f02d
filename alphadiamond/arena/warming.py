"""What to compile ahead of matches and the exam."""


def openings() -> None:
    """Openings of matches."""
    import numpy as np

    from alphadiamond.arena import random_openings, random_positions

    rng = np.random.default_rng(1)
    random_openings(2, plies=4, rng=rng)
    random_positions(2, rng=rng)


def exam() -> None:
    """The exam."""
    from alphadiamond.agents import make_agent
    from alphadiamond.arena import run_exam

    run_exam(make_agent("greedy", seed=1), positions=2)
