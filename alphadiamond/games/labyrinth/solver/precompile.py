"""What to compile ahead of the solution of the Labyrinth."""


def solution() -> None:
    """The solution of the Labyrinth."""
    from alphadiamond.games.labyrinth.game import GAME

    states = GAME.states_of([GAME.sample_start()])
    GAME.solution().values(states)
    GAME.solution().action_values(states)
    GAME.questions(positions=1, games=1, seed=1)
