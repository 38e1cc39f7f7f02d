"""Holes against training time: what each snapshot of a run can be led into, and where it loses."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from alphadiamond.console import print_written
from alphadiamond.files import replacing, write_json, write_text
from alphadiamond.proof.command import prove
from alphadiamond.proof.settings import ProveSettings
from alphadiamond.studies.rating import chosen
from alphadiamond.studies.settings import HolesSettings

_NIGHT, _INK, _LOST, _LET_GO, _ENDS = "#0b1030", "#dfe6ff", "#ff6b6b", "#ffd35c", "#59d0ff"


@dataclass(frozen=True)
class SnapshotHoles:
    """What `prove` has found of one snapshot, over the sides that were looked at."""

    run: str
    iteration: int
    minutes: float
    positions: int
    lost: int | None
    """Held games lost; None where the game is not solved as a table."""
    let_go: int | None
    lost_ends: int
    closed: bool


def study(settings: HolesSettings) -> None:
    """Prove each snapshot, and write holes.json, holes.md and holes.png."""
    output, found = Path(settings.output), []
    for run in settings.runs:
        for snapshot in chosen(run, settings.snapshots):
            place = output / Path(run).name / f"iteration-{snapshot.iteration:06}"
            prove(
                ProveSettings(
                    game=settings.game,
                    player=f"neural:checkpoint={snapshot.path},{settings.player},history=false",
                    side=settings.side,
                    plies=settings.plies,
                    workers=settings.workers,
                    lines=0,
                    output=str(place),
                )
            )
            found.append(_holes(run, snapshot.iteration, snapshot.minutes, place))
            table = table_of(found)
            write_json(
                output / "holes.json", {"settings": asdict(settings), "snapshots": [asdict(one) for one in found]}
            )
            write_text(output / "holes.md", table + "\n")
            draw(output / "holes.png", found)
    print(table)
    print_written(output, "holes.json", "holes.md", "holes.png")


def _holes(run: str, iteration: int, minutes: float, place: Path) -> SnapshotHoles:
    sides: list[dict[str, Any]] = list(json.loads((place / "proof.json").read_text(encoding="utf-8"))["sides"].values())
    exact = json.loads((place / "subject.json").read_text(encoding="utf-8"))["exact"]

    def total(name: str) -> int:
        return sum(int(side[name]) for side in sides)

    return SnapshotHoles(
        run=Path(run).name,
        iteration=iteration,
        minutes=minutes,
        positions=total("positions"),
        lost=total("lost") if exact else None,
        let_go=total("let_go") if exact else None,
        lost_ends=total("lost_ends"),
        closed=all(side["closed"] for side in sides),
    )


def table_of(found: Sequence[SnapshotHoles]) -> str:
    lines = [
        "| run | iteration | minutes | positions | held games lost | wins let go | lost ends |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    for one in found:
        lost, let_go = ("not asked" if count is None else f"{count:,}" for count in (one.lost, one.let_go))
        positions = f"{one.positions:,}" + ("" if one.closed else " and more")
        figures = f"{one.minutes:.1f} | {positions} | {lost} | {let_go} | {one.lost_ends:,}"
        lines.append(f"| {one.run} | {one.iteration} | {figures} |")
    return "\n".join(lines)


def draw(path: Path, found: Sequence[SnapshotHoles]) -> None:
    """Holes in a million positions over the minutes of training, both by powers of ten; none is drawn at the foot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(10, 5.6), dpi=150, facecolor=_NIGHT, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot(facecolor=_NIGHT)
    kinds = (("held games lost", "lost", _LOST), ("wins let go", "let_go", _LET_GO), ("lost ends", "lost_ends", _ENDS))
    styles = ("-", "--", ":", "-.")
    runs = list(dict.fromkeys(one.run for one in found))
    for words, field, colour in kinds:
        for run, style in zip(runs, styles * len(runs), strict=False):
            mine = [one for one in found if one.run == run and getattr(one, field) is not None]
            if not mine:
                continue
            x = [max(one.minutes, 0.1) for one in mine]
            y = [1e6 * getattr(one, field) / one.positions for one in mine]
            label = words if len(runs) == 1 else f"{words}, {run}"
            axes.plot(x, y, style, color=colour, marker="o", markersize=5, linewidth=2, label=label, clip_on=False)
            axes.annotate(
                f"{getattr(mine[-1], field):,}",
                (x[-1], y[-1]),
                xytext=(8, 0),
                textcoords="offset points",
                color=colour,
                va="center",
            )
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.margins(x=0.12)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda minutes, _: f"{minutes:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda holes, _: f"{holes:,.0f}"))
    axes.set_xlabel("minutes of training", color=_INK)
    axes.set_ylabel("in a million positions that can come up", color=_INK)
    axes.set_title("How the holes close", color=_INK, fontsize=15, loc="left")
    axes.tick_params(colors=_INK, which="both")
    axes.grid(alpha=0.15, color=_INK)
    for spine in axes.spines.values():
        spine.set_color("#3a4270")
    if axes.lines:
        legend = axes.legend(facecolor=_NIGHT, edgecolor="#3a4270", loc="lower left")
        for text in legend.get_texts():
            text.set_color(_INK)
    with replacing(path) as file:
        figure.savefig(file, format="png", facecolor=_NIGHT)
