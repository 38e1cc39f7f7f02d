"""Ratings with their errors, and who scored what against whom, as one picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alphadiamond.arena.ratings import Rating
from alphadiamond.files import replacing

_INK, _FAINT, _PAPER = "#1d2733", "#c9d1d9", "#ffffff"
_MARK = "#1f6f5c"
_LOSS_TO_WIN = ["#b5443c", "#e9b8a8", "#f6f4ee", "#a9d3bd", "#1f7a5c"]


def plot_ratings(
    path: Path,
    ratings: Sequence[Rating],
    scores: Mapping[tuple[str, str], float],
    *,
    anchor: str,
    title: str = "Ratings",
) -> None:
    """Write a PNG: ratings in Elo with 95 % intervals, and `scores` of row against column, both ways round."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # never a window
    from matplotlib.figure import Figure

    count = max(len(ratings), 1)
    names = [rating.player for rating in ratings]
    longest = max((len(name) for name in names), default=8)
    margin = 0.075 * longest + 0.3  # inches for the names
    cell = 0.62
    height = cell * count + 1.9 + min(margin, 2.2)
    width = margin + 5.2 + cell * count * 1.15 + 0.9
    figure = Figure(figsize=(width, height), dpi=160, facecolor=_PAPER)
    FigureCanvasAgg(figure)
    top, bottom = 1 - 0.95 / height - min(margin, 2.2) / height * 0.62, 0.75 / height
    left = figure.add_axes((margin / width, bottom, 4.6 / width, top - bottom))
    right = figure.add_axes(((margin + 5.0) / width, bottom, cell * count * 1.15 / width, top - bottom))
    _draw_ratings(left, ratings, anchor)
    _draw_scores(right, names, scores)
    figure.text(0.25 / width, 1 - 0.42 / height, title, fontsize=15, weight="bold", color=_INK, va="center")
    with replacing(path) as file:
        figure.savefig(file, format="png", facecolor=_PAPER)


def _draw_ratings(axes: Any, ratings: Sequence[Rating], anchor: str) -> None:
    rows = np.arange(len(ratings))
    elo = np.array([rating.elo for rating in ratings])
    errors = np.array([[one.elo - one.low for one in ratings], [one.high - one.elo for one in ratings]])
    axes.errorbar(
        elo, rows, xerr=errors, fmt="o", color=_MARK, ecolor=_MARK, elinewidth=2.2, markersize=8, alpha=0.95, zorder=3
    )
    # One interval without an end must not squeeze all others: the axis covers ratings and most of the intervals.
    spread = max(float(np.ptp(elo)) if len(elo) else 0.0, 100.0)
    low, high = float(elo.min(initial=0)) - 0.3 * spread, float(elo.max(initial=0)) + 0.3 * spread
    axes.set_xlim(low, high)
    for row, rating in zip(rows, ratings, strict=True):
        for beyond, edge, arrow in ((rating.low < low, low, "<"), (rating.high > high, high, ">")):
            if beyond:
                axes.plot([edge], [row], arrow, color=_MARK, markersize=7, clip_on=False, zorder=4)
        fixed = rating.player == anchor
        text = f"{rating.elo:+.0f}" if not fixed else f"{rating.elo:.0f} (anchor)"
        axes.annotate(
            text,
            (rating.elo, row),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            color=_INK,
            weight="bold",
        )
    axes.set_yticks(rows, [rating.player for rating in ratings], fontsize=10, color=_INK)
    axes.set_ylim(len(ratings) - 0.5, -0.5)
    axes.set_xlabel("Elo, with 95 % confidence intervals", fontsize=9.5, color=_INK)
    axes.grid(axis="x", color=_FAINT, linewidth=0.7, zorder=0)
    axes.axvline(next((one.elo for one in ratings if one.player == anchor), 0.0), color=_FAINT, linewidth=1.4, zorder=1)
    axes.tick_params(length=0, colors=_INK, pad=9)
    axes.tick_params(axis="x", labelsize=8.5)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_scores(axes: Any, names: Sequence[str], scores: Mapping[tuple[str, str], float]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("loss to win", _LOSS_TO_WIN)
    table = np.full((len(names), len(names)), np.nan)
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            if (first, second) in scores:
                table[i, j] = scores[first, second]
            elif (second, first) in scores:
                table[i, j] = 1 - scores[second, first]
    np.fill_diagonal(table, np.nan)
    axes.imshow(table, cmap=colours, vmin=0, vmax=1, aspect="auto")
    for (i, j), score in np.ndenumerate(table):
        if np.isnan(score):
            axes.text(j, i, "·", ha="center", va="center", color=_FAINT, fontsize=11)
        else:
            ink = _PAPER if abs(score - 0.5) > 0.38 else _INK
            axes.text(j, i, f"{score:.3f}", ha="center", va="center", color=ink, fontsize=9)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="left", fontsize=8.5, color=_INK)
    axes.xaxis.tick_top()
    axes.set_yticks([])
    axes.set_xticks(np.arange(-0.5, len(names)), minor=True)
    axes.set_yticks(np.arange(-0.5, len(names)), minor=True)
    axes.grid(which="minor", color=_PAPER, linewidth=2)
    axes.tick_params(which="both", length=0)
    axes.set_xlabel("score of row against column", fontsize=9.5, color=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
