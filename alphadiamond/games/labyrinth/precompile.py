"""What to compile ahead of the Labyrinth."""


def rules() -> None:
    """The rules of the Labyrinth."""
    from alphadiamond.games.labyrinth import Position
    from alphadiamond.games.labyrinth.game import GAME

    position = Position.start(0)
    for _ in range(2):
        position = position.play(position.moves()[0])
    assert Position.parse(str(position)).image(1).outcome is None
    assert GAME.drawing.balance(position) < 1
