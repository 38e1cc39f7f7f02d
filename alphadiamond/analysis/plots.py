"""A game's curve as a picture: who stood better when, and where value was given away."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from alphadiamond.analysis.review import Review, record_title
from alphadiamond.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK, _FAINT, _PAPER = "#1d2733", "#c9d1d9", "#ffffff"
_FIRST, _SECOND = "#1f7a5c", "#b5443c"


def plot_curve(path: Path, review: Review) -> None:
    """Write `curve_figure` as PNG."""
    with replacing(path) as file:
        curve_figure(review).savefig(file, format="png", facecolor=_PAPER)


def curve_figure(review: Review) -> "Figure":
    """The judge's expectation after each ply, the exact value as steps, mistakes as points."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # never a window
    from matplotlib.figure import Figure

    record = review.record
    first = record.game.sides[0]
    plies = range(len(review.curve))
    figure = Figure(figsize=(10, 4.2), dpi=150, facecolor=_PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.axhline(0, color=_FAINT, linewidth=1.2, zorder=1)
    if review.exact_curve is not None:
        axes.step(
            plies,
            review.exact_curve,
            where="post",
            color=_INK,
            linewidth=1.1,
            linestyle=":",
            label="exact value",
            zorder=2,
        )
    axes.plot(plies, review.curve, color=_INK, linewidth=1.8, label=review.judge, zorder=3)
    curve = np.array(review.curve)
    for where, colour in ((curve >= 0, _FIRST), (curve <= 0, _SECOND)):
        axes.fill_between(plies, 0, curve, where=where, interpolate=True, color=colour, alpha=0.25, lw=0)
    named: list[tuple[float, float]] = []
    for ply in review.mistakes:
        value = review.curve[ply.number + 1]
        colour = _FIRST if ply.before.side is first else _SECOND
        axes.plot([ply.number + 1], [value], "o", color=colour, markersize=7, zorder=4)
        place = (ply.number + 1) / len(review.curve)
        if any(abs(place - x) < 0.09 and abs(value - y) < 0.15 for x, y in named):
            continue  # there is no room for its name, which the table has
        named.append((place, value))
        axes.annotate(
            f"{ply.move} {ply.mark}",
            (ply.number + 1, value),
            xytext=(8, 8 if value < 0.85 else -14),
            textcoords="offset points",
            fontsize=8,
            color=colour,
            weight="bold",
        )
    axes.set_ylim(-1.12, 1.12)
    axes.set_xlim(0, max(1, len(review.curve) - 1))
    even = "draw" if record.game.draws else "even"
    axes.set_yticks([-1, 0, 1], [f"{first.other} wins", even, f"{first} wins"], fontsize=9, color=_INK)
    axes.set_xlabel("plies", fontsize=9.5, color=_INK)
    axes.set_title(record_title(record), fontsize=11, loc="left", color=_INK, weight="bold")
    figure.legend(fontsize=8.5, frameon=False, loc="outside lower right", ncols=2)
    axes.tick_params(length=0, colors=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure
