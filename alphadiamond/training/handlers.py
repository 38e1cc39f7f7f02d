"""Who is told what happens in a run: reporting, saving and drawing are handlers, and the loop knows none of them."""

from collections.abc import Mapping

from alphadiamond.training.state import RunState


class Handler:
    """Does nothing at any event; a handler overrides those that it cares about."""

    def run_started(self, state: RunState) -> None:
        """The state is there, new or restored; nothing has been played in this sitting."""

    def stage_started(self, name: str) -> None:
        """Self-play, learning, gate, exam or evaluation."""

    def games_played(self, state: RunState) -> None:
        """The iteration's samples are in the replay window."""

    def champion_changed(self, state: RunState) -> None:
        """A candidate has passed the gate."""

    def baselines_played(self, state: RunState) -> None:
        """The champion has met the classical players."""

    def iteration_finished(self, state: RunState, metrics: Mapping[str, float]) -> None:
        """All stages of an iteration are done, and it is counted."""

    def save_due(self, state: RunState) -> None:
        """Everybody knows of the iteration: what the next one depends on can be written."""

    def run_ended(self) -> None:
        """However it ended."""
