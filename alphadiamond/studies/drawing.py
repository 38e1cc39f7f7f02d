"""The pictures of `scaling`."""

from pathlib import Path
from typing import Any, Final

from alphadiamond.files import replacing

_ERROR: Final = "exam error: positions whose value is thrown away (%)"


def draw(panel: str, lines: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Write the picture of a panel as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4) if panel == "speed" else (8, 5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    if panel == "speed":
        _speed(figure, lines)
    else:
        _error(figure, lines, "minutes" if panel == "time" else "simulations")
    with replacing(path) as file:
        figure.savefig(file, format="png")


def _error(figure: Any, lines: dict[str, list[dict[str, Any]]], across: str) -> None:
    """Both axes logarithmic but for zero, which training and search begin with."""
    axes = figure.subplots()
    for name, points in lines.items():
        x = [float(point[across]) for point in points]
        shares = {key: [100 * point[key] for point in points] for key in ("error", "low", "high")}
        line = axes.plot(x, shares["error"], marker="o", markersize=4, label=name)[0]
        axes.fill_between(x, shares["low"], shares["high"], color=line.get_color(), alpha=0.18, linewidth=0)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_yscale("log")
    axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("minutes of training" if across == "minutes" else "simulations per move (0: the bare policy)")
    axes.set_ylabel(_ERROR)
    axes.grid(alpha=0.25, which="both")
    if len(lines) > 1:
        axes.legend()


def _speed(figure: Any, lines: dict[str, list[dict[str, Any]]]) -> None:
    panels = figure.subplots(1, len(lines), squeeze=False)[0]
    words = {
        "cores": ("worker processes, 128 games each", "simulations/s"),
        "games": ("games at once, one core", "simulations/s"),
        "batch": ("positions at once, the network alone, one core", "evaluations/s"),
    }
    for axes, (name, points) in zip(panels, lines.items(), strict=True):
        x, y = [point[name] for point in points], [point["rate"] for point in points]
        axes.plot(x, y, marker="o", markersize=4)
        axes.set_xscale("log", base=2)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.set_xlabel(words[name][0])
        axes.set_ylabel(words[name][1])
        axes.grid(alpha=0.25)
