"""Show what a path holds, in a table or as JSON, and export networks to ONNX."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alphadiamond.console import duration, print_written, result_console
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.inspect.description import Description, Percent, Seconds, describe
from alphadiamond.settings import setting, text
from alphadiamond.settings.places import Output
from alphadiamond.settings.ranges import or_empty


@dataclass
class ShowSettings:
    path: str = setting("", text("a path that is there"))
    """A checkpoint or its directory, a run directory, a file of records or a tablebase; the bare path will do."""
    json: bool = False
    """Print JSON instead of tables."""
    onnx: str = setting("", or_empty(Output(suffixes=(".onnx",)), "no export"))
    """Also export the network there (of a run: its champion) to this file, as ONNX."""


def show(settings: ShowSettings) -> None:
    if not settings.path:
        raise AlphaDiamondError("name what is to be shown by its path")
    described = describe(Path(settings.path))
    if settings.json:
        print(described.as_json())
    else:
        _print(described)
    if settings.onnx:
        _export(described, Path(settings.onnx))


def _print(described: Description) -> None:
    from rich.table import Table

    console = result_console(width=80, highlight=False)
    facts = Table.grid(padding=(0, 2))
    for name, value in described.facts.items():
        facts.add_row(name, _text(value))
    console.print(f"{described.kind}: {described.path}", markup=False)
    console.print(facts)
    for title, rows in described.tables.items():
        table = Table(title=title, title_justify="left")
        for heading in rows[0]:
            table.add_column(heading, overflow="fold")
        for row in rows:
            table.add_row(*(_text(value) for value in row.values()))
        console.print(table)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Percent):
        return f"{100 * value:.2f} %"
    if isinstance(value, Seconds):
        return duration(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)


def _export(described: Description, target: Path) -> None:
    from alphadiamond.network import export_onnx, load_checkpoint

    places = {"checkpoint": Path(described.path), "run": Path(described.path) / "champion.safetensors"}
    if described.kind not in places:
        raise AlphaDiamondError(f"{described.path}: a {described.kind} holds no network to export")
    export_onnx(load_checkpoint(places[described.kind]).model, target)
    print_written(target, file=sys.stderr)
