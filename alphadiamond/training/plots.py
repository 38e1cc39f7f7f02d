"""Pictures of a run: the board with the search's visits as heat, and the curves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.game import Game
from alphadiamond.files import replacing

_NIGHT = "#0b1030"


def board_picture(game: Game, position: Any, policy: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """[H, W, 3] a position, each move drawn as strong as the policy [A] is on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), dpi=120, facecolor=_NIGHT)
    canvas = FigureCanvasAgg(figure)
    game.plot(figure.add_axes((0, 0, 1, 1)), position, policy)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()  # type: ignore[no-untyped-call]


def write_boards(path: Path, game: Game, position: Any, policies: Mapping[str, npt.NDArray[np.float32]]) -> None:
    """The same position side by side as several policies see it, each under its title, as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    count = len(policies)
    figure = Figure(figsize=(4 * count, 4.5), dpi=100, facecolor=_NIGHT)
    FigureCanvasAgg(figure)
    for place, (title, policy) in enumerate(policies.items()):
        axes = figure.add_axes((place / count, 0, 1 / count, 4 / 4.5))
        game.plot(axes, position, policy)
        figure.text((place + 0.5) / count, 4.2 / 4.5, title, color="white", fontsize=13, ha="center", va="center")
    with replacing(path) as file:
        figure.savefig(file, format="png", facecolor=_NIGHT)


CURVES = (
    ("exam: share of positions whose value the policy keeps", ("exam/kept",)),
    ("score against the baselines", None),
    ("loss", ("loss/policy", "loss/value")),
    ("divergence of search from prior", ("policy/divergence",)),
    ("how games end", ("games/draws", "games/first_move_wins")),
    ("gate: score of the candidate", ("gate/score",)),
)


def write_curves(metrics: list[dict[str, Any]], path: Path) -> None:
    """The curves that matter as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(13, 7), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    for place, (title, names) in enumerate(CURVES, start=1):
        axes = figure.add_subplot(2, 3, place)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("iteration", fontsize=8)
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        axes.grid(alpha=0.25)
        for name in names or sorted({key for line in metrics for key in line if key.startswith("score/")}):
            points = [(line["iteration"], line[name]) for line in metrics if line.get(name) is not None]
            if points:
                axes.plot(
                    *zip(*points, strict=True), label=name.partition("/")[2], marker="." if len(points) < 60 else ""
                )
        if axes.lines:
            axes.legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
