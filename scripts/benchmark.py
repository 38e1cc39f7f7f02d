"""Measure speed: each part beside a plain version of itself in the same run, as a table and as JSON."""

import importlib
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the references live in tests/

from alphadiamond import cli
from alphadiamond.settings import between, each, one_of, setting
from alphadiamond.settings.places import OUTPUT_FILE
from alphadiamond.settings.ranges import SEED

SECTIONS = (
    "game",
    "players",
    "network",
    "search",
    "engine",
    "solver",
    "connect_four_solver",
    "window",
    "start",
    "cores",
    "memory",
    "server",
    "cluster",
    "cluster_scale",
)
"""Modules in scripts/benchmarks."""
FORMERLY = {"phantoms": "cluster_scale"}
"""What a section was called before."""


@dataclass
class BenchmarkSettings:
    sections: list[str] = setting(list(SECTIONS), each(one_of(*SECTIONS, *FORMERLY)))
    """Which parts to measure; [] with peers=true for the peers alone."""
    peers: bool = False
    """Also run the searches of mctx and OpenSpiel beside ours, with the packages of the extra [peers]."""
    repeats: int = setting(5, between(1, 10_000))
    """Timed turns of each side; the table shows medians."""
    seed: int = setting(1, SEED)
    """Seeds whatever is random in what is measured."""
    output: str = setting("results/benchmark.json", OUTPUT_FILE)
    """Where the figures go as JSON."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if not self.sections and not self.peers:
            yield "sections", f"nothing to measure: name some of {', '.join(SECTIONS)}, or say peers=true"


def _number(value: float) -> str:
    """Three significant digits, without exponents."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


def benchmark(settings: BenchmarkSettings) -> None:
    from rich.table import Table

    from alphadiamond.base.compilation import announce_compilation
    from alphadiamond.console import print_written, result_console
    from alphadiamond.files import write_json

    names = dict.fromkeys(FORMERLY.get(name, name) for name in settings.sections)
    chosen: dict[str, Any] = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    if settings.peers:
        from benchmarks import peers

        peers.require_packages()
        chosen["peers"] = peers
    announce_compilation()
    rows = {name: part.measure(repeats=settings.repeats, seed=settings.seed) for name, part in chosen.items()}
    table = Table("part", "what", "measured", "unit", "beside", "ratio")
    for name, section in rows.items():
        for row in section:
            beside = f"{_number(row.reference)} {row.reference_name}" if row.reference is not None else ""
            ratio = _number(row.ratio) if row.ratio is not None else ""
            table.add_row(name, row.name, _number(row.value), row.unit, beside, ratio)
    result_console().print(table)
    machine = {"machine": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
    figures = {name: [{**asdict(row), "ratio": row.ratio} for row in section] for name, section in rows.items()}
    write_json(Path(settings.output), {**machine, "sections": figures})
    print_written(settings.output)


if __name__ == "__main__":
    cli.run(benchmark, BenchmarkSettings, "benchmark")
