"""What to compile ahead of Connect Four."""


def rules() -> None:
    """The rules of Connect Four."""
    from alphadiamond.games.connect_four import Position, winning_line

    position = Position.start()
    position = position.play(position.moves()[0]).image(1)
    winning_line(Position.parse(str(position)))
