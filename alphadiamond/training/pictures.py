"""Pictures of a run: the board with the search's visits as heat, and the curves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.files import replacing
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.board import ACTION_NODES, COORDINATES, EDGES

_RED, _GREEN, _NIGHT, _LINE, _HEAT = "#ff5050", "#50ff96", "#0b1030", "#3a4a8c", "#ffd35c"


def board_picture(position: Position, policy: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """[H, W, 3] a position, each move drawn as strong as the policy [72] is on it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4, 4), dpi=100, facecolor=_NIGHT)
    canvas = FigureCanvasAgg(figure)
    _draw_board(figure.add_axes((0, 0, 1, 1)), position, policy)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()  # type: ignore[no-untyped-call]


def write_boards(path: Path, position: Position, policies: Mapping[str, npt.NDArray[np.float32]]) -> None:
    """The same position side by side as several policies see it, each under its title, as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    count = len(policies)
    figure = Figure(figsize=(4 * count, 4.5), dpi=100, facecolor=_NIGHT)
    FigureCanvasAgg(figure)
    for place, (title, policy) in enumerate(policies.items()):
        axes = figure.add_axes((place / count, 0, 1 / count, 4 / 4.5))
        _draw_board(axes, position, policy)
        figure.text((place + 0.5) / count, 4.2 / 4.5, title, color="white", fontsize=13, ha="center", va="center")
    with replacing(path) as file:
        figure.savefig(file, format="png", facecolor=_NIGHT)


def _draw_board(axes: Any, position: Position, policy: npt.NDArray[np.float32]) -> None:
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-6.3, 6.3)
    axes.set_ylim(-6.3, 6.3)
    for a, b in EDGES:
        axes.plot(*COORDINATES[[a, b]].T, color=_LINE, linewidth=1.2, zorder=1)
    largest = max(float(policy.max()), 1e-9)
    for action, (source, target) in enumerate(ACTION_NODES):
        if policy[action] > 0.01:
            start, end = COORDINATES[source], COORDINATES[source] + 0.8 * (COORDINATES[target] - COORDINATES[source])
            style = {"arrowstyle": "-|>", "color": _HEAT, "alpha": 0.25 + 0.75 * float(policy[action]) / largest}
            axes.annotate("", end, start, arrowprops={**style, "linewidth": 1 + 4 * float(policy[action])}, zorder=3)
            x, y = start + 0.55 * (end - start)
            axes.text(x, y, f"{100 * policy[action]:.0f}", color="white", fontsize=7, zorder=4)
    for side, colour in ((Side.RED, _RED), (Side.GREEN, _GREEN)):
        x, y = COORDINATES[position.beads(side)].T
        axes.scatter(x, y, s=170, color=colour, edgecolors="white", linewidths=0.6, zorder=2)


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

    figure = Figure(figsize=(13, 7), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    for place, (title, names) in enumerate(CURVES, start=1):
        axes = figure.add_subplot(2, 3, place)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("iteration", fontsize=8)
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
