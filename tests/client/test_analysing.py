"""What the analysis panel says of a move."""

import pytest

from alphadiamond.agents import MoveAnalysis
from alphadiamond.client.analysing import score_text
from alphadiamond.games.diamond_chase import Move


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
