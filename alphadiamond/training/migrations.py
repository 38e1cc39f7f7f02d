"""Settings that were stored when a setting meant something else."""

import copy
from typing import Any

from alphadiamond.games import UNNAMED
from alphadiamond.settings.renames import with_new_names
from alphadiamond.training.settings import SelfPlaySettings, TrainSettings


def migrated(config: dict[str, Any], *, workers: int) -> dict[str, Any]:
    """The settings of a run with so many workers as they are said now; what is said so already stays as it is.

    A run that does not name its game is of the first there was. `selfplay.games` was a worker's number of games and is
    that of all workers; `selfplay.late_from` was an iteration and is, as `late_after`, a share of the run. Searches did
    not look ahead at their leaves. Settings that were called otherwise have their new names.
    """
    config = _as_searched(with_new_names(TrainSettings, config))
    old = config.get("selfplay")
    if not isinstance(old, dict):
        return config
    if "late_after" in old:
        return {"game": UNNAMED, **config}
    numbers = (old.get("games"), old.get("late_from", 0), config.get("iterations"))
    if not all(type(number) is int for number in numbers):
        return config  # damaged; whoever reads it next says so
    config = {"game": UNNAMED, **copy.deepcopy(config)}
    selfplay = config["selfplay"]
    selfplay["games"] *= max(1, workers)
    first = selfplay.pop("late_from", 0)
    used = bool(selfplay.get("late_simulations"))
    selfplay["late_after"] = _share_before(first, config["iterations"]) if used else SelfPlaySettings().late_after
    return config


def _as_searched(settings: dict[str, Any]) -> dict[str, Any]:
    """With every search, at whatever depth, that says nothing of `two_ply_lookahead` as one that does not."""
    made = {name: _as_searched(value) if isinstance(value, dict) else value for name, value in settings.items()}
    if isinstance(made.get("search"), dict):
        made["search"] = {"two_ply_lookahead": False, **made["search"]}
    return made


def _share_before(first: int, iterations: int) -> float:
    """The share of the run after which iteration `first` is the first, in as few digits as will do."""
    if first > iterations:
        return 1.0
    shares = (round(max(0.0, first - 0.5) / iterations, digits) for digits in range(1, 17))
    return next(share for share in shares if int(share * iterations) + 1 == max(1, first))
