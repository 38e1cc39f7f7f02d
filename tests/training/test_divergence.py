"""A run whose learning goes astray: it stops, says so in one line, and what was good is still there."""

from pathlib import Path

import pytest
import torch

from alphadiamond.network import load_checkpoint
from alphadiamond.training.learner import Learner, LearningError
from alphadiamond.training.run import train
from alphadiamond.training.rundir import RunDirectory
from tests.training.small import settings


def test_a_run_that_diverges_leaves_its_weights_and_the_last_good_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a step of absurd length, which no loss survives: real workers, real losses, real files."""
    monkeypatch.setattr(Learner, "learning_rate", lambda learner: 1e30)
    with pytest.raises(LearningError) as caught:
        train(settings(run=str(tmp_path)))
    (dump,) = tmp_path.glob("diverged-*.pt")
    assert str(caught.value) == (
        "the loss or its gradient was not finite three times in a row; "
        f"the weights are in {dump}, and the last good state is state-000000.pt"
    )
    learner = torch.load(dump, weights_only=True)
    assert max(float(tensor.abs().max()) for tensor in learner["model"].values()) > 1e20
    assert (learner["step_count"], learner["skipped"]) == (1, 3)
    run = RunDirectory(tmp_path)
    assert [path.name for path in run.states()] == ["state-000000.pt"]
    good = run.load_state(run.states()[0])["learner"]
    assert max(float(tensor.abs().max()) for tensor in good["model"].values()) < 100
    load_checkpoint(run.champion)

    monkeypatch.undo()  # with a learning rate that can be borne the run goes on from there
    train(settings(run=str(tmp_path), iterations=1))
    assert run.load_state(run.states()[0])["progress"]["iteration"] == 1
    assert dump.exists()
