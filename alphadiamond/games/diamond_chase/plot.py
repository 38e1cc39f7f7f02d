"""A position of Diamond Chase for matplotlib, with what a policy thinks of its moves."""

from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.games.diamond_chase.board import ACTION_NODES, COORDINATES, EDGES
from alphadiamond.games.diamond_chase.position import Position, Side

_RED, _GREEN, _LINE, _HEAT = "#ff5050", "#50ff96", "#3a4a8c", "#ffd35c"


def plot(axes: Any, position: Position, policy: npt.NDArray[np.float32]) -> None:
    """Beads, and each move drawn as strong as the policy [72] is on it."""
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
