"""The pictures' own stage."""

import pytest

from alphadiamond.client.app import App
from alphadiamond.client.showcase import StagingError, stage


@pytest.mark.parametrize("name", ["analysis", "side-by-side", "replay"])
def test_a_panel_that_stays_empty_is_an_error(app: App, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(app, "take_analyst_answers", list)  # the players say nothing
    monkeypatch.setattr(app, "analysts_busy_checking", lambda: False)
    with pytest.raises(StagingError, match="in vain"):
        stage(app, name, patience=0.2)
