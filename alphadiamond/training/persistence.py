"""What a run leaves on disk: its states, samples, snapshots, champion and settings, whole at any moment."""

from dataclasses import asdict

from alphadiamond.base.game import Game
from alphadiamond.network import CheckpointError, load_checkpoint, save_checkpoint
from alphadiamond.training.handlers import Handler
from alphadiamond.training.recovery import Findings, holds
from alphadiamond.training.rundir import RunDirectory
from alphadiamond.training.state import RunState
from alphadiamond.training.worker import Weights, weights_of


class Persistence(Handler):
    """Writes the run directory; told of a run's start before anybody else, and of its state after everybody else."""

    def __init__(self, directory: RunDirectory, found: Findings | None) -> None:
        """`found`: what the run goes on with, and what of it is damaged."""
        self._directory = directory
        self._found = found
        self._windows: dict[int, set[int]] = {}  # which iterations' samples each kept state needs
        self._config_is_current = False

    def run_started(self, state: RunState) -> None:
        """Of a new run the first state comes first, so that from then on there is a run to go on with; of any other
        what is damaged is set aside, now that the run has gone on with the rest."""
        directory, found = self._directory, self._found
        if found is None:
            self.save_due(state)
        else:
            config = asdict(state.settings)
            self._windows = dict(found.windows)
            self._config_is_current = found.config == config and not found.migrated
            found.put_right(directory)
            if not directory.config.exists():
                directory.write_config(found.config or config)
        if not state.progress.iteration:
            self._write_snapshot(state)
        if found is None or not directory.champion.exists():
            self.champion_changed(state)

    def games_played(self, state: RunState) -> None:
        state.replay.begin_save(self._directory.samples)

    def champion_changed(self, state: RunState) -> None:
        origin = state.champion_origin
        save_checkpoint(
            self._directory.champion, state.model_of(state.champion), step=int(origin["step"]), extra=origin
        )

    def save_due(self, state: RunState) -> None:
        settings, iteration = state.settings, state.progress.iteration
        due = iteration % settings.snapshot_every == 0 or iteration == settings.iterations
        if iteration and (due or iteration in state.ladder.rated):
            self._write_snapshot(state)
        digests = state.replay.save(self._directory.samples)
        self._directory.save_state(iteration, state.stored(digests), keep=settings.keep)
        if not self._config_is_current or not self._directory.config.exists():
            self._directory.write_config(asdict(settings))
            self._config_is_current = True
        self._windows[iteration] = set(digests)
        self._windows = {number: self._windows[number] for number in sorted(self._windows)[-settings.keep :]}
        self._directory.prune_samples(set().union(*self._windows.values()))

    def _write_snapshot(self, state: RunState) -> None:
        """Keep what plays now, for ever; something else by that name is set aside first."""
        iteration = state.progress.iteration
        path = self._directory.snapshot(iteration)
        model = state.model_of(state.candidate())
        if path.exists() and not holds(path, model.state_dict()):
            self._directory.set_aside(path)
        if not path.exists():
            save_checkpoint(path, model, step=state.learner.step_count, extra=state.origin(iteration))


def snapshot_weights(directory: RunDirectory, iteration: int, *, game: Game) -> Weights | None:
    """The weights of an earlier snapshot, or None if it cannot be read."""
    try:
        return weights_of(load_checkpoint(directory.snapshot(iteration), game=game).model)
    except CheckpointError:
        return None
