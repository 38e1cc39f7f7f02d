"""Which settings a run goes on with: those it had, and what of them the command line may change."""

from dataclasses import asdict
from typing import Any

from alphadiamond.games import load
from alphadiamond.network import read_metadata
from alphadiamond.resources import CONFIGS
from alphadiamond.settings.renames import new_name
from alphadiamond.training.recovery import Findings
from alphadiamond.training.rundir import RunDirectory, RunError
from alphadiamond.training.settings import TrainSettings, changes, flat, may_change


def settings_given() -> list[str]:
    """The settings that stand on the command line, each by its dotted name; a profile stands for all it sets."""
    from hydra.core.hydra_config import HydraConfig
    from omegaconf import OmegaConf

    given: list[str] = []
    if HydraConfig.initialized():
        for override in HydraConfig.get().overrides.task:
            key, _, value = override.lstrip("+~").partition("=")
            given.append(new_name(TrainSettings, key))
            if key == "profile":
                profile = OmegaConf.to_container(OmegaConf.load(CONFIGS / "profile" / f"{value}.yaml"))
                assert isinstance(profile, dict)
                given += flat(profile)
    return given


def settings_in_force(
    settings: TrainSettings, found: Findings | None, directory: RunDirectory, *, given: list[str]
) -> TrainSettings:
    """The settings in force; refused if the run in the directory was begun with others that cannot change.

    `resume=RUN` means the stored settings and what is given beside it; any other command must say what was said before.
    """
    if found is None:
        if settings.init and not any(key == "model" or key.startswith("model.") for key in given):
            settings.model = read_metadata(settings.init, game=load(settings.game)).config
        return settings
    stored = found.config
    if stored is None:
        return settings
    if settings.resume:
        settings = _merged(stored, settings, given)
    for key, (old, new) in changes(stored, asdict(settings)).items():
        if not may_change(key):
            raise RunError(
                f"{directory.path} was started with {key}={old}, not {new}: set it back, go on as it was with "
                f"resume={directory.path}, or begin anew with run=DIR"
            )
    return settings


def _merged(stored: dict[str, Any], settings: TrainSettings, given: list[str]) -> TrainSettings:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    merged = OmegaConf.structured(TrainSettings)
    asked = OmegaConf.structured(settings)
    try:
        for key, value in flat(stored).items():
            if OmegaConf.select(asked, key) is not None:  # else a later version has dropped it
                OmegaConf.update(merged, key, value)
        for key in given:
            OmegaConf.update(merged, key, OmegaConf.select(asked, key))
    except OmegaConfBaseException as error:
        raise RunError(f"the stored settings cannot be used ({str(error).splitlines()[0]})") from None
    result = OmegaConf.to_object(merged)
    assert isinstance(result, TrainSettings)
    return result
