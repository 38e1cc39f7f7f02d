"""What to compile ahead of Dame."""


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
