"""The pictures of `scaling`."""

import itertools
import math
from pathlib import Path
from typing import Any, Final

from alphadiamond.files import replacing

_COLOURS: Final = ("#1f6fb4", "#d1495b", "#2a9d6f", "#8f5fbf", "#c77d11")
_GREY: Final = "#6b7280"
_ACROSS: Final = {
    "minutes": "minutes of training",
    "simulations": "simulations per move; 0 is the bare policy",
    "boards": "different boards in training",
}


def draw(
    panel: str, lines: dict[str, list[dict[str, Any]]], path: Path, *, beside: dict[str, float], game: str
) -> None:
    """Write the picture of a panel as PNG; `beside`: errors of other players, drawn across pictures of errors."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4) if panel == "speed" else (9, 5.6), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    if panel == "speed":
        _speed(figure, lines)
    else:
        _error(figure, lines, "minutes" if panel == "time" else panel, beside, game)
    with replacing(path) as file:
        figure.savefig(file, format="png")


def _error(
    figure: Any, lines: dict[str, list[dict[str, Any]]], across: str, beside: dict[str, float], game: str
) -> None:
    """Both axes logarithmic but for zero, which training and search begin with."""
    axes = figure.subplots()
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    least = min((100 * point["error"] for points in lines.values() for point in points if point["error"]), default=1.0)
    faultless = not all(point["low"] for points in lines.values() for point in points)
    if faultless:  # below the least error that is not 0 the axis runs straight to it
        axes.set_yscale("symlog", linthresh=least, linscale=0.5)
    else:
        axes.set_yscale("log")
    ends: list[tuple[float, float]] = []
    for colour, (name, points) in zip(itertools.cycle(_COLOURS), lines.items(), strict=False):
        x = [float(point[across]) for point in points]
        shares = {key: [100 * point[key] for point in points] for key in ("error", "low", "high")}
        axes.plot(x, shares["error"], color=colour, marker="o", markersize=4.5, linewidth=2, label=name)
        axes.fill_between(x, shares["low"], shares["high"], color=colour, alpha=0.15, linewidth=0)
        last = shares["error"][-1]
        near = [end for end in ends if 0.8 < x[-1] / max(end[0], 1e-9) < 1.25 and 0.8 < last / max(end[1], 1e-9) < 1.25]
        lift = (9 if last > near[-1][1] else -9) if near else 0  # two lines that end together keep their labels apart
        ends.append((x[-1], last))
        axes.annotate(
            f"{last:.2g} %", (x[-1], last), xytext=(7, lift), textcoords="offset points", color=colour, va="center"
        )
    for above, (name, share) in enumerate(sorted(beside.items(), key=lambda item: item[1])):
        axes.axhline(100 * share, color=_GREY, linewidth=1, linestyle=(0, (5, 4)))
        side = {"xytext": (-4, 4), "va": "bottom"} if above or not share else {"xytext": (-4, -4), "va": "top"}
        axes.annotate(
            f"{name}: {100 * share:.1f} %", (1, 100 * share), xycoords=("axes fraction", "data"), ha="right",
            textcoords="offset points", color=_GREY, fontsize=9, **side,
        )  # fmt: skip
    if faultless:
        axes.set_ylim(bottom=0)
    furthest = max((float(point[across]) for points in lines.values() for point in points), default=1.0)
    axes.set_xlim(0, max(2.0, 1.6 * furthest))
    axes.set_xticks([tick for tick in _steps(1, 10_000) if tick <= 1.6 * furthest] + [0])
    low, high = axes.get_ylim()
    ticks = [tick for tick in _steps(0.001, 100) if (least if faultless else low) <= tick <= high]
    axes.set_yticks([0, *ticks] if faultless else ticks)  # the straight part is too short for more than its 0
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.minorticks_off()
    axes.set_title(f"{game}: how often the value of a hard position is thrown away", loc="left", fontweight="bold")
    axes.set_xlabel(_ACROSS[across])
    axes.grid(alpha=0.22)
    axes.spines[["top", "right"]].set_visible(False)
    if len(lines) > 1:
        axes.legend(frameon=False)


def _steps(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, 50, ... between two powers of ten."""
    decades = range(round(math.log10(low)), round(math.log10(high)))
    return [digit * 10.0**decade for decade in decades for digit in (1, 2, 5)]


def _speed(figure: Any, lines: dict[str, list[dict[str, Any]]]) -> None:
    panels = figure.subplots(1, len(lines), squeeze=False)[0]
    words = {
        "cores": ("worker processes, 128 games each", "simulations/s"),
        "games": ("games at once, one core", "simulations/s"),
        "batch": ("batch, network alone, one core", "evaluations/s"),
    }
    for axes, (name, points) in zip(panels, lines.items(), strict=True):
        x, y = [point[name] for point in points], [point["rate"] for point in points]
        axes.plot(x, y, color=_COLOURS[0], marker="o", markersize=4.5, linewidth=2)
        axes.set_xscale("log", base=2)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_xlabel(words[name][0])
        axes.set_ylabel(words[name][1])
        axes.grid(alpha=0.22)
        axes.spines[["top", "right"]].set_visible(False)
