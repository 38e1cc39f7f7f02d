"""Which source files a module is made of: its own and those of every module of the project that it imports.

Read from the text, since this is asked before anything is imported.
"""

import functools
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent

_IMPORTS: Final = re.compile(r"^[ \t]*from ([\w.]+) import (\([^)]*\)|[^\n#]*)|^[ \t]*import ([\w., ]+)", re.MULTILINE)


def sources_of(file: Path) -> frozenset[Path]:
    """The file, and all that it imports from its own package and from this one, however far away.

    What a function imports counts as well. A package's `__init__` counts only where a name is imported from it that is
    no module, as with `from alphadiamond.games.diamond_chase import Position`.
    """
    found: set[Path] = set()
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return frozenset(found)


@functools.cache
def digest_of(file: Path) -> str:
    """A digest of everything that `sources_of` finds; the same wherever the project lies."""
    return _digest(sources_of(file))


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(path.name.encode() + b"\0" + _content(path))
    return whole.hexdigest()[:16]


@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    roots = {PACKAGE.name: PACKAGE.parent}
    top = path.parent
    while (top / "__init__.py").exists():
        top = top.parent
    if top != path.parent:
        roots.setdefault(path.relative_to(top).parts[0], top)
    found = []
    for source, names, plain in _IMPORTS.findall(_content(path).decode("utf-8", "replace")):
        if plain:
            found += [_module(roots, name.split(" as ")[0].strip()) for name in plain.split(",")]
            continue
        parts = [part.split(" as ")[0].strip() for part in names.strip("()").split(",")]
        modules = [_module(roots, f"{source}.{part.split('#')[0].strip()}") for part in parts if part]
        found += modules
        if None in modules:
            found.append(_module(roots, source))
    return tuple(path for path in found if path is not None)


def _module(roots: dict[str, Path], name: str) -> Path | None:
    """The file of a module of the project, if it is one."""
    root = roots.get(name.partition(".")[0])
    if root is None:
        return None
    base = root.joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path.resolve()
    return None
