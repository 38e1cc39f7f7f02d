"""What the analysis panel says of a move."""

import pytest

from alphadiamond.agents import MoveAnalysis
from alphadiamond.games import load
from alphadiamond.games.diamond_chase import Move
from alphadiamond.play.analysts import analyst_specs, score_text
from alphadiamond.play.opponents import Roster


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        ({"score": 1200.0, "value": 0.5, "visits": 1200}, "1,200"),
        ({"score": 0.0, "value": 0.5, "visits": 0}, "0"),
        ({"score": 3.0, "value": 0.5}, "75 %"),
        ({"score": 0.25}, "0.25"),
        ({"score": 12345.0}, "12,345"),
    ],
)
def test_a_move_is_measured_by_visits_then_value_then_score(figures: dict[str, float], text: str) -> None:
    assert score_text(MoveAnalysis(Move.parse("si-cs"), **figures)) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("moves", "asked"), [("", True), ("444", True), ("4444", False), ("44445", False), ("444452", True)]
)
def test_the_perfect_player_is_asked_where_every_move_s_value_is_near(moves: str, asked: bool) -> None:
    """With four discs the position itself is in Connect Four's book, and what follows it is not."""
    game = load("connect_four")
    position = game.start()
    for move in moves:
        position = position.play(move)
    assert ("perfect" in analyst_specs(Roster(game=load(game.name)), position)) is asked
