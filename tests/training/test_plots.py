"""The pictures of a run."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from alphadiamond.base.board_plot import _SIDES
from alphadiamond.games import BUILT_IN, load
from alphadiamond.training.plots import board_picture


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_picture_of_a_board_shows_every_piece_and_a_number_for_every_move(name: str) -> None:
    game = load(name)
    position = game.parse(game.pictured) if game.pictured else game.sample_start()
    moves = list(position.moves())
    policy = np.zeros(game.shape.actions, dtype=np.float32)
    for move in moves:
        policy[move.action] = 1 / len(moves)
    axes = Figure().add_axes((0, 0, 1, 1))
    game.plot(axes, position, policy)
    drawing = game.drawing_for(position)
    colours = dict(zip(game.sides, drawing.colours, strict=True))
    expected = sorted(_SIDES[colours[side]] for side in drawing.pieces(position).values())
    drawn = [to_hex(patch.get_facecolor()) for patch in axes.patches]
    assert sorted(colour for colour in drawn if colour in expected) == expected
    numbers = [text.get_text() for text in axes.texts if text.get_text()]
    assert numbers == [f"{100 / len(moves):.0f}"] * len(moves)
    assert board_picture(game, position, policy).shape == (600, 600, 3)
