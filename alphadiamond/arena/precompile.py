"""What to compile ahead of matches and the exam."""


def openings(name: str) -> None:
    """Openings of matches."""
    import numpy as np

    from alphadiamond.arena import random_openings, random_positions
    from alphadiamond.games import load

    rng = np.random.default_rng(1)
    random_openings(2, plies=4, rng=rng, game=load(name))
    random_positions(2, rng=rng, game=load(name))


def exam(name: str) -> None:
    """The exam."""
    from alphadiamond.agents import make_agent
    from alphadiamond.arena import Exam, run_exam
    from alphadiamond.games import load

    game = load(name)
    if game.exam is not None:
        run_exam(make_agent("greedy", game=game, seed=1), exam=Exam.load(game=game), positions=2)
